import { Problem } from '../api/http';
import { changeThread, deleteThread, getThread, searchThreads } from '../api/threads';
import type { Thread } from '../api/types';
import { matches } from './find';

const PAGE = 100;

export function titleOf(thread: Thread): string {
  const title = thread.metadata['title'];
  return typeof title === 'string' ? title : '';
}

export const isPinned = (thread: Thread): boolean => thread.metadata['pinned'] === true;

/** The list of conversations, newest first. */
class Threads {
  all = $state.raw<Thread[]>([]);
  more = $state(false);
  loaded = $state(false);
  problem = $state.raw<Problem | null>(null);
  search = $state('');
  readonly found = $derived(
    this.search.trim() === '' ? this.all : this.all.filter((thread) => matches(titleOf(thread), this.search)),
  );

  async load(): Promise<void> {
    await this.#page(0);
    // Pinned ones are there however old they are.
    const pinned = await searchThreads(0, PAGE, { pinned: true }).catch(() => []);
    const known = new Set(this.all.map((thread) => thread.thread_id));
    this.all = [...this.all, ...pinned.filter((thread) => !known.has(thread.thread_id))];
  }

  async loadMore(): Promise<void> {
    await this.#page(this.all.length);
  }

  async #page(offset: number): Promise<void> {
    const before = new Set(this.all);
    try {
      const page = await searchThreads(offset, PAGE);
      const known = new Set(page.map((thread) => thread.thread_id));
      // What happened while the server was asked is newer than its answer.
      const newer = this.all.filter((thread) => !before.has(thread));
      const kept = offset === 0 ? newer : this.all;
      const fresh = new Set(newer.map((thread) => thread.thread_id));
      const older = kept.filter((thread) => fresh.has(thread.thread_id) || !known.has(thread.thread_id));
      this.all = [...older, ...page.filter((thread) => !fresh.has(thread.thread_id))];
      this.more = page.length === PAGE;
      this.problem = null;
    } catch (error) {
      this.problem = error instanceof Problem ? error : new Problem('server', String(error));
    }
    this.loaded = true;
  }

  #known(id: string): Thread | undefined {
    return this.all.find((thread) => thread.thread_id === id);
  }

  #toTop(thread: Thread): void {
    this.all = [thread, ...this.all.filter((other) => other.thread_id !== thread.thread_id)];
  }

  /** A run began in a thread, which may have been renamed or pinned since its conversation was opened. */
  began(thread: Thread): void {
    this.#toTop(this.#known(thread.thread_id) ?? thread);
  }

  /** A run ended in a thread. */
  async ended(id: string): Promise<void> {
    const before = this.#known(id);
    const thread = await getThread(id);
    const now = this.#known(id);
    if (before && !now) return;
    // What the person changed while the server was asked is newer than its answer.
    this.#toTop(now && now !== before ? { ...thread, metadata: now.metadata } : thread);
  }

  async rename(thread: Thread, title: string): Promise<void> {
    const changed = await changeThread(thread.thread_id, { title });
    this.all = this.all.map((other) => (other.thread_id === thread.thread_id ? changed : other));
  }

  async pin(thread: Thread, pinned: boolean): Promise<void> {
    const changed = await changeThread(thread.thread_id, { pinned });
    this.all = this.all.map((other) => (other.thread_id === thread.thread_id ? changed : other));
  }

  async remove(thread: Thread): Promise<void> {
    await deleteThread(thread.thread_id);
    this.all = this.all.filter((other) => other.thread_id !== thread.thread_id);
  }
}

export const threads = new Threads();
