import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colour, dashes, picture, ticks } from '../../src/analyst/chart';
import { labelIn, labelPlaces } from '../../src/analyst/chart-axis';
import { closer, wider, zoomTo } from '../../src/analyst/chart-zoom';
import { toCsv, toTsv } from '../../src/analyst/export';
import { absolute, faultOf, local, rangeText, relative, withOffset } from '../../src/analyst/range';
import { lay, paint } from '../../src/analyst/sql';
import { order } from '../../src/analyst/table';
import { zoneLabel } from '../../src/parts/zone';
import { texts } from '../../src/text';

test('no cell of a file is run by a spreadsheet', () => {
  const rows = ['=cmd|x', '+1+1', '-2', '@SUM(A1)', '\t=1', ' =1', 'a,"b"\nc', '안녕'].map((cell) => ({ cell, n: -3 }));
  const lines = toCsv(['cell', 'n'], rows).split('\r\n');
  assert.equal(lines[0], '\ufeffcell,n');
  assert.deepEqual(lines.slice(1, 7), ["'=cmd|x,-3", "'+1+1,-3", "'-2,-3", "'@SUM(A1),-3", "'\t=1,-3", "' =1,-3"]);
  assert.equal(toCsv(['cell'], [{ cell: 'a,"b"\nc' }]).trimEnd(), '\ufeffcell\r\n"a,""b""\nc"');
  assert.match(toTsv(['cell'], [{ cell: '=1\t2\n3' }]), /^cell\n'=1 2 3$/);
});

test('rows are sorted by number, by severity and by text, what is missing last', () => {
  const by = (name: string, values: unknown[], down: boolean): unknown[] => order(values.map((value) => ({ [name]: value })), [name], { name, down }, '').map((row) => row[name]);
  assert.deepEqual(by('n', [2, null, 10, 1], false), [1, 2, 10, null]);
  assert.deepEqual(by('n', [2, null, 10, 1], true), [10, 2, 1, null]);
  assert.deepEqual(by('level', ['ERROR', 'DEBUG', 'FATAL'], false), ['DEBUG', 'ERROR', 'FATAL']);
  assert.deepEqual(order([{ a: 'Pay' }, { a: 'cart' }], ['a'], null, 'PAY'), [{ a: 'Pay' }]);
});

test('a query keeps every character when it is painted, and gets a line for each clause', () => {
  const sql = "SELECT service, COUNT(*) FROM logs WHERE message = 'a from b' AND x BETWEEN 1 AND 2 ORDER BY 2 -- done";
  assert.equal(paint(sql).map((part) => part.text).join(''), sql);
  assert.ok(paint(sql).some((part) => part.kind === 'string' && part.text === "'a from b'"));
  assert.deepEqual(lay(sql).split('\n').map((line) => line.trim().split(' ')[0]), ['SELECT', 'FROM', 'WHERE', 'AND', 'ORDER']);
  assert.equal(lay(sql).replace(/\s+/g, ' '), sql);
  assert.equal(lay('select 1 from (select 2 from logs where a and b) t').split('\n').length, 2);
});

test('rows become series in the order of time', () => {
  const rows = [
    { hour: '2026-01-01T01:00:00+09:00', level: 'ERROR', n: 4 },
    { hour: '2026-01-01T00:00:00+09:00', level: 'ERROR', n: 3 },
    { hour: '2026-01-01T00:00:00+09:00', level: 'WARN', n: 9 },
  ];
  const shown = picture({ kind: 'line', x: 'hour', y: ['n'], series: 'level' }, rows);
  assert.deepEqual(shown.series, [{ name: 'WARN', values: [9, null] }, { name: 'ERROR', values: [3, 4] }]);
  assert.equal(shown.high, 9);
  assert.deepEqual(ticks(0, 22, 4), [0, 10, 20, 30]);
});

test('a bucket without a line is a zero, and an average of nothing is not', () => {
  const rows = [{ hour: '2026-01-01T00:00:00+09:00', count: 3 }, { hour: '2026-01-01T02:00:00+09:00', count: 5 }];
  const empty = ['2026-01-01T01:00:00+09:00', '2026-01-01T03:00:00+09:00'];
  const shown = picture({ kind: 'line', x: 'hour', y: ['count'], zero: true, empty }, rows);
  assert.deepEqual(shown.series[0]?.values, [3, 0, 5, 0]);
  assert.deepEqual(picture({ kind: 'line', x: 'hour', y: ['count'] }, rows).series[0]?.values, [3, 5]);
  const two = [...rows.map((row) => ({ ...row, level: 'ERROR' })), { hour: '2026-01-01T00:00:00+09:00', count: 9, level: 'WARN' }];
  assert.deepEqual(picture({ kind: 'line', x: 'hour', y: ['count'], series: 'level', zero: true }, two).series.map((one) => one.values), [[9, 0], [3, 5]]);
});

test('the smaller series are left out until they are wanted', () => {
  const rows = Array.from({ length: 9 }, (_, n) => ({ day: '2026-01-01', service: `s${n}`, count: n }));
  const spec = { kind: 'line', x: 'day', y: ['count'], series: 'service' } as const;
  const few = picture({ ...spec, y: ['count'] }, rows);
  assert.deepEqual([few.series.length, few.left, few.series[0]?.name], [6, 3, 's8']);
  const all = picture({ ...spec, y: ['count'] }, rows, Infinity);
  assert.deepEqual([all.series.length, all.left], [9, 0]);
  assert.equal(new Set(all.series.map((_, n) => `${colour(n)} ${dashes(n) ?? ''}`)).size, 9, 'each looks otherwise');
});

test('a range is checked, and written so that the analyst understands it', () => {
  const now = new Date('2026-03-01T00:00:00Z');
  const fault = (from: string, to: string) => faultOf(from, to, 'Asia/Seoul', now);
  assert.equal(fault('2026-01-02T00:00', '2026-01-01T00:00'), 'backwards');
  assert.equal(fault('2026-01-02T00:00', '2026-04-01T00:00'), 'future');
  assert.equal(fault('2024-01-02T00:00', '2026-01-01T00:00'), 'tooLong');
  assert.equal(fault('2026-01-02T00:00', ''), 'backwards');
  assert.equal(fault('2026-01-02T00:00', '2026-01-03T00:00'), null);
  assert.equal(rangeText(relative(6, 'h'), texts.ko), '최근 6시간');
  const range = absolute('2026-01-02T03:00', '2026-01-02T05:30', 'Asia/Seoul');
  assert.equal(rangeText(range, texts.en), '2026-01-02 03:00 ~ 2026-01-02 05:30');
  assert.deepEqual(range.type === 'absolute' && range.absolute, { start: '2026-01-02T03:00:00+09:00', end: '2026-01-02T05:30:00+09:00' });
});

test('moments are read by the clocks of the zone, also on the days when these change', () => {
  assert.equal(withOffset('2026-01-02T03:00', 'UTC'), '2026-01-02T03:00:00+00:00');
  assert.equal(withOffset('2026-03-29T00:30', 'Europe/Berlin'), '2026-03-29T00:30:00+01:00');
  assert.equal(withOffset('2026-03-29T03:30', 'Europe/Berlin'), '2026-03-29T03:30:00+02:00');
  assert.equal(local(new Date('2026-01-02T16:00:00Z'), 'Asia/Seoul'), '2026-01-03T01:00');
  assert.deepEqual(['Asia/Seoul', 'UTC', 'Asia/Kolkata', 'America/St_Johns'].map((zone) => zoneLabel(zone, Date.parse('2026-01-02T00:00:00Z'))), ['KST (UTC+9)', 'UTC', 'Asia/Kolkata (UTC+5:30)', 'America/St_Johns (UTC-3:30)']);
});

test('a chart is zoomed from value to value, and all of it is no zoom', () => {
  assert.deepEqual(zoomTo([1, 3], 5), [1, 3]);
  assert.equal(zoomTo([0, 4], 5), null);
  assert.deepEqual(closer([0, 40], 41), [10, 30]);
  assert.deepEqual(closer([0, 40], 41, 39), [20, 40], 'at an end there is as much to see');
  assert.deepEqual(closer([10, 20], 41, 39), [13, 18], 'what is not in sight is no middle');
  assert.deepEqual(closer([3, 4], 41), [3, 4], 'and no closer than two values');
  assert.deepEqual(wider([10, 20], 41), [5, 25]);
  assert.equal(wider([5, 30], 41), null);
});

test('labels of an axis stand at values, at round hours of the data’s own zone, and never on each other', () => {
  const rows = Array.from({ length: 48 }, (_, n) => ({ hour: `2026-01-0${1 + Math.floor(n / 24)}T${String(n % 24).padStart(2, '0')}:00:00+05:30`, count: n }));
  const shown = picture({ kind: 'line', x: 'hour', y: ['count'] }, rows);
  assert.deepEqual(labelPlaces(shown, [0, 47], (at) => at * 15), [0, 6, 12, 18, 24, 30, 36, 42]);
  assert.deepEqual(labelPlaces(shown, [5, 11], (at) => at * 100), [5, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual([labelIn(shown, [0, 47], 6), labelIn(shown, [5, 11], 6)], ['01/01 06:00', '06:00']);
  // Mondays are at no round number of days.
  const weeks = picture({ kind: 'line', x: 'week', y: ['count'] }, ['2026-01-05', '2026-01-12', '2026-01-19', '2026-01-26'].map((week) => ({ week, count: 1 })));
  assert.deepEqual(labelPlaces(weeks, [0, 3], (at) => at * 50), [0, 2]);
  const names = picture({ kind: 'line', x: 'name', y: ['count'] }, ['a', 'b', 'c'].map((name) => ({ name, count: 1 })));
  assert.deepEqual(labelPlaces(names, [0, 2], (at) => at * 300), [0, 1, 2]);
});

test('more values than a call takes arguments are drawn', () => {
  const rows = Array.from({ length: 1000 }, (_, n) => ({ day: new Date(n * 86_400_000).toISOString(), service: `s${n % 500}`, count: n - 5 }));
  const shown = picture({ kind: 'line', x: 'day', y: ['count'], series: 'service', zero: true }, rows, Infinity);
  assert.deepEqual([shown.series.length, shown.low, shown.high], [500, -5, 994]);
});
