import type * as schema from './schema';

/** What the server sends, as far as the page reads it. The shapes are those of its OpenAPI document. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Values = Record<string, unknown>;

export type Assistant = Pick<schema.Assistant, 'assistant_id' | 'graph_id' | 'name'>;

/** `title` is what it is called, by a person or by its first question; `excerpt`, where the words were said that it was found by. */
export type Thread = Pick<schema.Thread, 'thread_id' | 'created_at' | 'updated_at' | 'status' | 'metadata' | 'title' | 'excerpt'>;

export type RunStatus = schema.Run['status'];

export interface Run extends Omit<schema.Run, 'kwargs' | 'multitask_strategy'> {
  kwargs?: { input?: unknown; command?: { resume?: unknown } | null };
}

export interface Question extends schema.Interrupt {
  /** What may be answered. */
  response_schema?: JsonSchema | null;
}

export interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  title?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
}

/** Where a run may start from: the id is enough. */
export type Checkpoint = Pick<schema.Checkpoint, 'checkpoint_id'> & Partial<schema.Checkpoint>;

export interface ThreadState extends Pick<schema.ThreadState, 'values' | 'next' | 'created_at' | 'parent_checkpoint_id'> {
  tasks: (Omit<schema.Task, 'interrupts'> & { interrupts: Question[] })[];
  metadata: Values & { run_id?: string; source?: string; step?: number };
  checkpoint: Checkpoint | null;
}

export interface SentTurn extends Omit<schema.Turn, 'runs' | 'questions' | 'custom' | 'error'> {
  runs: Run[];
  questions: (Question & { deadline: string | null })[];
  custom: Values[];
  error: { error: string; message: string } | null;
}

export interface TurnsPage extends Omit<schema.Turns, 'thread' | 'turns'> {
  thread: Thread;
  turns: SentTurn[];
}

export type GraphShape = schema.Graph;

export interface Message {
  id?: string | null;
  type: string;
  name?: string | null;
  content: string | { type: string; text?: string }[];
  additional_kwargs?: Values;
}

/** The text of a message, whichever way it is written. */
export function textOf(message: Pick<Message, 'content'>): string {
  if (typeof message.content === 'string') return message.content;
  return message.content.map((block) => (block.type === 'text' ? (block.text ?? '') : '')).join('');
}
