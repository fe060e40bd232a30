import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameReader } from '../../src/api/sse';
import { answerSoFar, apply, empty } from '../../src/state/live';

const STREAM =
  'event: metadata\r\ndata: {"run_id":"r"}\r\nid: 1000-0\r\n\r\n: heartbeat\r\n\r\n' +
  'event: messages\r\ndata: [{"type":"AIMessageChunk","id":"m","content":"두"},{"langgraph_node":"say"}]\r\nid: 1010-1\r\n\r\n' +
  'event: messages\r\ndata: [{"type":"AIMessageChunk","id":"m","content":"루 "},{}]\r\nid: 1020-2\r\n\r\n';

test('frames are the same wherever the text is cut', () => {
  const whole = new FrameReader().push(STREAM);
  assert.deepEqual(whole.map((frame) => [frame.event, frame.id]), [['metadata', '1000-0'], ['messages', '1010-1'], ['messages', '1020-2']]);
  for (let size = 1; size < 40; size += 1) {
    const reader = new FrameReader();
    const cut = [];
    for (let at = 0; at < STREAM.length; at += size) cut.push(...reader.push(STREAM.slice(at, at + size)));
    assert.deepEqual(cut, whole, `pieces of ${size}`);
  }
});

test('pieces of an answer add up, the whole replaces them, notes of the machinery are not shown', () => {
  const live = empty();
  for (const frame of new FrameReader().push(STREAM)) apply(live, frame);
  assert.equal(answerSoFar(live), '두루 ');
  assert.equal(live.firstWord, 1010);
  const say = (data: unknown): void => apply(live, { event: 'messages', data: JSON.stringify(data), id: '1030-3' });
  say([{ type: 'ai', id: 'm', content: [{ type: 'text', text: '두루 좋다' }] }, {}]);
  say([{ type: 'ai', id: 'n', content: 'note', additional_kwargs: { internal: true } }, {}]);
  assert.equal(answerSoFar(live), '두루 좋다');
});

test('steps go from running to done, are tried again, wait, and fail', () => {
  const live = empty();
  const task = (data: unknown, id: string): void => apply(live, { event: 'tasks', data: JSON.stringify(data), id });
  task({ id: 'a', name: 'one', input: {} }, '1000-0');
  task({ id: 'a', name: 'one', input: {} }, '1400-1');
  task({ id: 'a', name: 'one', result: {}, error: null, interrupts: [] }, '1500-2');
  task({ id: 'b', name: 'two', input: {} }, '1500-3');
  task({ id: 'b', name: 'two', result: {}, error: null, interrupts: [{ id: 'q', value: 1 }] }, '1600-4');
  assert.deepEqual(live.steps.map((step) => [step.name, step.status, step.tries, (step.to ?? 0) - step.from]), [['one', 'done', 2, 500], ['two', 'waiting', 1, 100]]);
  apply(live, { event: 'updates', data: '{"__interrupt__":[{"id":"q","value":1,"response_schema":{"enum":["yes"]}}]}', id: '1600-5' });
  assert.deepEqual(live.questions[0]?.response_schema?.enum, ['yes']);
  apply(live, { event: 'error', data: '{"error":"Boom","message":"no"}', id: null });
  assert.equal(live.failure?.error, 'Boom');
});

test('long frames of tasks say the same without being read', () => {
  const big = 'x'.repeat(200_000);
  const [long, short] = [empty(), empty()];
  const both = (make: (filler: string) => string, id: string): void => {
    apply(long, { event: 'tasks', data: make(big), id });
    apply(short, { event: 'tasks', data: make(''), id });
  };
  both((filler) => `{"id":"a","input":{"rows":"${filler}","name":"no"},"name":"one","triggers":["branch:to:one"]}`, '10-0');
  assert.equal(long.steps[0]?.status, 'running');
  both((filler) => `{"error":null,"id":"a","interrupts":[],"name":"one","result":{"rows":"${filler}"}}`, '20-0');
  assert.deepEqual(long, short);
  assert.deepEqual(long.steps.map((step) => [step.name, step.status]), [['one', 'done']]);
});

test('a frame that is no JSON changes nothing', () => {
  const live = empty();
  apply(live, { event: 'values', data: '<html>', id: null });
  assert.deepEqual(live, empty());
});
