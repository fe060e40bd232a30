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
  checkpoint_map?: Record<string, unknown>;
  checkpoint_ns: string;
  thread_id: string;
}

export interface Command {
  goto?: Goto | null;
  resume?: unknown;
  update?: unknown;
}

export type Durability = 'sync' | 'async' | 'exit';

export interface Failure {
  error: string;
  message: string;
}

export type Goto = string | {
  input?: unknown;
  node: string;
} | Goto[];

export interface Graph {
  edges: GraphEdge[];
  nodes: GraphNode[];
}

export interface GraphEdge {
  conditional?: boolean;
  source: string;
  target: string;
}

export interface GraphNode {
  data?: Record<string, unknown>;
  id: string;
  type?: string;
}

export interface InnerCheckpoint {
  checkpoint_ns: string;
  thread_id: string;
}

export interface Interrupt {
  id: string;
  value: unknown;
}

export type MultitaskStrategy = 'enqueue' | 'reject' | 'interrupt' | 'rollback';

export interface OpenQuestion {
  deadline: string | null;
  id: string;
  response_schema: unknown;
  value: unknown;
}

export type PruneStrategy = 'delete' | 'keep_latest';

export interface Run {
  assistant_id: string | null;
  created_at: string;
  kwargs: RunKwargs | null;
  metadata: Record<string, unknown>;
  multitask_strategy: MultitaskStrategy;
  run_id: string;
  status: RunStatus;
  thread_id: string;
  updated_at: string;
}

export interface RunKwargs {
  checkpoint_during: boolean;
  command: Command | null;
  config: Record<string, unknown>;
  context: Record<string, unknown>;
  durability: Durability;
  feedback_keys: unknown;
  input: unknown;
  interrupt_after: string[] | null;
  interrupt_before: string[] | null;
  resumable: boolean;
  stream_mode: StreamMode[];
  subgraphs: boolean;
  temporary: boolean;
  webhook: unknown;
}

export type RunStatus = 'pending' | 'running' | 'success' | 'error' | 'timeout' | 'interrupted';

export type StreamMode = 'values' | 'updates' | 'messages' | 'messages-tuple' | 'custom' | 'debug' | 'tasks' | 'checkpoints' | 'events';

export interface Task {
  checkpoint: InnerCheckpoint | null;
  error: unknown;
  id: string;
  interrupts: Interrupt[];
  name: string;
  path: string[];
  result: unknown;
  state: ThreadState | null;
}

export interface Thread {
  config: unknown;
  created_at: string;
  error?: Failure | null;
  excerpt?: string;
  interrupts?: Record<string, Interrupt[]>;
  metadata: Record<string, unknown>;
  state_updated_at: string;
  status: ThreadStatus;
  thread_id: string;
  title?: string;
  ttl?: ThreadTtl | null;
  updated_at: string;
  values: Record<string, unknown> | null;
}

export interface ThreadState {
  checkpoint: Checkpoint | null;
  checkpoint_id: string | null;
  created_at: string | null;
  interrupts: Interrupt[];
  metadata: Record<string, unknown> | null;
  next: string[];
  parent_checkpoint: Checkpoint | null;
  parent_checkpoint_id: string | null;
  tasks: Task[];
  values: Record<string, unknown>;
}

export type ThreadStatus = 'idle' | 'busy' | 'interrupted' | 'error';

export interface ThreadTtl {
  expires_at: string;
  strategy: PruneStrategy;
  ttl_minutes: number;
}

export interface Turn {
  before: Checkpoint | null;
  checkpoint: Checkpoint | null;
  custom: unknown[];
  error: Failure | null;
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
