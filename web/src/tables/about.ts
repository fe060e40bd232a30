import type { About, ListedTable } from '../api/tables';
import { matches } from '../state/find';
import type { Text } from '../text';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a run was asked about, if that was chosen. */
export function aboutOf(input: unknown): About | null {
  const about = isObject(input) ? input['about'] : null;
  if (!isObject(about)) return null;
  const tables = Array.isArray(about['tables']) ? about['tables'].filter((one): one is string => typeof one === 'string') : [];
  const source = typeof about['source'] === 'string' ? about['source'] : null;
  return made(source, tables, source !== null);
}

/** Some tables of a source, or all of it; none: whatever fits. */
export function made(source: string | null, tables: string[], whole = false): About | null {
  if (tables.length === 0 && !(whole && source !== null)) return null;
  return { ...(source === null ? {} : { source }), ...(tables.length === 0 ? {} : { tables }) };
}

export function aboutText(about: About, text: Text): string {
  const [first, ...more] = about.tables ?? [];
  if (first === undefined) return about.source ?? text.tables.auto;
  return more.length === 0 ? first : text.tables.chosen(more.length + 1);
}

/** Adds a table to what is asked, or takes it away. Tables of two sources are never asked together. */
export function toggled(about: About | null, source: string | null, table: string): About | null {
  const before = (about?.source ?? null) === source ? (about?.tables ?? []) : [];
  return made(source, before.includes(table) ? before.filter((one) => one !== table) : [...before, table]);
}

/** Words as they are typed: with commas between them, each once. */
export function synonymsIn(typed: string): string[] {
  const words = typed.split(/[,，、\n]/).map((one) => one.trim().replace(/\s+/g, ' '));
  return words.filter((one, at) => one !== '' && words.findIndex((other) => other.toLowerCase() === one.toLowerCase()) === at);
}

/** Whether a table, or one of its columns, has all words of a search. */
export function finds(table: ListedTable, search: string): boolean {
  if (search.trim() === '') return true;
  const words = [table.name, table.description ?? '', ...table.synonyms, ...table.columns.flatMap((one) => [one.name, ...one.synonyms])];
  return matches(words.join(' '), search);
}
