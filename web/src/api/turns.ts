import { ask } from './http';
import type { TurnsPage } from './types';

/** Which turns of a thread: the newest, those of a branch, those up to a turn, or those before it. */
export interface TurnsQuery {
  limit?: number;
  branch?: string;
  at?: string;
  before?: string;
}

/** A page of a conversation with all that it shows, in one request. */
export function getTurns(thread: string, query: TurnsQuery = {}): Promise<TurnsPage> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return ask(`/threads/${thread}/turns?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
}
