import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Run } from '../../src/api/types';
import { matches } from '../../src/state/find';
import { inputFor } from '../../src/state/agents.svelte';
import { askedOf, branchTo, newestUnder, saidIn, turnsOf } from '../../src/state/turns';

const run = (id: string, parent: string | null | undefined, input: unknown, resume?: unknown): Run => ({
  run_id: id,
  thread_id: 't',
  assistant_id: 'a',
  created_at: '',
  updated_at: '',
  status: 'success',
  metadata: parent === undefined ? {} : { parent_run: parent },
  kwargs: resume === undefined ? { input } : { command: { resume } },
});

test('edited questions are branches of one place, answers belong to their question', () => {
  // Oldest first here; the server lists the newest first.
  const runs = [
    run('q1', null, { question: 'one' }),
    run('q2', 'q1', { question: 'two' }),
    run('q2a', 'q2', null, { time: '1h' }),
    run('q2x', 'q1', { question: 'two, edited' }),
    run('q3', 'q2a', { question: 'three' }),
  ].reverse();
  const turns = turnsOf(runs);
  assert.deepEqual(turns.map((turn) => turn.id), ['q1', 'q2', 'q2x', 'q3']);
  assert.deepEqual(turns[1]?.runs.map((one) => one.run_id), ['q2', 'q2a']);
  assert.deepEqual(turns[1]?.siblings, ['q2', 'q2x']);
  assert.deepEqual(branchTo(turns, null).map((turn) => turn.id), ['q1', 'q2', 'q3']);
  assert.deepEqual(branchTo(turns, 'q2x').map((turn) => turn.id), ['q1', 'q2x']);
  assert.equal(newestUnder(turns, 'q2'), 'q3');
  assert.equal(newestUnder(turns, 'q2x'), 'q2x');
});

test('runs of other clients follow each other', () => {
  const turns = turnsOf([run('b', undefined, { messages: [{ type: 'human', content: '둘' }] }), run('a', undefined, '하나')]);
  assert.deepEqual(branchTo(turns, null).map((turn) => turn.asked.text), ['하나', '둘']);
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
  assert.equal(saidIn({ values: { messages } }), 'answer');
});

test('half a syllable finds the whole one', () => {
  for (const [search, found] of [['에', true], ['서비ㅅ', true], ['서비스별', true], ['ERR', true], ['서비ㄱ', false], ['에러 건', true], ['없는', false]] as const) {
    assert.equal(matches('최근 24시간 서비스별 에러 건수 (error)', search), found, search);
  }
});
