// Made by scripts/types.mjs from the server's OpenAPI document; do not edit.

export interface Assistant {
  assistant_id: string;
  config: Record<string, unknown>;
  context: Record<string, unknown>;
  created_at: string;
  description: string | null;
  graph_id: string;
  metadata: Record<string, unknown>;
  name: string;
  updated_at: string;
  version: number;
}

export interface Checkpoint {
  checkpoint_id: string;
  checkpoint_ns: string;
  thread_id: string;
}

export interface Error {
  detail: string;
}

export interface Graph {
  edges: GraphEdge[];
  nodes: GraphNode[];
}

export interface GraphEdge {
  conditional?: boolean;
  data?: string;
  source: string;
  target: string;
}

export interface GraphNode {
  data?: Record<string, unknown>;
  id: string;
  type?: string;
}

export type Integer = number;

export interface Interrupt {
  id: string;
  value: unknown;
}

export interface Item {
  created_at: string;
  key: string;
  namespace: string[];
  score?: number | null;
  updated_at: string;
  value: Record<string, unknown>;
}

export interface Items {
  items: Item[];
}

export type Object = Record<string, unknown>;

export interface OpenQuestion {
  deadline: string | null;
  id: string;
  response_schema: unknown;
  value: unknown;
}

export interface Run {
  assistant_id: string;
  created_at: string;
  kwargs: Record<string, unknown>;
  metadata: Record<string, unknown>;
  multitask_strategy: string;
  run_id: string;
  status: 'pending' | 'running' | 'success' | 'error' | 'timeout' | 'interrupted';
  thread_id: string;
  updated_at: string;
}

export interface RunCreate {
  after_seconds?: number;
  assistant_id: string;
  checkpoint?: Record<string, unknown>;
  command?: Record<string, unknown>;
  config?: Record<string, unknown>;
  context?: Record<string, unknown>;
  durability?: string;
  if_not_exists?: string;
  input?: unknown;
  interrupt_after?: unknown;
  interrupt_before?: unknown;
  metadata?: Record<string, unknown>;
  multitask_strategy?: 'enqueue' | 'reject' | 'interrupt' | 'rollback';
  on_completion?: string;
  on_disconnect?: string;
  stream_mode?: unknown;
  stream_resumable?: boolean;
  stream_subgraphs?: boolean;
}

export type RunCreateList = RunCreate[];

export interface Task {
  error?: unknown;
  id: string;
  interrupts: Interrupt[];
  name: string;
}

export interface Thread {
  config?: Record<string, unknown>;
  created_at: string;
  error?: unknown;
  excerpt?: string;
  interrupts?: Record<string, unknown>;
  metadata: Record<string, unknown>;
  state_updated_at?: string | null;
  status: 'idle' | 'busy' | 'interrupted' | 'error';
  thread_id: string;
  title?: string;
  updated_at: string;
  values?: Record<string, unknown> | null;
}

export interface ThreadState {
  checkpoint: Checkpoint | null;
  checkpoint_id: string | null;
  created_at: string | null;
  interrupts: Interrupt[];
  metadata: Record<string, unknown>;
  next: string[];
  parent_checkpoint: Checkpoint | null;
  parent_checkpoint_id: string | null;
  tasks: Task[];
  values: Record<string, unknown> | null;
}

export interface Turn {
  before: Checkpoint | null;
  checkpoint: Checkpoint | null;
  custom: unknown[];
  error: unknown;
  next: string[];
  parent: string | null;
  questions: OpenQuestion[];
  runs: Run[];
  siblings: string[];
  turn_id: string;
  values: Record<string, unknown>;
  waits: boolean;
}

export interface Turns {
  earlier: number;
  newest_run: string | null;
  thread: Thread;
  turns: Turn[];
}
