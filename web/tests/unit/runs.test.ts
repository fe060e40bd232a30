import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotTakenIn, refusalOf } from '../../src/api/documents';
import type { GraphShape } from '../../src/api/types';
import { ownLanguage } from '../../src/parts/format';
import { layOut } from '../../src/runs/layout';

/** Graphs of many forms, the same every time. */
function* shapes(): Generator<GraphShape> {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let n = 0; n < 300; n += 1) {
    const count = 2 + random(12);
    const nodes = Array.from({ length: count }, (_, at) => ({ id: `${'node'.repeat(1 + random(4))}${at}` }));
    const edges = Array.from({ length: count + random(count) }, () => ({ source: nodes[random(count)]?.id ?? '', target: nodes[random(count)]?.id ?? '' }));
    yield { nodes, edges };
  }
}

test('every edge and node of a graph lies inside its picture', () => {
  for (const shape of shapes()) {
    const drawn = layOut(shape, (id) => id);
    for (const { x, y, width } of drawn.nodes) {
      assert.ok(x - width / 2 >= 0 && x + width / 2 <= drawn.width && y - 17 >= 0 && y + 17 <= drawn.height, JSON.stringify(shape));
    }
    for (const { path } of drawn.edges) {
      assert.match(path, /^M[-\d. ]+(C[-\d. ]+)+$/, 'plain numbers alone');
      const numbers = path.match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
      assert.equal(numbers.length % 2, 0, path);
      numbers.forEach((number, at) => assert.ok(number >= 0 && number <= (at % 2 === 0 ? drawn.width : drawn.height), `${path} in ${drawn.width} × ${drawn.height}`));
    }
  }
});

test('a file that is not taken in says why', () => {
  const unread = refusalOf(422, JSON.stringify({ added: 0, skipped: [{ path: 'x.pdf', code: 'encrypted', reason: 'the file is encrypted' }] }));
  assert.ok(unread instanceof NotTakenIn && unread.reason === 'encrypted');
  assert.deepEqual([refusalOf(413, '{"detail":"파일이 너무 큽니다. / The files are too large."}').detail, refusalOf(500, 'oops').detail], ['파일이 너무 큽니다. / The files are too large.', 'oops']);
  assert.equal(ownLanguage('파일이 너무 큽니다. / The files are too large.', 'ko'), '파일이 너무 큽니다.');
  assert.equal(ownLanguage('파일이 너무 큽니다. / The files are too large.', 'en'), 'The files are too large.');
  assert.equal(ownLanguage('a/b', 'en'), 'a/b');
});
