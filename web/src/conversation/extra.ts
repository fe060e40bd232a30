import type { About } from '../api/tables';

/** What a question may carry besides its words. */
export interface Extra {
  time_range_structured?: TimeRange;
  max_results?: number;
  timezone?: string;
  interactive?: boolean;
  about?: About;
}

export type Unit = 'h' | 'd' | 'w' | 'm';

export type TimeRange =
  | { type: 'relative'; relative: { value: number; unit: Unit } }
  | { type: 'absolute'; absolute: { start: string; end: string } };
