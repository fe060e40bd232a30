import { Problem } from '../api/http';
import { changeThread, deleteThread, getThread, searchThreads } from '../api/threads';
import type { Thread } from '../api/types';
import { matches } from './find';
import { tabs } from './tabs';

const PAGE = 100;

/** What it is called: the name it was given, else what was asked there first. */
export function titleOf(thread: Thread): string {
  const given = thread.metadata['title'];
  return (typeof given === 'string' && given) || thread.title || '';
}

export const isPinned = (thread: Thread): boolean => thread.metadata['pinned'] === true;

/** An answer that is wanted again; its thread keeps it, and takes it along when it goes. */
export interface PinnedAnswer {
  /** The turn's. */
  run: string;
  question: string;
}

export function answersOf(thread: Thread): PinnedAnswer[] {
  const pinned = thread.metadata['pinned_answers'];
  return Array.isArray(pinned) ? (pinned as PinnedAnswer[]) : [];
}

/** The list of conversations, newest first. */
class Threads {
  all = $state.raw<Thread[]>([]);
  more = $state(false);
  loaded = $state(false);
  problem = $state.raw<Problem | null>(null);
  search = $state('');
  /** What the server has found in what was said, and by which words. */
  said = $state.raw<{ by: string; threads: Thread[] }>({ by: '', threads: [] });
  readonly found = $derived.by((): Thread[] => {
    const search = this.search.trim();
    if (search === '') return this.all;
    const said = new Map((this.said.by === search ? this.said.threads : []).map((thread) => [thread.thread_id, thread]));
    const known = new Set(this.all.map((thread) => thread.thread_id));
    const here = this.all.flatMap((thread) => {
      if (matches(titleOf(thread), search)) return [thread];
      const excerpt = said.get(thread.thread_id)?.excerpt;
      return excerpt === undefined ? [] : [{ ...thread, excerpt }];
    });
    return [...here, ...[...said.values()].filter((thread) => !known.has(thread.thread_id))];
  });
  readonly answers = $derived(this.all.flatMap((thread) => answersOf(thread).map((answer) => ({ ...answer, thread }))));

  /** Looks in everything that was said, not only in the titles that are here. */
  async look(search: string): Promise<void> {
    const threads = await searchThreads(0, PAGE, { text: search.normalize('NFC') }).catch(() => []);
    if (this.search.trim() === search) this.said = { by: search, threads };
  }

  async load(): Promise<void> {
    await this.#page(0);
    // Pinned ones are there however old they are.
    for (const note of ['pinned', 'has_pinned_answers']) {
      const pinned = await searchThreads(0, PAGE, { metadata: { [note]: true } }).catch(() => []);
      const known = new Set(this.all.map((thread) => thread.thread_id));
      this.all = [...this.all, ...pinned.filter((thread) => !known.has(thread.thread_id))];
    }
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

  known(id: string): Thread | undefined {
    return this.all.find((thread) => thread.thread_id === id);
  }

  /** Another tab changed a thread, or removed it. */
  async heard(id: string, gone: boolean): Promise<void> {
    if (gone) this.all = this.all.filter((other) => other.thread_id !== id);
    else {
      const before = this.known(id);
      const thread = await getThread(id).catch(() => null);
      if (thread) this.ended(thread, before);
    }
  }

  #toTop(thread: Thread): void {
    this.all = [thread, ...this.all.filter((other) => other.thread_id !== thread.thread_id)];
  }

  /** The person changed a thread, which may be older than those that are here: it was found, or its link was opened. */
  #changed(thread: Thread): void {
    const known = this.all.some((other) => other.thread_id === thread.thread_id);
    this.all = known ? this.all.map((other) => (other.thread_id === thread.thread_id ? thread : other)) : [...this.all, thread];
  }

  /** A run began in a thread, which may have been renamed or pinned since its conversation was opened. */
  began(thread: Thread): void {
    this.#toTop(this.known(thread.thread_id) ?? thread);
  }

  /** A run ended in a thread, which was known like this when the server was asked about it. */
  ended(thread: Thread, before: Thread | undefined): void {
    const now = this.known(thread.thread_id);
    if (before && !now) return;
    // What the person changed while the server was asked is newer than its answer.
    this.#toTop(now && now !== before ? { ...thread, metadata: now.metadata } : thread);
  }

  async rename(thread: Thread, title: string): Promise<void> {
    this.#changed(await changeThread(thread.thread_id, { title }));
    tabs.tell(thread.thread_id);
  }

  async pin(thread: Thread, pinned: boolean): Promise<void> {
    this.#changed(await changeThread(thread.thread_id, { pinned }));
  }

  /** Pins the answer of a turn, or no longer. */
  async pinAnswer(id: string, answer: PinnedAnswer, pinned: boolean): Promise<void> {
    const others = answersOf(await getThread(id)).filter((other) => other.run !== answer.run);
    const answers = pinned ? [...others, answer] : others;
    this.#changed(await changeThread(id, { pinned_answers: answers, has_pinned_answers: answers.length > 0 }));
  }

  async remove(thread: Thread): Promise<void> {
    await deleteThread(thread.thread_id);
    tabs.tell(thread.thread_id, true);
    this.all = this.all.filter((other) => other.thread_id !== thread.thread_id);
  }
}

export const threads = new Threads();
tabs.hear(({ thread, gone }) => void threads.heard(thread, gone));
