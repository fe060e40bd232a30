import { ask } from '../api/http';

export type Verdict = 'good' | 'bad';

/** What somebody thinks of an answer, with all that is needed to ask the same again. */
export interface Feedback {
  run_id: string;
  thread_id: string;
  agent: string;
  question: string;
  answer: string;
  verdict: Verdict;
  reason: string;
  at: string;
}

const SPACE = ['page', 'feedback'];

export const leave = (said: Feedback): Promise<unknown> => ask('/store/items', { method: 'PUT', body: { namespace: SPACE, key: said.run_id, value: said } });

export const takeBack = (run: string): Promise<unknown> => ask('/store/items', { method: 'DELETE', body: { namespace: SPACE, key: run } });

/** What was said of the answers of a thread, in one request. */
export async function saidOf(thread: string): Promise<Feedback[]> {
  const body = { namespace_prefix: SPACE, filter: { thread_id: thread }, limit: 1000 };
  const found = await ask<{ items: { value: Feedback }[] }>('/store/items/search', { body }).catch(() => ({ items: [] }));
  return found.items.map((item) => item.value);
}
