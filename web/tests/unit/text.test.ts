import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blocks, citations } from '../../src/parts/markdown';
import { nodesEn, nodesKo } from '../../src/text/nodes';
import { texts } from '../../src/text';

function keys(value: unknown, path = ''): string[] {
  if (typeof value === 'function') return [`${path}()`];
  if (typeof value === 'string') {
    assert.notEqual(value.trim(), '', path);
    return [path];
  }
  // Examples may be other ones in another language; there must be some.
  if (Array.isArray(value)) {
    assert.ok(value.length > 0, path);
    return [`${path}[]`];
  }
  return Object.entries(value as object).flatMap(([name, one]) => keys(one, path ? `${path}.${name}` : name));
}

test('both languages say everything', () => {
  assert.deepEqual(keys(texts.en).sort(), keys(texts.ko).sort());
  assert.deepEqual(Object.keys(nodesEn).sort(), Object.keys(nodesKo).sort());
});

test('Korean is in Korean, English has no Hangul', () => {
  const strings = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
  for (const one of strings(texts.en)) assert.doesNotMatch(one, /[가-힣]/, one);
  const latin = strings(texts.ko).filter((one) => !/[가-힣]/.test(one) && /[a-z]{3}/i.test(one));
  assert.deepEqual(latin.filter((one) => !['Enter', 'Shift + Enter', 'Esc', 'Alt + N', 'Ctrl/⌘ + K'].includes(one) && one !== 'SQL'), []);
});

test('a text that grows leaves its earlier blocks as they were', () => {
  const text = '# 제목\n\n첫 문단입니다.\n\n- 하나\n- 둘\n\n```sql\nselect 1\n```\n\n끝';
  const whole = blocks(text);
  assert.equal(whole.length, 5);
  assert.deepEqual(blocks(`${text} 입니다`).slice(0, 4), whole.slice(0, 4));
});

test('citations are told apart from other brackets', () => {
  assert.deepEqual(citations('말 [1][2] [a] [1234]'), ['말 ', 1, 2, ' [a] [1234]']);
});
