import { SvelteMap } from 'svelte/reactivity';
import { Problem } from '../api/http';
import { type Follower, cancelRun, followRun, isOver, newestRun, startRun } from '../api/runs';
import { makeThread } from '../api/threads';
import { getTurns } from '../api/turns';
import type { Checkpoint, Run, Thread, TurnsPage, Values } from '../api/types';
import { type Feedback, saidOf } from '../conversation/feedback';
import { LiveRun } from './live-run.svelte';
import { tabs } from './tabs';
import { threads } from './threads.svelte';
import { Attached } from './attached.svelte';
import { type Turn, askedNow, turnOf } from './turns';

/** So many turns are shown at first, and come with every look further back. */
const PAGE = 20;
/** So many are read at once on the way to one that a link leads to. */
const SEEK = 100;
/** How often somebody who is looking sees whether others have asked something, in milliseconds. */
const LOOK = 4000;

export interface ToSend {
  agent: string;
  input?: Values;
  resume?: unknown;
  /** Goes on from a checkpoint, without anything new. */
  again?: { checkpoint: Checkpoint; asked: string };
  /** The turn it follows; the last one that is shown unless told. */
  after?: Turn;
  /** The turn that it is asked instead of, as a branch beside it. */
  instead?: Turn;
  title?: string;
}

const asProblem = (error: unknown): Problem => (error instanceof Problem ? error : new Problem('server', String(error)));
const isPending = (run: string): boolean => run.startsWith('pending-');
const has = (turn: Turn, run: string): boolean => turn.runs.some((one) => one.run_id === run);
const lastOf = (turn: Turn | undefined): Run | undefined => turn?.runs.at(-1);

/** One thread: the turns of a branch as far back as somebody looked, and the run under way. */
export class Conversation {
  thread = $state.raw<Thread | null>(null);
  /** Oldest first. */
  shown = $state.raw<Turn[]>([]);
  /** So many turns of the branch come before those. */
  earlier = $state(0);
  loading = $state(false);
  problem = $state.raw<Problem | null>(null);
  /** The run under way. */
  active = $state<string | null>(null);
  /** Another branch is on its way. */
  choosing = $state(false);
  readonly lives = new SvelteMap<string, LiveRun>();
  /** The files that were sent with it. */
  readonly attached = new Attached();
  /** What the person said of answers, by run. */
  readonly feedback = new SvelteMap<string, Feedback>();
  /** The newest run of the thread, in whichever branch. */
  #newest: string | null = null;
  /** The person looks at another branch than the newest: what happens there may not take them away. */
  #aside = false;
  #fetching = false;
  #making: Promise<Thread> | undefined;
  #stop = new AbortController();
  #unwanted = false;

  constructor(readonly id: string | null) {
    this.#watchOthers();
  }

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
      void this.#readFeedback(this.id);
      const page = await getTurns(this.id, { limit: PAGE });
      this.shown = page.turns.map(turnOf);
      this.earlier = page.earlier;
      this.#take(page);
      // Only this agent reads files; without them, the conversation is still there to be read.
      if (this.agent === 'researcher') void this.attached.load(this.id).catch(() => undefined);
      this.#followLast();
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.loading = false;
    }
  }

  async #readFeedback(thread: string): Promise<void> {
    for (const said of await saidOf(thread)) this.feedback.set(said.run_id, said);
  }

  /** The thread's name; it is made where files come before the first question. */
  async begun(agent: string): Promise<string> {
    this.#making ??= this.thread ? undefined : makeThread({ graph_id: agent, title: '' });
    try {
      this.thread ??= (await this.#making) ?? null;
    } finally {
      this.#making = undefined;
    }
    if (!this.thread) throw new Problem('server', 'no thread');
    return this.thread.thread_id;
  }

  #take(page: TurnsPage): void {
    this.thread = page.thread;
    this.#newest = page.newest_run;
  }

  #followLast(): void {
    const open = lastOf(this.shown.at(-1));
    if (open && this.thread && !this.active && !isOver(open)) void this.#watch(this.thread.thread_id, open.run_id, followRun);
  }

  /** The turns before those that are shown. */
  async loadEarlier(limit = PAGE): Promise<void> {
    const [first] = this.shown;
    if (!this.thread || !first || this.earlier === 0 || this.#fetching) return;
    this.#fetching = true;
    try {
      const page = await getTurns(this.thread.thread_id, { before: first.id, limit });
      if (this.shown[0]?.id !== first.id) return;
      this.shown = [...page.turns.map(turnOf), ...this.shown];
      this.earlier = page.earlier;
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.#fetching = false;
    }
  }

  /** The newest turns under a turn, at least as far back as itself. */
  async #branchWith(thread: string, id: string): Promise<{ turns: Turn[]; page: TurnsPage; earlier: number }> {
    const page = await getTurns(thread, { branch: id, limit: PAGE });
    let turns = page.turns.map(turnOf);
    let { earlier } = page;
    while (earlier > 0 && turns[0] && !turns.some((turn) => turn.id === id)) {
      const more = await getTurns(thread, { before: turns[0].id, limit: SEEK });
      turns = [...more.turns.map(turnOf), ...turns];
      earlier = more.earlier;
    }
    return { turns, page, earlier };
  }

  /** Shows another branch: the newest that a turn leads to. */
  async choose(id: string): Promise<void> {
    if (!this.thread || this.choosing) return;
    this.choosing = true;
    try {
      const { turns, page, earlier } = await this.#branchWith(this.thread.thread_id, id);
      const from = turns.findIndex((turn) => turn.id === id);
      const at = this.shown.findIndex((turn) => turn.parent === turns[from]?.parent);
      // What is before the fork stays where it is.
      if (at >= 0) this.shown = [...this.shown.slice(0, at), ...turns.slice(from)];
      else [this.shown, this.earlier] = [turns, earlier];
      this.#take(page);
      this.#aside = lastOf(this.shown.at(-1))?.run_id !== this.#newest;
    } catch (error) {
      this.problem = asProblem(error);
    } finally {
      this.choosing = false;
    }
  }

  /** Has a turn shown that a link leads to, however far back and in whichever branch; whether there is such a turn. */
  async reveal(id: string): Promise<boolean> {
    while (!this.shown.some((turn) => turn.id === id) && this.earlier > 0 && !this.problem) await this.loadEarlier(SEEK);
    if (!this.shown.some((turn) => turn.id === id)) await this.choose(id);
    return this.shown.some((turn) => turn.id === id);
  }

  /** Sees what other tabs and other clients ask: at once, where this browser can tell, else a moment later. */
  #watchOthers(): void {
    const { signal } = this.#stop;
    const look = (): void => void this.#look();
    const deaf = tabs.hear(({ thread }) => thread === this.thread?.thread_id && look());
    const timer = setInterval(look, LOOK);
    document.addEventListener('visibilitychange', look, { signal });
    signal.addEventListener('abort', () => (clearInterval(timer), deaf()));
  }

  async #look(): Promise<boolean> {
    const thread = this.thread?.thread_id;
    if (!thread || this.active || this.#fetching || this.#aside || this.#stop.signal.aborted || document.hidden) return false;
    this.#fetching = true;
    try {
      const newest = await newestRun(thread);
      const known = this.shown.flatMap((turn) => turn.runs).find((run) => run.run_id === newest?.run_id);
      if (!newest || this.active || (newest.run_id === this.#newest && (!known || known.status === newest.status))) return false;
      const page = await getTurns(thread, { limit: PAGE });
      if (this.active || this.#stop.signal.aborted) return false;
      const turns = page.turns.map(turnOf);
      const at = this.shown.findIndex((turn) => turn.id === turns[0]?.id);
      if (at >= 0) this.shown = [...this.shown.slice(0, at), ...turns];
      else [this.shown, this.earlier] = [turns, page.earlier];
      this.#take(page);
      this.#followLast();
      return true;
    } catch {
      // Nobody asked for it: the next look may go better.
      return false;
    } finally {
      this.#fetching = false;
    }
  }

  /** Follows the run that the server has begun by itself, as it does when the time for an answer is over. */
  async catchUp(): Promise<void> {
    for (let tries = 0; tries < 40 && !this.active && !this.#stop.signal.aborted; tries += 1) {
      if (await this.#look()) return;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  async send(wanted: ToSend): Promise<void> {
    this.problem = null;
    const { shown, earlier } = this;
    const after = wanted.instead ? undefined : (wanted.after ?? shown.at(-1));
    const nonce = crypto.randomUUID();
    const parent = wanted.instead ? wanted.instead.parent : (after?.id ?? null);
    const metadata = { nonce, parent_run: wanted.instead ? parent : (lastOf(after)?.run_id ?? null), ...(wanted.again ? { asked: wanted.again.asked } : {}) };
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
    this.lives.set(pending.run_id, live);
    this.#place(pending, wanted, after);
    this.#aside = false;
    this.active = pending.run_id;
    try {
      const checkpoint = this.#startingPoint(wanted, after, shown);
      const thread = this.thread ?? (this.thread = await makeThread({ graph_id: wanted.agent, title: wanted.title ?? '' }));
      const ready = { assistant: wanted.agent, checkpoint, metadata };
      const start = wanted.resume === undefined ? { ...ready, input: wanted.again ? null : (wanted.input ?? {}) } : { ...ready, resume: wanted.resume };
      const began = (run: string): void => {
        this.lives.set(run, live);
        this.#newest = run;
        this.#rename(pending.run_id, run, thread.thread_id);
        threads.began(thread);
        tabs.tell(thread.thread_id);
      };
      await this.#watch(thread.thread_id, pending.run_id, (id, _run, follower, signal) =>
        startRun(id, start, { ...follower, began: (run) => (began(run), follower.began(run)) }, signal),
      );
    } catch (error) {
      this.problem = asProblem(error);
    }
    if (this.shown.some((turn) => has(turn, pending.run_id))) {
      // It never began: what the person wrote goes back to them.
      [this.shown, this.earlier] = [shown, earlier];
      this.lives.delete(pending.run_id);
      this.active = null;
      throw this.problem ?? new Problem('server');
    }
  }

  /** Shows a run that is about to begin: as an answer within its turn, or as a turn of its own. */
  #place(pending: Run, wanted: ToSend, after: Turn | undefined): void {
    const { shown } = this;
    if (wanted.resume !== undefined && after) {
      this.shown = shown.map((turn) => (turn.id === after.id ? { ...turn, runs: [...turn.runs, pending], waits: false } : turn));
      return;
    }
    const at = wanted.instead ? shown.findIndex((turn) => turn.id === wanted.instead?.id) : after ? shown.findIndex((turn) => turn.id === after.id) + 1 : 0;
    const beside = wanted.instead ?? shown[at];
    const turn = askedNow(pending, wanted.instead ? wanted.instead.parent : (after?.id ?? null), [...(beside?.siblings ?? []), pending.run_id]);
    if (at < 0) this.earlier = 0;
    this.shown = [...shown.slice(0, Math.max(0, at)), turn];
  }

  /** It has begun, and has the server's name. */
  #rename(from: string, to: string, thread: string): void {
    const name = (id: string): string => (id === from ? to : id);
    this.shown = this.shown.map((turn) => {
      if (!has(turn, from)) return turn;
      const runs = turn.runs.map((run) => (run.run_id === from ? { ...run, run_id: to, thread_id: thread } : run));
      return { ...turn, id: name(turn.id), runs, siblings: turn.siblings.map(name) };
    });
  }

  /** Where a run starts from, if it is not simply where the thread is. */
  #startingPoint({ again, instead, resume }: ToSend, after: Turn | undefined, shown: Turn[]): Checkpoint | undefined {
    if (again) return again.checkpoint;
    if (instead) return instead.before ?? shown[shown.findIndex((turn) => turn.id === instead.id) - 1]?.checkpoint ?? undefined;
    if (resume !== undefined || !after || lastOf(after)?.run_id === this.#newest) return undefined;
    return after.checkpoint ?? undefined;
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
    if (this.#stop.signal.aborted || isPending(id)) return;
    await this.#settle(thread, id);
  }

  /** What came of a run, once it has ended. */
  async #settle(thread: string, run: string): Promise<void> {
    try {
      const before = threads.known(thread);
      const page = await getTurns(thread, { at: run, limit: 1 });
      const [sent] = page.turns;
      if (sent) {
        const ended = turnOf(sent);
        this.shown = this.shown.map((turn) => (has(turn, run) ? ended : turn));
        // A fork of a turn that was not loaded stands alone until here.
        if (this.shown.length === 1) this.earlier = page.earlier;
      }
      this.#take(page);
      threads.ended(page.thread, before);
      tabs.tell(thread);
    } catch (error) {
      this.problem = asProblem(error);
    }
    if (this.active === run) this.active = null;
  }

  async stop(): Promise<void> {
    const { active, thread } = this;
    if (!active) return;
    if (!thread || isPending(active)) {
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
