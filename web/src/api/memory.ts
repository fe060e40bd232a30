import { ask } from './http';
import type { Values } from './types';

export interface Remembered {
  namespace: string[];
  key: string;
  value: Values;
  updated_at: string;
}

/** Where the advisor keeps what it remembers, a folder for each person. */
const SPACE = ['advisor', 'memory'];

export async function listMemory(query: string): Promise<Remembered[]> {
  const body = { namespace_prefix: SPACE, limit: 200, ...(query.trim() ? { query: query.trim() } : {}) };
  return (await ask<{ items: Remembered[] }>('/store/items/search', { body })).items;
}

export const forget = (one: Remembered): Promise<void> =>
  ask('/store/items', { method: 'DELETE', body: { namespace: one.namespace, key: one.key } });

export type Tier = 'short' | 'mid' | 'long';

export function tierOf(value: Values): Tier {
  return value['form'] === 'fact' ? 'long' : value['form'] === 'summary' ? 'mid' : 'short';
}

/** What is remembered, in words. */
export function wordsOf(value: Values): string {
  if (typeof value['asked'] === 'string') return `${value['asked']} → ${String(value['answered'] ?? '')}`;
  if (typeof value['text'] === 'string') return value['text'];
  const fact = value['value'];
  if (Array.isArray(fact)) return fact.map(String).filter(Boolean).join(' · ');
  return JSON.stringify(value);
}
