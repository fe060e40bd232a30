import type { Row } from './types';

export interface Sorting {
  name: string;
  down: boolean;
}

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  // What is missing comes last, whichever way it is sorted.
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [LEVELS.indexOf(String(a)), LEVELS.indexOf(String(b))];
  if (left >= 0 && right >= 0) return left - right;
  const [one, other] = [typeof a === 'object' ? JSON.stringify(a) : String(a), typeof b === 'object' ? JSON.stringify(b) : String(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The rows that have the words, in the order that is asked for. */
export function order(rows: Row[], columns: string[], sorting: Sorting | null, filter: string): Row[] {
  const words = filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const has = (row: Row): boolean => {
    const all = columns.map((name) => (typeof row[name] === 'object' ? JSON.stringify(row[name]) : String(row[name]))).join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const kept = words.length > 0 ? rows.filter(has) : rows;
  if (!sorting) return kept;
  const { name, down } = sorting;
  return [...kept].sort((a, b) => {
    const [left, right] = [a[name], b[name]];
    const missing = left === null || left === undefined || right === null || right === undefined;
    return down && !missing ? compare(right, left) : compare(left, right);
  });
}

/** How wide a text is, in characters; Hangul counts double. */
function width(text: string): number {
  let sum = 0;
  for (const one of text.slice(0, 80)) sum += (one.codePointAt(0) ?? 0) > 0x10ff ? 1.8 : 1;
  return sum;
}

/** How wide columns are, by their names and first rows, in pixels. */
export function widths(columns: string[], rows: Row[]): number[] {
  const sample = rows.slice(0, 100);
  return columns.map((name) => {
    const value = (row: Row): string => (typeof row[name] === 'object' && row[name] !== null ? JSON.stringify(row[name]) : String(row[name] ?? ''));
    const longest = sample.reduce((most, row) => Math.max(most, width(value(row).replace(/\.\d+(?=[+-Z]|$)/, ''))), width(name) + 2);
    return Math.round(Math.min(420, Math.max(72, longest * 7.3 + 26)));
  });
}
