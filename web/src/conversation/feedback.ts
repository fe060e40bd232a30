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

/** What was said of a run before, if anything was. */
export async function saidOf(run: string): Promise<Feedback | null> {
  const query = new URLSearchParams({ namespace: SPACE.join('.'), key: run });
  const found = await ask<{ value?: Feedback } | null>(`/store/items?${query}`).catch(() => null);
  return found?.value ?? null;
}
