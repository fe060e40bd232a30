import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asConfirmation, planOf } from '../../src/advisor/frames';
import { asReview, decide } from '../../src/conversation/approval';
import { citedIn, claimsOf, overlap, piecesOf } from '../../src/researcher/claims';
import { changes } from '../../src/runs/diff';
import { layOut } from '../../src/runs/layout';
import { taken } from '../../src/runs/path';
import type { Step } from '../../src/state/live';

test('frames of the advisor become a plan with its tools', () => {
  const frames = [
    { type: 'planning_start', query: '전세금 인상 가능한가요?' },
    { type: 'intent_analyzed', intent: 'legal_consult', confidence: 0.9, entities: {} },
    { type: 'plan_ready', steps: [{ id: 's1', team: 'search', task: 'find', description: '법령 찾기', status: 'pending' }, { id: 's2', team: 'analysis', task: 'look', status: 'pending' }], strategy: 'sequential', estimated_seconds: 8 },
    { type: 'todo_updated', step_id: 's1', status: 'in_progress', progress: 0 },
    { type: 'tool_start', tool: 'legal_search', parameters: {} },
    { type: 'tool_complete', tool: 'legal_search', parameters: {}, count: 2, quality: 0.4, seconds: 1, reused: false },
    { type: 'tool_start', tool: 'legal_search', parameters: {} },
    { type: 'tool_complete', tool: 'legal_search', parameters: {}, count: 7, quality: 0.9, seconds: 1, reused: false },
    { type: 'tool_skipped', tool: 'market_data', reason: 'not needed' },
    { type: 'team_complete', team: 'search', status: 'completed', quality: 0.9, seconds: 2 },
    { type: 'todo_updated', step_id: 's1', status: 'completed', progress: 100 },
    { type: 'orchestration_decision', step: 1, action: 'skip_remaining', reasoning: '5건 이상', confidence: 1, decided_by: 'rule' },
    { type: 'todo_updated', step_id: 's2', status: 'skipped', progress: 0 },
    { type: 'execution_review', achievement: 0.9, verdict: 'yes', missing: [] },
    { type: 'warning', code: 'tool', message: '대출 자료 실패', what_to_do: '다시 물어보세요' },
    { type: 'something_new' },
  ];
  const plan = planOf(frames);
  assert.equal(plan.intent, 'legal_consult');
  assert.deepEqual(plan.steps.map((step) => [step.task, step.status]), [['법령 찾기', 'completed'], ['look', 'skipped']]);
  const [legal, market] = plan.steps[0]?.tools ?? [];
  assert.deepEqual([legal?.count, legal?.runs, legal?.status, market?.status, market?.reason], [7, 2, 'done', 'skipped', 'not needed']);
  assert.equal(plan.steps[0]?.quality, 0.9);
  assert.equal(plan.decisions[0]?.by, 'rule');
  assert.equal(plan.warnings.length, 1);
});

test('a confirmation is known by its type and options', () => {
  assert.equal(asConfirmation({ type: 'user_confirmation_required', message: '?', options: [] })?.message, '?');
  assert.equal(asConfirmation({ type: 'clarification_needed' }), null);
});

test('every sentence has its sources and what the check said', () => {
  const answer = '차임은 5퍼센트를 넘지 못한다 [1]. 계약은 2년이다. [2]\n\n※ 근거가 적습니다.\n보증금은 돌려받는다 [1] (확인되지 않음).';
  const claims = claimsOf(answer, [{ claim: '보증금은 돌려받는다', fault: 'terms' }]);
  assert.deepEqual(claims.map((claim) => [claim.cites, claim.fault]), [[[1], null], [[2], null], [[1], 'terms']]);
});

test('what is cited is marked in its passage, and nothing is shown twice', () => {
  const source = (number: number, offset: number, length: number) => ({ number, document: 'a', offset, length, excerpt: '' });
  const claims = [{ sources: [source(1, 6, 3), source(2, 0, 1)] }, { sources: [source(1, 0, 2), source(1, 6, 3)] }, {}];
  const spans = citedIn(claims, 1);
  assert.deepEqual(spans.map((span) => span.offset), [0, 6]);
  // A character may be two halves.
  assert.deepEqual(piecesOf('😀나 다라 마바사 끝', spans), [{ text: '😀나', cited: true }, { text: ' 다라 ', cited: false }, { text: '마바사', cited: true }, { text: ' 끝', cited: false }]);
  assert.deepEqual(piecesOf('짧은', [{ offset: 9, length: 3 }]), [{ text: '짧은', cited: false }]);
  const tail = '계약이 끝난 뒤 이레 안에 돌려주어야 한다고 적혀 있다.';
  assert.equal(overlap(`앞의 글. ${tail}`, `${tail} 뒤의 글`), tail.length);
  assert.equal(overlap('앞', '뒤'), 0);
});

test('an action is approved, changed or refused, each with its decision', () => {
  const review = asReview({ action_requests: [{ name: 'pay', args: { won: 100 } }, { name: 'mail' }] });
  assert.ok(review);
  assert.deepEqual(review.allowed, ['approve', 'edit', 'reject']);
  assert.equal(asReview({ action_requests: ['x'] }), null);
  assert.deepEqual(decide(review, 'edit', [{ won: 50 }, null], ''), {
    decisions: [{ type: 'edit', edited_action: { name: 'pay', args: { won: 50 } } }, { type: 'edit', edited_action: { name: 'mail', args: {} } }],
  });
  assert.deepEqual(decide(review, 'reject', [], ' no '), { decisions: [{ type: 'reject', message: 'no' }, { type: 'reject', message: 'no' }] });
  const some = asReview({ action_requests: [{ name: 'pay' }], review_configs: [{ action_name: 'pay', allowed_decisions: ['reject', 'respond'] }] });
  assert.deepEqual(some?.allowed, ['reject', 'respond']);
  // As the Agent Inbox asks it.
  const inbox = asReview([{ action_request: { action: 'pay', args: { won: 1 } }, config: { allow_accept: true, allow_edit: true, allow_respond: true, allow_ignore: false }, description: 'd' }]);
  assert.ok(inbox);
  assert.deepEqual([inbox.allowed, inbox.actions], [['approve', 'edit', 'respond'], [{ name: 'pay', args: { won: 1 }, description: 'd' }]]);
  assert.deepEqual(decide(inbox, 'approve', [], ''), [{ type: 'accept', args: null }]);
  assert.deepEqual(decide(inbox, 'edit', [{ won: 2 }], ''), [{ type: 'edit', args: { action: 'pay', args: { won: 2 } } }]);
  assert.deepEqual(decide(inbox, 'respond', [], ' later '), [{ type: 'response', args: 'later' }]);
});

test('lists that grew show only what came to them', () => {
  assert.deepEqual(changes({ a: [1], b: { c: 1 }, d: null }, { a: [1, 2], b: { c: 2 }, d: null, e: 0 }), [
    { path: 'a', kind: 'appended', after: [2] },
    { path: 'b.c', kind: 'changed', before: 1, after: 2 },
    { path: 'e', kind: 'added', after: 0 },
  ]);
});

const shape = {
  nodes: ['__start__', 'a', 'b', 'c', '__end__'].map((id) => ({ id })),
  edges: [
    { source: '__start__', target: 'a' },
    { source: 'a', target: 'b' },
    { source: 'a', target: 'c' },
    { source: 'b', target: 'a', conditional: true },
    { source: 'b', target: '__end__' },
    { source: 'c', target: '__end__' },
  ],
};

test('a graph with a loop is laid out from top to bottom, without overlaps', () => {
  const { nodes, edges, width } = layOut(shape, (id) => id);
  const y = (id: string): number => nodes.find((node) => node.id === id)?.y ?? NaN;
  assert.ok(y('__start__') < y('a') && y('a') < y('b') && y('b') === y('c') && y('c') < y('__end__'));
  const [b, c] = ['b', 'c'].map((id) => nodes.find((node) => node.id === id));
  assert.ok(b && c && Math.abs(b.x - c.x) >= (b.width + c.width) / 2);
  assert.ok(nodes.every((node) => node.x - node.width / 2 >= 0 && node.x + node.width / 2 <= width));
  assert.equal(edges.length, shape.edges.length);
});

test('the path of a run is what its steps say', () => {
  const step = (id: string, name: string, from: number, to: number): Step => ({ id, name, within: '', status: 'done', tries: 1, from, to, error: null });
  const steps = [step('1', 'a', 0, 10), step('2', 'b', 10, 30), step('3', 'a', 30, 40), step('4', 'c', 40, 50)];
  assert.deepEqual([...taken(shape, steps, true)].sort(), ['__start__>a', 'a>b', 'a>c', 'b>a', 'c>__end__']);
});
