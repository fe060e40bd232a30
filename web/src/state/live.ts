import type { Frame } from '../api/sse';
import type { Message, Question, Values } from '../api/types';
import { textOf } from '../api/types';

/** A task of a run as the person sees it. */
export interface Step {
  id: string;
  name: string;
  /** In which graph of a tree of graphs; empty for the outermost. */
  within: string;
  status: 'running' | 'done' | 'failed' | 'waiting';
  tries: number;
  /** Milliseconds, by the server's clock. */
  from: number;
  to: number | null;
  error: string | null;
}

/** A decision of an agent: what, and who decided. */
export interface Decision {
  decision: string;
  by: string;
  why: string | null;
  model: string | null;
  latency_us: number;
  usage: { input_tokens?: number; output_tokens?: number };
  cost: number | null;
  value: unknown;
  at: number;
}

/** Text that a model writes, or has written. */
export interface Spoken {
  id: string;
  node: string;
  text: string;
  complete: boolean;
  internal: boolean;
}

/** All that the frames of a run say. */
export interface Live {
  steps: Step[];
  spoken: Spoken[];
  custom: Values[];
  decisions: Decision[];
  values: Values;
  questions: Question[];
  /** Until when a confirmation can be given, by its id: only the frame that announces it says so. */
  deadlines: Record<string, string>;
  failure: { error: string; message: string } | null;
  from: number | null;
  to: number | null;
  /** When the first word of an answer came. */
  firstWord: number | null;
}

export function empty(): Live {
  return {
    steps: [],
    spoken: [],
    custom: [],
    decisions: [],
    values: {},
    questions: [],
    deadlines: {},
    failure: null,
    from: null,
    to: null,
    firstWord: null,
  };
}

const isObject = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

/** When the server wrote a frame: ids begin with its clock. */
export function timeOf(frame: Frame): number | null {
  const ms = Number.parseInt(frame.id ?? '', 10);
  return Number.isFinite(ms) ? ms : null;
}

/** Frames of tasks carry whole states, which nobody looks at here; long ones are not read for it. */
const LONG = 100_000;

function brief({ event, data }: Frame): Values | null {
  if (!event.startsWith('tasks') || data.length < LONG) return null;
  const ended = /^\{"error":null,"id":"([^"]+)","interrupts":\[\],"name":"([^"]+)","result":/.exec(data);
  if (ended) return { id: ended[1], name: ended[2], error: null, interrupts: [], result: {} };
  const begun = /^\{"id":"([^"]+)","input":/.exec(data);
  const name = /"name":"([^"]+)","triggers":\[[^\]]*\]\}$/.exec(data.slice(-1000));
  return begun && name ? { id: begun[1], name: name[1] } : null;
}

/**
 * Takes a frame in. The same frames in the same order always give the same.
 * What a frame changes is replaced, never changed in place: what stays the same object need not be looked at again.
 */
export function apply(live: Live, frame: Frame): void {
  let data: unknown;
  try {
    data = brief(frame) ?? JSON.parse(frame.data);
  } catch {
    return;
  }
  const at = timeOf(frame) ?? Date.now();
  live.from ??= at;
  live.to = at;
  const bar = frame.event.indexOf('|');
  const mode = bar < 0 ? frame.event : frame.event.slice(0, bar);
  const within = bar < 0 ? '' : frame.event.slice(bar + 1);
  if (mode === 'error') takeFailure(live, data);
  else if (mode === 'messages' && Array.isArray(data)) takeMessage(live, data, at);
  else if (!isObject(data)) return;
  else if (mode === 'tasks') takeTask(live, data, within, at);
  else if (mode === 'updates') takeUpdate(live, data, within);
  else if (mode === 'custom') takeCustom(live, data, at);
}

function takeFailure(live: Live, data: unknown): void {
  const said = isObject(data) ? data : {};
  live.failure = { error: String(said['error'] ?? 'Error'), message: String(said['message'] ?? '') };
  live.steps = live.steps.map((step) => (step.status === 'running' ? { ...step, status: 'failed' as const } : step));
}

function takeTask(live: Live, data: Values, within: string, at: number): void {
  const id = String(data['id']);
  const name = String(data['name']);
  const known = live.steps.find((step) => step.id === id);
  // A run that goes on after a question does not say again that its task began.
  const step: Step = known ? { ...known } : { id, name, within, status: 'running', tries: 1, from: at, to: null, error: null };
  live.steps = known ? live.steps.map((one) => (one === known ? step : one)) : [...live.steps, step];
  if (!('result' in data)) {
    if (known) step.tries += known.status === 'waiting' ? 0 : 1;
    step.status = 'running';
    step.to = null;
    return;
  }
  const asked = Array.isArray(data['interrupts']) && data['interrupts'].length > 0;
  const failed = data['error'] !== null && data['error'] !== undefined;
  step.status = failed ? 'failed' : asked ? 'waiting' : 'done';
  step.to = at;
  step.error = failed ? errorText(data['error']) : null;
}

function errorText(error: unknown): string {
  if (isObject(error)) return String(error['message'] ?? error['error'] ?? '');
  return String(error);
}

function takeUpdate(live: Live, data: Values, within: string): void {
  for (const [node, update] of Object.entries(data)) {
    if (node === '__interrupt__') {
      if (Array.isArray(update)) live.questions = (update as Question[]).map((question) => timed(question, live.deadlines));
    } else if (within === '' && isObject(update)) {
      // Lists that grow are whole only in the state; what the page shows early is replaced as a whole.
      live.values = { ...live.values, ...update };
    }
  }
}

function takeCustom(live: Live, data: Values, at: number): void {
  if (data['type'] === 'decision') live.decisions = [...live.decisions, { ...(data as unknown as Decision), at }];
  else live.custom = [...live.custom, data];
  if (typeof data['deadline'] === 'string') live.deadlines[String(data['confirmation_id'])] = data['deadline'];
}

function timed(question: Question, deadlines: Record<string, string>): Question {
  const { value } = question;
  const deadline = isObject(value) && !value['deadline'] ? deadlines[String(value['confirmation_id'])] : undefined;
  return deadline && isObject(value) ? { ...question, value: { ...value, deadline } } : question;
}

function takeMessage(live: Live, data: unknown[], at: number): void {
  const [said, about] = data as [Message | undefined, Values | undefined];
  if (!said || (said.type !== 'ai' && said.type !== 'AIMessageChunk')) return;
  const id = said.id ?? `at-${at}`;
  const internal = said.additional_kwargs?.['internal'] === true;
  const whole = said.type === 'ai';
  const text = textOf(said);
  const known = live.spoken.find((one) => one.id === id);
  const before = known ?? { id, node: String(about?.['langgraph_node'] ?? ''), text: '', complete: false, internal };
  const spoken = { ...before, text: whole ? text : before.text + text, complete: before.complete || whole };
  live.spoken = known ? live.spoken.map((one) => (one === known ? spoken : one)) : [...live.spoken, spoken];
  if (text && !internal) live.firstWord ??= at;
}

/** The answer so far, without the machinery's own notes. */
export function answerSoFar(live: Live): string {
  return live.spoken
    .filter((one) => !one.internal && one.text.trim() !== '')
    .map((one) => one.text)
    .join('\n\n');
}
