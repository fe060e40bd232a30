import { ask } from './http';
import type { Checkpoint, Thread, ThreadState, Values } from './types';

const LISTED = ['thread_id', 'metadata', 'status', 'created_at', 'updated_at', 'excerpt'];

/** With these notes, or with these words said in them. */
export function searchThreads(offset: number, limit: number, wanted: { metadata?: Values; text?: string } = {}): Promise<Thread[]> {
  const body = { offset, limit, sort_by: 'updated_at', sort_order: 'desc', select: LISTED, ...wanted };
  return ask('/threads/search', { body });
}

export const getThread = (id: string): Promise<Thread> => ask(`/threads/${id}`);

export const makeThread = (metadata: Values): Promise<Thread> => ask('/threads', { body: { metadata } });

export const changeThread = (id: string, metadata: Values): Promise<Thread> =>
  ask(`/threads/${id}`, { method: 'PATCH', body: { metadata } });

export const deleteThread = (id: string): Promise<void> => ask(`/threads/${id}`, { method: 'DELETE' });

export interface HistoryQuery {
  limit?: number;
  before?: Checkpoint;
  metadata?: Values;
}

export const history = (id: string, query: HistoryQuery): Promise<ThreadState[]> =>
  ask(`/threads/${id}/history`, { body: query });

/** The state in which a run left its thread. */
export async function stateAfter(thread: string, run: string): Promise<ThreadState | null> {
  const [newest] = await history(thread, { limit: 1, metadata: { run_id: run } });
  return newest ?? null;
}

export const stateAt = (thread: string, checkpoint: string): Promise<ThreadState> =>
  ask(`/threads/${thread}/state/${checkpoint}`);

export interface Changed {
  checkpoint: Checkpoint;
}

export const changeState = (
  thread: string,
  change: { values: Values | null; as_node?: string; checkpoint?: Checkpoint },
): Promise<Changed> => ask(`/threads/${thread}/state`, { body: change });
