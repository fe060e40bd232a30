import type * as schema from './schema';

/** What the server sends, as far as the page reads it. The shapes are those of its OpenAPI document. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Values = Record<string, unknown>;

export type Assistant = Pick<schema.Assistant, 'assistant_id' | 'graph_id' | 'name'>;

export interface Thread extends Pick<schema.Thread, 'thread_id' | 'created_at' | 'updated_at' | 'status' | 'metadata'> {
  /** Where the words were said that it was found by. */
  excerpt?: string;
}

export type RunStatus = schema.Run['status'];

export interface Run extends Omit<schema.Run, 'kwargs' | 'multitask_strategy'> {
  kwargs?: { input?: unknown; command?: { resume?: unknown } | null };
}

export interface Question extends schema.Interrupt {
  /** What may be answered; only the frames of a run say it. */
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
