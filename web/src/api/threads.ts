import { Problem, ask } from './http';
import type { Checkpoint, Thread, ThreadState, Values } from './types';

const LISTED = ['thread_id', 'metadata', 'status', 'created_at', 'updated_at', 'title', 'excerpt'];

/** With these notes, or with these words said in them. */
export function searchThreads(offset: number, limit: number, wanted: { metadata?: Values; text?: string; ids?: string[] } = {}): Promise<Thread[]> {
  const body = { offset, limit, sort_by: 'updated_at', sort_order: 'desc', select: LISTED, ...wanted };
  return ask('/threads/search', { body });
}

/** A thread without its values, which are long where the conversation is. */
export async function getThread(id: string): Promise<Thread> {
  const [found] = await searchThreads(0, 1, { ids: [id] });
  if (!found) throw new Problem('not_found');
  return found;
}

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

export const stateAt = (thread: string, checkpoint: string): Promise<ThreadState> =>
  ask(`/threads/${thread}/state/${checkpoint}`);

export interface Changed {
  checkpoint: Checkpoint;
}

export const changeState = (
  thread: string,
  change: { values: Values | null; as_node?: string; checkpoint?: Checkpoint },
): Promise<Changed> => ask(`/threads/${thread}/state`, { body: change });
