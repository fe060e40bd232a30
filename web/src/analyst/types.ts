/** What the analyst's state says, as far as it is shown. Anything may be missing while it works. */
export interface Analysis {
  generated_sql: string | null;
  executed_sql: string | null;
  given_sql: string | null;
  explanation: string;
  validation_error: string | null;
  soft_delete_added: boolean;
  execution_time_ms: number;
  timezone: string;
  formatted_results: Formatted | null;
  query_results: { columns: Column[] } | null;
  chart: ChartSpec | null;
  insight: string | null;
  suggestions: string[];
  problem: { code: string; message: string } | null;
}

export interface Column {
  name: string;
  kind: unknown;
}

export type Row = Record<string, unknown>;

export interface Formatted {
  count: number;
  count_is_lower_bound?: boolean;
  displayed: number;
  truncated: boolean;
  data: Row[];
}

export type ChartKind = 'line' | 'bar';

export interface ChartSpec {
  kind: ChartKind;
  x: string;
  y: string[];
  series?: string;
  /** What has no row is zero: numbers of lines are drawn. */
  zero?: boolean;
  /** The moments of buckets that have no row at all. */
  empty?: string[];
}

export interface Clarification {
  question: string;
  clarifications: Ask[];
}

export interface Ask {
  field: string;
  kind: string;
  question: string;
  options: string[];
  required: boolean;
  allow_custom: boolean;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

export function asClarification(value: unknown): Clarification | null {
  return isObject(value) && value['type'] === 'clarification_needed' && Array.isArray(value['clarifications'])
    ? (value as unknown as Clarification)
    : null;
}

/** The columns in the order of the query; objects alone do not keep it. */
export function columnsOf(analysis: Partial<Analysis>): string[] {
  const named = analysis.query_results?.columns.map((column) => column.name);
  return named ?? Object.keys(analysis.formatted_results?.data[0] ?? {});
}
