import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../../src/api/http';
import { Blocks, citations } from '../../src/parts/markdown';
import { legible } from '../../src/parts/format';
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

/** Every text, those with gaps filled in by words of either ending, in Korean and Latin, and by numbers. */
function spoken(value: unknown, gaps: unknown[]): string[] {
  if (typeof value === 'function') return gaps.flatMap((gap) => spoken((value as (...words: unknown[]) => unknown)(gap, gap, gap, gap), gaps));
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => spoken(one, gaps)) : [];
}

test('no particle is left open, and no English number has the wrong noun', () => {
  const korean = spoken(texts.ko, ['강', '나무', 'SQL', 3]);
  assert.ok(korean.length > 300, `${korean.length} texts`);
  // What comes with a gap is worded so that the gap's last sound makes no difference.
  for (const one of korean) assert.doesNotMatch(one, /\([은는이가을를와과으]\)|강[는가를와]|나무[은이을과](?![가-힣])|SQL[는가를와](?![가-힣])/, one);
  // Some take numbers as such, others as texts; none is wrong for the one that it takes.
  const { composer: _names, ...numbered } = texts.en;
  const wrong = (one: string | undefined): boolean => /(?<!of )\b1 (steps|items|passages|changes|rows|others)\b/.test(one ?? '');
  const written = spoken(numbered, ['1']);
  for (const [at, one] of spoken(numbered, [1]).entries()) assert.ok(!(wrong(one) && wrong(written[at])), one);
});

test('every status has a text of what happened and of what to do, and no two say the same', () => {
  // All that the server and what stands before it answer with.
  const codes = [400, 401, 403, 404, 405, 408, 409, 411, 413, 415, 422, 429, 500, 502, 503, 504].map(codeOf);
  for (const lang of [texts.ko, texts.en]) {
    for (const code of codes) assert.ok(lang.problems[code].what && lang.problems[code].todo, code);
    const said = Object.values(lang.problems).map((one) => one.what);
    assert.equal(new Set(said).size, said.length);
  }
  assert.equal(new Set(codes).size, 11);
});

test('a text that grows is read like one that is there at once, and leaves its earlier blocks as they were', () => {
  const texts = [
    '# 제목\n\n첫 문단입니다.\n\n- 하나\n- 둘\n\n```sql\nselect 1\n\nfrom logs\n```\n\n끝',
    'a\n===\nb\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> 인용\n이어서\n\n1. one\n\n   more\n\n2. two\n\nend',
    'line\r\n\r\n    code\r\n\r\n\tcode\r\n\r\n<div>\r\n\r\n[x]: http://a.b\r\n\r\n* * *\r\n\r\n- a\n  - b\n\n    c\n\n***\n# h #\ntext\n```\nopen',
  ];
  for (const text of texts) {
    const growing = new Blocks();
    for (let end = 1; end <= text.length; end += 1) {
      assert.deepEqual(growing.of(text.slice(0, end)), new Blocks().of(text.slice(0, end)), JSON.stringify(text.slice(0, end)));
    }
    // Another text altogether.
    assert.deepEqual(growing.of('다른 글'), ['다른 글']);
  }
  assert.equal(new Blocks().of(texts[0] ?? '').length, 5);
});

test('citations are told apart from other brackets', () => {
  assert.deepEqual(citations('말 [1][2] [a] [1234]'), ['말 ', 1, 2, ' [a] [1234]']);
});

test('moments in a text are written for people', () => {
  assert.equal(legible('가장 높은 때는 2026-11-15T00:00:00+09:00(54), 가장 낮은 때는 2026-11-16T00:00:00+09:00(4)'), '가장 높은 때는 2026-11-15(54), 가장 낮은 때는 2026-11-16(4)');
  assert.equal(legible('from 2026-11-15T00:00:00Z to 2026-11-15T13:30:00.5Z'), 'from 2026-11-15 00:00 to 2026-11-15 13:30');
  assert.equal(legible('no time at all'), 'no time at all');
});
