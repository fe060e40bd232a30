import { ask } from '../api/http';

export interface SavedQuestion {
  key: string;
  agent: string;
  text: string;
}

const SPACE = ['page', 'saved_questions'];

/** Questions that the person wants to ask again, kept by the server. */
class Saved {
  all = $state.raw<SavedQuestion[]>([]);

  async load(): Promise<void> {
    const body = { namespace_prefix: SPACE, limit: 100 };
    const found = await ask<{ items: { key: string; value: { agent?: string; text?: string } }[] }>('/store/items/search', { body }).catch(
      () => ({ items: [] }),
    );
    this.all = found.items.map(({ key, value }) => ({ key, agent: value.agent ?? '', text: value.text ?? '' }));
  }

  async add(agent: string, text: string): Promise<void> {
    const key = crypto.randomUUID();
    await ask('/store/items', { method: 'PUT', body: { namespace: SPACE, key, value: { agent, text } } });
    this.all = [...this.all, { key, agent, text }];
  }

  async remove(one: SavedQuestion): Promise<void> {
    await ask('/store/items', { method: 'DELETE', body: { namespace: SPACE, key: one.key } });
    this.all = this.all.filter((other) => other.key !== one.key);
  }
}

export const saved = new Saved();
