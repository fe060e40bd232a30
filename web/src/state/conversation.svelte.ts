import { SvelteMap } from 'svelte/reactivity';
import { Problem } from '../api/http';
import { type Follower, cancelRun, followRun, getRun, isOver, listRuns, replay, startRun } from '../api/runs';
import type { Frame } from '../api/sse';
import { getThread, history, makeThread, stateAfter } from '../api/threads';
import type { Checkpoint, Question, Run, Thread, ThreadState, Values } from '../api/types';
import { type Live, apply, empty } from './live';
import { threads } from './threads.svelte';
import { type Turn, branchTo, newestUnder, turnsOf } from './turns';

/** So many milliseconds lie between two pictures of a text that grows: often enough to read along, and every other frame is free. */
const APART = 32;

/** A run that is being followed. What it says meanwhile is shown at once. */
class LiveRun {
  now = $state.raw<Live>(empty());
  connected = $state(true);
  readonly #live = empty();
  #due = false;
  #next = 0;

  take(frame: Frame): void {
    apply(this.#live, frame);
    if (this.#due) return;
    this.#due = true;
    const wait = this.#next - performance.now();
    if (wait > 0) setTimeout(() => this.#inNextFrame(), wait);
    else this.#inNextFrame();
  }

  #inNextFrame(): void {
    requestAnimationFrame(() => {
      if (!this.#due) return;
      const from = performance.now();
      this.#next = from + APART;
      this.show();
      // After the frame's style, layout and paint. Where these take long, twice as much time is left for everything else.
      setTimeout(() => {
        const now = performance.now();
        this.#next = Math.max(this.#next, now + 2 * (now - from));
      });
    });
  }

  show(): void {
    this.#due = false;
    this.now = { ...this.#live };
  }
}

export type { LiveRun };

export interface ToSend {
  agent: string;
  input?: Values;
  resume?: unknown;
  /** Goes on from a checkpoint, without anything new. */
  again?: { checkpoint: Checkpoint; asked: string };
  /** The turn it follows; the last one that is shown unless told, nothing for a new beginning. */
  after?: Turn | null;
  title?: string;
}

const asProblem = (error: unknown): Problem => (error instanceof Problem ? error : new Problem('server', String(error)));

/** One thread: its turns, their branches, and the run under way. */
export class Conversation {
  thread = $state.raw<Thread | null>(null);
  runs = $state.raw<Run[]>([]);
  leaf = $state<string | null>(null);
  loading = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** The run under way. */
  active = $state<string | null>(null);
  readonly states = new SvelteMap<string, ThreadState>();
  readonly lives = new SvelteMap<string, LiveRun>();
  readonly questions = new SvelteMap<string, Question[]>();
  readonly turns = $derived(turnsOf(this.runs));
  readonly shown = $derived(branchTo(this.turns, this.leaf));
  #stop = new AbortController();
  #unwanted = false;

  constructor(readonly id: string | null) {}

  get agent(): string | null {
    const said = this.thread?.metadata['graph_id'];
    return typeof said === 'string' ? said : null;
  }

  /** Stops following; the runs themselves go on. */
  leave(): void {
    this.#stop.abort();
  }

  async load(): Promise<void> {
    if (this.id === null) return;
    this.loading = true;
    this.problem = null;
    try {
      const [thread, runs] = await Promise.all([getThread(this.id), listRuns(this.id)]);
      this.thread = thread;
      this.runs = runs;
      const open = runs.find((run) => !isOver(run));
      if (open) void this.#watch(thread.thread_id, open.run_id, followRun);
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.loading = false;
    }
  }

  /** Follows the run that the server has begun by itself, as it does when the time for an answer is over. */
  async catchUp(): Promise<void> {
    const thread = this.thread?.thread_id;
    const known = new Set(this.runs.map((run) => run.run_id));
    const seen = this.runs[0]?.status;
    for (let tries = 0; thread && tries < 40 && !this.active && !this.#stop.signal.aborted; tries += 1) {
      const runs = await listRuns(thread).catch(() => []);
      const fresh = runs.find((run) => !known.has(run.run_id)) ?? (runs[0] && runs[0].status !== seen ? runs[0] : undefined);
      if (fresh) {
        this.runs = runs;
        this.leaf = null;
        this.states.delete(fresh.run_id);
        this.questions.delete(fresh.run_id);
        return this.#watch(thread, fresh.run_id, followRun);
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  /** Reads the state in which a turn ended, once. */
  async open(turn: Turn): Promise<void> {
    const last = turn.runs.at(-1);
    const thread = this.thread;
    if (!last || !thread || this.states.has(last.run_id) || this.questions.has(last.run_id) || !isOver(last)) return;
    try {
      const state = await stateAfter(thread.thread_id, last.run_id);
      if (!state) {
        // An answer that led to another question within the same task has left no checkpoint.
        const asked = await this.#questions(thread.thread_id, last.run_id, []);
        if (asked.length > 0) this.questions.set(last.run_id, asked);
        return;
      }
      const asked = state.tasks.flatMap((task) => task.interrupts ?? []);
      if (asked.length > 0) this.questions.set(last.run_id, await this.#questions(thread.thread_id, last.run_id, asked));
      this.states.set(last.run_id, state);
    } catch (error) {
      this.problem = asProblem(error);
    }
  }

  /** What was asked, with what may be answered, which only the run's frames say. */
  async #questions(thread: string, run: string, asked: Question[]): Promise<Question[]> {
    const live = empty();
    for (const frame of await replay(thread, run, ['updates', 'custom'])) apply(live, frame);
    return live.questions.length > 0 ? live.questions : asked;
  }

  choose(turn: string): void {
    this.leaf = newestUnder(this.turns, turn);
  }

  async send(wanted: ToSend): Promise<void> {
    this.problem = null;
    const after = wanted.after === undefined ? (this.shown.at(-1) ?? null) : wanted.after;
    const nonce = crypto.randomUUID();
    const last = after?.runs.at(-1)?.run_id ?? null;
    const metadata = { nonce, parent_run: last, ...(wanted.again ? { asked: wanted.again.asked } : {}) };
    const pending: Run = {
      run_id: `pending-${nonce}`,
      thread_id: this.thread?.thread_id ?? '',
      assistant_id: wanted.agent,
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
      status: 'pending',
      metadata,
      kwargs: wanted.resume === undefined ? { input: wanted.input } : { command: { resume: wanted.resume } },
    };
    const live = new LiveRun();
    const before = this.leaf;
    this.lives.set(pending.run_id, live);
    this.runs = [pending, ...this.runs];
    this.leaf = null;
    this.active = pending.run_id;
    try {
      const thread = this.thread ?? (this.thread = await makeThread({ graph_id: wanted.agent, title: wanted.title ?? '' }));
      const checkpoint = wanted.again?.checkpoint ?? (await this.#startingPoint(thread.thread_id, after));
      const ready = { assistant: wanted.agent, checkpoint, metadata };
      const start = wanted.resume === undefined ? { ...ready, input: wanted.again ? null : (wanted.input ?? {}) } : { ...ready, resume: wanted.resume };
      const replace = (run: string): void => {
        this.lives.set(run, live);
        this.runs = this.runs.map((one) => (one === pending ? { ...pending, run_id: run, thread_id: thread.thread_id } : one));
        threads.began(thread);
      };
      await this.#watch(thread.thread_id, pending.run_id, (id, _run, follower, signal) =>
        startRun(id, start, { ...follower, began: (run) => (replace(run), follower.began(run)) }, signal),
      );
    } catch (error) {
      this.problem = asProblem(error);
    }
    if (this.runs.includes(pending)) {
      // It never began: what the person wrote goes back to them.
      this.runs = this.runs.filter((one) => one !== pending);
      this.lives.delete(pending.run_id);
      this.leaf = before;
      this.active = null;
      throw this.problem ?? new Problem('server');
    }
  }

  /** Where a run starts from, if it is not simply where the thread is. */
  async #startingPoint(thread: string, after: Turn | null): Promise<Checkpoint | undefined> {
    const real = this.runs.filter((run) => !run.run_id.startsWith('pending-'));
    const newest = real[0];
    if (!newest) return undefined;
    const last = after?.runs.at(-1);
    if (last && last.run_id === newest.run_id) return undefined;
    if (last) return (this.states.get(last.run_id) ?? (await stateAfter(thread, last.run_id)))?.checkpoint ?? undefined;
    const first = real.at(-1);
    const begun = first ? await history(thread, { limit: 1000, metadata: { run_id: first.run_id } }) : [];
    return begun.at(-1)?.checkpoint ?? undefined;
  }

  async #watch(
    thread: string,
    run: string,
    how: (thread: string, run: string, follower: Follower, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const live = this.lives.get(run) ?? new LiveRun();
    this.lives.set(run, live);
    this.active = run;
    let id = run;
    const follower: Follower = {
      began: (real) => {
        id = real;
        this.active = real;
        if (this.#unwanted) void this.stop();
        this.#unwanted = false;
      },
      frame: (frame) => live.take(frame),
      connected: (yes) => (live.connected = yes),
    };
    try {
      await how(thread, run, follower, this.#stop.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.problem = asProblem(error);
    }
    live.show();
    if (this.#stop.signal.aborted || id.startsWith('pending-')) return;
    await this.#settle(thread, id, live);
  }

  /** What came of a run, once it has ended. */
  async #settle(thread: string, run: string, live: LiveRun): Promise<void> {
    try {
      const [ended, state] = await Promise.all([getRun(thread, run), stateAfter(thread, run)]);
      if (live.now.questions.length > 0) this.questions.set(run, live.now.questions);
      if (state) this.states.set(run, state);
      this.runs = this.runs.map((one) => (one.run_id === run ? ended : one));
      await threads.ended(thread);
    } catch (error) {
      this.problem = asProblem(error);
    }
    if (this.active === run) this.active = null;
  }

  async stop(): Promise<void> {
    const { active, thread } = this;
    if (!active) return;
    if (!thread || active.startsWith('pending-')) {
      // It has no name yet: it is stopped as soon as it has.
      this.#unwanted = true;
      return;
    }
    try {
      await cancelRun(thread.thread_id, active);
    } catch (error) {
      this.problem = asProblem(error);
    }
  }
}
