import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aboutOf, aboutText, finds, made, synonymsIn, toggled } from '../../src/tables/about';
import { texts } from '../../src/text';

test('what was asked about is read from a run, and nothing else', () => {
  assert.deepEqual(aboutOf({ about: { source: 'shop', tables: ['orders', 7] } }), { source: 'shop', tables: ['orders'] });
  assert.deepEqual(aboutOf({ about: { source: 'logs', tables: [] } }), { source: 'logs' });
  for (const none of [undefined, null, 'x', {}, { about: 'shop' }, { about: {} }, { about: { tables: 'orders' } }]) assert.equal(aboutOf(none), null);
});

test('tables of two sources are never asked together', () => {
  const one = toggled(null, 'shop', 'orders');
  assert.deepEqual(one, { source: 'shop', tables: ['orders'] });
  assert.deepEqual(toggled(one, 'shop', 'customers'), { source: 'shop', tables: ['orders', 'customers'] });
  assert.deepEqual(toggled(one, 'logs', 'logs'), { source: 'logs', tables: ['logs'] });
  assert.equal(toggled(one, 'shop', 'orders'), null);
  assert.deepEqual(toggled(null, null, 'orders'), { tables: ['orders'] }, 'a source without a name');
  assert.equal(made(null, [], true), null);
  assert.deepEqual([aboutText({ source: 'shop' }, texts.en), aboutText({ tables: ['a'] }, texts.en), aboutText({ tables: ['a', 'b'] }, texts.ko)], ['shop', 'a', '테이블 2개']);
});

test('synonyms are typed with commas, a table is found by its columns', () => {
  assert.deepEqual(synonymsIn(' 구매, 구매,, Order  list，order list、x\ny'), ['구매', 'Order list', 'x', 'y']);
  const table = { name: 'orders', description: 'what was bought', synonyms: ['주문'], rows: 3, columns: [{ name: 'amount', synonyms: ['금액'] }], hidden: 0 };
  for (const search of ['', 'ord', '주무', 'bought', '금애', 'orders AMOUNT']) assert.ok(finds(table, search), search);
  assert.ok(!finds(table, 'city'));
});
