import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asDraft, changes, documentsOf, inWords } from '../../src/advisor/draft';
import { reuseOf } from '../../src/advisor/frames';
import type { Run } from '../../src/api/types';
import { fileName, toMarkdown, written } from '../../src/conversation/written';
import { costsOf } from '../../src/runs/costs';
import { apply, empty } from '../../src/state/live';
import { askedNow } from '../../src/state/turns';

const run = (id: string, more: Partial<Run> = {}): Run => ({
  run_id: id,
  thread_id: 't',
  assistant_id: 'advisor',
  created_at: `2026-11-15T00:00:0${id}Z`,
  updated_at: '',
  status: 'success',
  metadata: {},
  kwargs: { input: { query: `질문 ${id}` } },
  ...more,
});

test('only fields that were changed are sent, and empty ones are emptied', () => {
  const draft = asDraft({
    type: 'draft_review_required',
    message: '',
    fields: [
      { name: 'tenant.name', label: '임차인', input: 'text', value: null },
      { name: 'deposit', label: '보증금', input: 'won', value: 300_000_000 },
      { name: 'phone', label: '전화', input: 'text', value: '010' },
      { name: 'special_terms', label: '특약', input: 'lines', value: ['하나'] },
    ],
  });
  assert.ok(draft);
  const texts = { 'tenant.name': ' 김두루 ', deposit: '300000000', phone: '', special_terms: '하나\n\n 둘 ' };
  assert.deepEqual(changes(draft.fields, texts), { 'tenant.name': '김두루', phone: null, special_terms: ['하나', '둘'] });
  assert.equal(asDraft({ type: 'draft_review_required', fields: [{ name: 'x' }] }), null, 'a field without a kind is none');
});

test('sums are said as people say them', () => {
  assert.equal(inWords('350000000', 'ko'), '3억 5,000만원');
  assert.equal(inWords('350,000,000', 'en'), '₩350,000,000');
  assert.equal(inWords('3억', 'ko'), '');
  assert.equal(inWords('', 'ko'), '');
});

test('only documents of the server itself are offered', () => {
  const documents = [{ id: 'a', name: 'x.docx', address: '/drafts/a-1' }, { id: 'b', name: 'y', address: '//evil/drafts/a' }, { id: 'c', name: 'z', address: '/drafts/../x' }];
  assert.deepEqual(documentsOf({ final_response: { documents } }).map((one) => one.id), ['a']);
  assert.deepEqual(documentsOf({ final_response: 'x' }), []);
});

test('data that were checked and used again are told from the state', () => {
  assert.equal(reuseOf({ data_reused: false, final_response: { reused: ['x'] } }), null);
  const reuse = reuseOf({ data_reused: true, skip_search_reason: '충분합니다.', final_response: { reused: ['마포구 시세 72건, 방금'] } });
  assert.deepEqual([reuse?.message, reuse?.lines], ['충분합니다.', ['마포구 시세 72건, 방금']]);
});

test('a confirmation knows its deadline', () => {
  const live = empty();
  const frame = (event: string, data: unknown): void => apply(live, { event, data: JSON.stringify(data), id: null });
  frame('custom', { type: 'user_confirmation_required', confirmation_id: 'c', deadline: '2026-11-15T00:00:30Z' });
  frame('updates', { __interrupt__: [{ id: 'i', value: { type: 'user_confirmation_required', confirmation_id: 'c', options: [] } }] });
  assert.equal((live.questions[0]?.value as Record<string, unknown>)['deadline'], '2026-11-15T00:00:30Z');
});

test('every decision counts once, for the task under way', () => {
  const step = (name: string, from: number, to: number, within = '') => ({ id: `${name}${from}`, name, within, status: 'done' as const, tries: 1, from, to, error: null });
  const decision = (at: number, by: string, tokens: number) => ({ decision: 'd', by, why: null, model: null, latency_us: 1, usage: { input_tokens: tokens }, cost: by === 'rule' ? null : 0.5, value: null, at });
  const costs = costsOf([step('plan', 0, 10), step('team', 10, 50), step('inner', 12, 20, 'team:1'), step('plan', 50, 60)], [decision(5, 'model', 7), decision(15, 'rule', 0), decision(55, 'repaired', 3), decision(70, 'rule', 0)]);
  assert.deepEqual(costs.map(({ node, runs, ms, decisions, byModel, tokens, dollars }) => [node, runs, ms, decisions, byModel, tokens, dollars]), [
    ['plan', 2, 20, 3, 2, 10, 1],
    ['team', 1, 40, 1, 0, 0, 0],
  ]);
});

test('a conversation is written down', () => {
  const turn = (id: string, text: string) => ({ ...askedNow(run(id), null, [id]), values: { messages: [{ type: 'human', content: 'x' }, { type: 'ai', content: text }] } });
  const turns = written([turn('1', '하나'), turn('3', '셋')]);
  assert.deepEqual(turns.map((turn) => [turn.question, turn.answer]), [['질문 1', '하나'], ['질문 3', '셋']]);
  assert.match(toMarkdown('제목', turns), /^# 제목\n\n## 질문 1\n/);
  assert.equal(fileName('a/b:c?'), 'a b c');
});
