import { Problem, ask, send } from './http';
import { type Frame, frames } from './sse';
import type { Checkpoint, Run, Values } from './types';

/** What the page follows of a run. */
const MODES = ['updates', 'messages-tuple', 'custom', 'tasks'];

export interface Wanted {
  assistant: string;
  /** Nothing where a run only goes on. */
  input?: Values | null;
  resume?: unknown;
  checkpoint?: Checkpoint | undefined;
  metadata: Values & { nonce: string };
}

export const listRuns = (thread: string, limit: number): Promise<Run[]> => ask(`/threads/${thread}/runs?limit=${limit}`);

/** The newest run of a thread, in few bytes. */
export async function newestRun(thread: string): Promise<Pick<Run, 'run_id' | 'status'> | null> {
  const [newest] = await ask<Pick<Run, 'run_id' | 'status'>[]>(`/threads/${thread}/runs?limit=1&select=run_id&select=status`);
  return newest ?? null;
}

export const getRun = (thread: string, run: string): Promise<Run> => ask(`/threads/${thread}/runs/${run}`);

/** Stops a run; one that has ended already is no error. */
export async function cancelRun(thread: string, run: string): Promise<void> {
  try {
    await ask(`/threads/${thread}/runs/${run}/cancel?wait=0&action=interrupt`, { method: 'POST' });
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'not_found')) throw error;
  }
}

export function isOver(run: Pick<Run, 'status'>): boolean {
  return run.status !== 'pending' && run.status !== 'running';
}

/** What somebody who follows a run is told. */
export interface Follower {
  began(run: string): void;
  frame(frame: Frame): void;
  /** Whether the connection is there. */
  connected(yes: boolean): void;
}

/** So long the server may be away before the page gives up. */
const PATIENCE = 120_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });

/** Starts a run and follows it to its end. */
export async function startRun(thread: string, wanted: Wanted, follower: Follower, signal: AbortSignal): Promise<void> {
  const body = {
    assistant_id: wanted.assistant,
    ...(wanted.resume === undefined ? { input: wanted.input } : { command: { resume: wanted.resume } }),
    ...(wanted.checkpoint ? { checkpoint: wanted.checkpoint } : {}),
    metadata: wanted.metadata,
    stream_mode: MODES,
    stream_subgraphs: true,
    stream_resumable: true,
    on_disconnect: 'continue',
    multitask_strategy: 'reject',
  };
  let response: Response;
  try {
    response = await send(`/threads/${thread}/runs/stream`, { body, signal });
  } catch (error) {
    // The request may have been heard although its answer was not: a second one would ask twice.
    const run = error instanceof Problem && error.code === 'offline' ? await findRun(thread, wanted.metadata.nonce) : null;
    if (!run) throw error;
    follower.began(run);
    return followRun(thread, run, follower, signal);
  }
  const run = /\/runs\/([^/]+)$/.exec(response.headers.get('content-location') ?? '')?.[1];
  if (!run) throw new Problem('server', 'no run id');
  follower.began(run);
  await follow(thread, run, response, follower, signal);
}

async function findRun(thread: string, nonce: string): Promise<string | null> {
  const runs = await listRuns(thread, 10).catch(() => []);
  return runs.find((run) => run.metadata['nonce'] === nonce)?.run_id ?? null;
}

/** Follows a run from its beginning, whether or not it has ended. */
export function followRun(thread: string, run: string, follower: Follower, signal: AbortSignal): Promise<void> {
  return follow(thread, run, null, follower, signal);
}

async function follow(
  thread: string,
  run: string,
  first: Response | null,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  const query = [...MODES.map((mode) => `stream_mode=${mode}`), 'stream_subgraphs=true'].join('&');
  let response = first;
  let last = '-1';
  let lostAt: number | null = null;
  let tries = 0;
  for (;;) {
    try {
      response ??= await send(`/threads/${thread}/runs/${run}/stream?${query}`, { headers: { 'last-event-id': last }, signal });
      if (lostAt !== null) follower.connected(true);
      for await (const frame of frames(response)) {
        lostAt = null;
        tries = 0;
        if (frame.id) last = frame.id;
        follower.frame(frame);
        if (signal.aborted) return;
      }
      // A server that stops closes its streams, too: only the run's status tells.
      if (isOver(await getRun(thread, run))) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && !['offline', 'unavailable', 'too_many', 'server'].includes(error.code)) throw error;
    }
    response = null;
    lostAt ??= Date.now();
    follower.connected(false);
    if (Date.now() - lostAt > PATIENCE) throw new Problem('offline', 'the server did not come back');
    await pause(Math.min(100 * 2 ** tries++, 3000), signal).catch(() => undefined);
    if (signal.aborted) return;
  }
}

/** The frames of a run that has ended, without the inputs of its tasks. */
export async function replay(thread: string, run: string, modes: string[], signal?: AbortSignal): Promise<Frame[]> {
  const query = [...modes.map((mode) => `stream_mode=${mode}`), 'stream_subgraphs=true'].join('&');
  const response = await send(`/threads/${thread}/runs/${run}/stream?${query}`, {
    headers: { 'last-event-id': '-1' },
    signal,
  });
  const all: Frame[] = [];
  for await (const frame of frames(response)) all.push(frame);
  return all;
}
