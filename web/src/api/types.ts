/** What the server sends, as far as the page reads it. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Values = Record<string, unknown>;

export interface Assistant {
  assistant_id: string;
  graph_id: string;
  name: string;
}

export interface Thread {
  thread_id: string;
  created_at: string;
  updated_at: string;
  status: 'idle' | 'busy' | 'interrupted' | 'error';
  metadata: Values;
}

export type RunStatus = 'pending' | 'running' | 'success' | 'error' | 'timeout' | 'interrupted';

export interface Run {
  run_id: string;
  thread_id: string;
  assistant_id: string;
  created_at: string;
  updated_at: string;
  status: RunStatus;
  metadata: Values;
  kwargs?: { input?: unknown; command?: { resume?: unknown } | null };
}

export interface Question {
  id: string;
  value: unknown;
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

export interface Checkpoint {
  checkpoint_id: string;
  checkpoint_ns?: string;
  thread_id?: string;
}

export interface ThreadState {
  values: Values | null;
  next: string[];
  tasks: { id: string; name: string; error: unknown; interrupts: Question[] }[];
  metadata: Values & { run_id?: string; source?: string; step?: number };
  created_at: string | null;
  checkpoint: Checkpoint | null;
  parent_checkpoint_id: string | null;
  interrupts?: Question[];
}

export interface GraphShape {
  nodes: { id: string; data?: { name?: string } }[];
  edges: { source: string; target: string; conditional?: boolean; data?: string }[];
}

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
