import { ask } from './http';

/** What a question is about, where the person chose it. */
export interface About {
  source?: string;
  tables?: string[];
}

/** What people wrote of a table or a column. */
export interface Words {
  description: string | null;
  synonyms: string[];
}

export interface ListedTable {
  name: string;
  description: string | null;
  synonyms: string[];
  rows: number;
  columns: { name: string; synonyms: string[] }[];
  /** So many columns may not be asked. */
  hidden: number;
}

export interface TableSource {
  /** None where nobody gave it one. */
  name: string | null;
  kind: 'logs' | 'database' | 'files';
  /** Whether its words are in a file that can be changed. */
  editable: boolean;
  tables: ListedTable[];
}

export interface TableColumn extends Words {
  name: string;
  type: unknown;
  nullable: boolean;
  unit: string | null;
  values: string[];
  own: Words | null;
}

export interface WholeTable extends Words {
  source: string | null;
  name: string;
  rows: number;
  columns: TableColumn[];
  hidden: string[];
  editable: boolean;
  own: Words | null;
}

const place = (source: string | null, table: string, column?: string): string => {
  const path = `/tables/${encodeURIComponent(table)}${column === undefined ? '' : `/columns/${encodeURIComponent(column)}`}`;
  return source === null ? path : `${path}?source=${encodeURIComponent(source)}`;
};

export const listTables = (): Promise<{ sources: TableSource[]; may_edit: boolean }> => ask('/tables');

export const getTable = (source: string | null, table: string): Promise<WholeTable> => ask(place(source, table));

/** Changes what was seen; what somebody else has changed since is left alone. */
export const changeWords = (source: string | null, table: string, column: string | undefined, words: Words, was: Words): Promise<WholeTable> =>
  ask(place(source, table, column), { method: 'PATCH', body: { ...words, was } });
