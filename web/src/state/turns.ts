import type { Message, Run, ThreadState, Values } from '../api/types';
import { textOf } from '../api/types';

/** A question and everything that came of it: a run, and those that went on after it asked back. */
export interface Turn {
  /** The first run. */
  id: string;
  runs: Run[];
  asked: Asked;
  /** The turn before, whose end it started from. */
  parent: string | null;
  /** All turns that start from the same place, oldest first; this one among them. */
  siblings: string[];
}

export interface Asked {
  text: string;
  /** A query that was written by hand. */
  sql: string | null;
  /** Input that is no text, for graphs of other kinds. */
  other: unknown;
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a run was asked, as a person would say it. */
export function askedOf(input: unknown): Asked {
  if (typeof input === 'string') return { text: input, sql: null, other: null };
  if (!isObject(input)) return { text: '', sql: null, other: input ?? null };
  if (typeof input['sql'] === 'string') return { text: '', sql: input['sql'], other: null };
  for (const name of ['question', 'query', 'topic', 'text']) {
    const value = input[name];
    if (typeof value === 'string' && value !== '') return { text: value, sql: null, other: null };
  }
  const messages = input['messages'];
  if (Array.isArray(messages)) {
    const last = (messages as Message[]).findLast((message) => message.type === 'human' || !('type' in message));
    if (last) return { text: typeof last === 'string' ? last : textOf(last), sql: null, other: null };
  }
  const strings = Object.values(input).filter((value): value is string => typeof value === 'string');
  return strings[0] ? { text: strings[0], sql: null, other: null } : { text: '', sql: null, other: input };
}

function parentOf(run: Run, before: Run | undefined): string | null {
  const said = run.metadata['parent_run'];
  if (typeof said === 'string') return said;
  // Runs of other clients follow each other.
  return said === null ? null : (before?.run_id ?? null);
}

/** A person's answer, or the one that the server gives when the time for it is over. */
const isAnswer = (run: Run): boolean =>
  (run.kwargs?.command?.resume !== undefined && run.kwargs.command.resume !== null) || run.metadata['created_by'] === 'deadline';

/** The turns of a thread's runs, oldest first. */
export function turnsOf(newestFirst: Run[]): Turn[] {
  const runs = [...newestFirst].reverse();
  const turns: Turn[] = [];
  /** The turn that a run belongs to. */
  const home = new Map<string, Turn>();
  runs.forEach((run, at) => {
    const before = parentOf(run, runs[at - 1]);
    const asker = before === null ? undefined : home.get(before);
    if (isAnswer(run) && asker) {
      asker.runs.push(run);
      home.set(run.run_id, asker);
      return;
    }
    const parent = asker?.id ?? null;
    const turn: Turn = { id: run.run_id, runs: [run], asked: askedOf(run.kwargs?.input ?? run.metadata['asked']), parent, siblings: [] };
    turns.push(turn);
    home.set(run.run_id, turn);
  });
  for (const turn of turns) turn.siblings = turns.filter((other) => other.parent === turn.parent).map((other) => other.id);
  return turns;
}

/** The turns from the first to a leaf. Where it is not said, the newest branch is taken. */
export function branchTo(turns: Turn[], leaf: string | null): Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  let at = (leaf === null ? undefined : byId.get(leaf)) ?? turns.at(-1);
  const path: Turn[] = [];
  while (at) {
    path.unshift(at);
    at = at.parent === null ? undefined : byId.get(at.parent);
  }
  return path;
}

/** The newest turn that follows from a turn, however far. */
export function newestUnder(turns: Turn[], id: string): string {
  const under = new Set([id]);
  let newest = id;
  for (const turn of turns) {
    if (turn.parent !== null && under.has(turn.parent)) {
      under.add(turn.id);
      newest = turn.id;
    }
  }
  return newest;
}

/** What the agent said in the turn that a state ends, without the machinery's own notes. */
export function saidIn(state: Pick<ThreadState, 'values'>): string {
  const messages = state.values?.['messages'];
  if (!Array.isArray(messages)) return '';
  const all = messages as Message[];
  const last = all.findLastIndex((message) => message.type === 'human');
  return all
    .slice(last + 1)
    .filter((message) => message.type === 'ai' && message.additional_kwargs?.['internal'] !== true)
    .map(textOf)
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}
