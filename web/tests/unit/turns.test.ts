import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SentTurn } from '../../src/api/types';
import { matches } from '../../src/state/find';
import { inputFor } from '../../src/state/agents.svelte';
import { askedOf, saidIn, turnOf } from '../../src/state/turns';

const sent = (more: Partial<SentTurn>): SentTurn => ({
  turn_id: 'q1',
  parent: null,
  siblings: ['q1'],
  runs: [{ run_id: 'q1', thread_id: 't', assistant_id: 'a', created_at: '', updated_at: '', status: 'success', metadata: {}, kwargs: { input: { question: '하나' } } }],
  values: {},
  before: null,
  checkpoint: null,
  next: [],
  questions: [],
  waits: false,
  custom: [],
  error: null,
  ...more,
});

test('a question knows until when it can be answered', () => {
  const value = { type: 'user_confirmation_required', options: [] };
  const question = { id: 'i', value, response_schema: null, deadline: '2026-11-15T00:00:30Z' };
  const turn = turnOf(sent({ questions: [question, { ...question, id: 'j', value: '?', deadline: null }], waits: true }));
  assert.deepEqual(turn.questions.map((one) => one.value), [{ ...value, deadline: '2026-11-15T00:00:30Z' }, '?']);
  assert.equal(turn.asked.text, '하나');
});

test('a question is found in any kind of input', () => {
  assert.equal(askedOf({ messages: [{ type: 'human', content: [{ type: 'text', text: 'hi' }] }] }).text, 'hi');
  assert.equal(askedOf({ sql: 'select 1' }).sql, 'select 1');
  assert.equal(askedOf({ topic: '두루', lang: 'ko' }).text, '두루');
  assert.deepEqual(askedOf({ n: 1 }).other, { n: 1 });
});

test('a text becomes the input that a graph takes', () => {
  assert.deepEqual(inputFor({ properties: { messages: {} } }, 'q', 'ko'), { messages: [{ type: 'human', content: 'q' }] });
  assert.deepEqual(inputFor({ properties: { draft: { type: 'string' }, topic: { type: 'string' }, lang: {} } }, 'q', 'en'), { topic: 'q', lang: 'en' });
});

test('what was said in a turn is what came after its question, without internal notes', () => {
  const messages = [
    { type: 'human', content: 'old' },
    { type: 'ai', content: 'old answer' },
    { type: 'human', content: 'new' },
    { type: 'ai', content: 'note', additional_kwargs: { internal: true } },
    { type: 'ai', content: 'answer' },
  ];
  assert.equal(saidIn({ messages }), 'answer');
});

test('half a syllable finds the whole one', () => {
  for (const [search, found] of [['에', true], ['서비ㅅ', true], ['서비스별', true], ['ERR', true], ['서비ㄱ', false], ['에러 건', true], ['없는', false]] as const) {
    assert.equal(matches('최근 24시간 서비스별 에러 건수 (error)', search), found, search);
  }
});
