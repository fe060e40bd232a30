import type { Checkpoint, Message, Question, Run, SentTurn, Values } from '../api/types';
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
  /** What it wrote, of lists only what it added; nothing while its first run goes on. */
  values: Values | null;
  /** The moment before its question, where another one may be asked instead. */
  before: Checkpoint | null;
  /** Where it ended. */
  checkpoint: Checkpoint | null;
  questions: Question[];
  /** Whether its questions can still be answered: nothing was asked since. */
  waits: boolean;
  /** What its nodes told on the way. */
  custom: Values[];
  error: { error: string; message: string } | null;
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

/** A question that knows until when it can be answered. */
function timed({ deadline, ...question }: SentTurn['questions'][number]): Question {
  const { value } = question;
  return deadline && isObject(value) && !value['deadline'] ? { ...question, value: { ...value, deadline } } : question;
}

/** A turn as the server sends it. */
export function turnOf(sent: SentTurn): Turn {
  const [first] = sent.runs;
  return {
    id: sent.turn_id,
    runs: sent.runs,
    asked: askedOf(first?.kwargs?.input ?? first?.metadata['asked']),
    parent: sent.parent,
    siblings: sent.siblings,
    values: sent.values,
    before: sent.before,
    checkpoint: sent.checkpoint,
    questions: sent.questions.map(timed),
    waits: sent.waits,
    custom: sent.custom,
    error: sent.error,
  };
}

/** A turn that was just asked. */
export function askedNow(run: Run, parent: string | null, siblings: string[]): Turn {
  const asked = askedOf(run.kwargs?.input ?? run.metadata['asked']);
  return { id: run.run_id, runs: [run], asked, parent, siblings, values: null, before: null, checkpoint: null, questions: [], waits: false, custom: [], error: null };
}

/** What the agent said in the turn that values end with, without the machinery's own notes. */
export function saidIn(values: Values | null): string {
  const messages = values?.['messages'];
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
