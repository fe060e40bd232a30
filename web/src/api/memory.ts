import { ask } from './http';
import type { Lang } from '../text';

/** One thing that the advisor remembers of the person. */
export interface Remembered {
  id: string;
  tier: 'conversation' | 'short_term' | 'mid_term' | 'long_term';
  at: string;
  text: Record<Lang, string>;
  /** Of facts: what can be put right, and where it is from. */
  fact?: { kind: string; value: Record<Lang, string>; from: Record<Lang, string | null> };
}

export const listMemory = async (): Promise<Remembered[]> => (await ask<{ memories: Remembered[] }>('/memory')).memories;

export const forget = (id: string): Promise<unknown> => ask(`/memory/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const correct = (id: string, value: string): Promise<unknown> => ask(`/memory/${encodeURIComponent(id)}`, { method: 'PATCH', body: { value } });

export const forgetAll = (): Promise<unknown> => ask('/memory', { method: 'DELETE' });
