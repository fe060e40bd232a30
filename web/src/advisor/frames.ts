/** The frames that tell of the advisor's progress, brought together into what is shown. */

export interface Confirmation {
  type: 'user_confirmation_required';
  message: string;
  context?: { previous_data_summary?: string; data_age?: string; uncertainty_reason?: string };
  options: { value: string; label: string; description?: string }[];
  deadline?: string;
}

export type StepStatus = 'pending' | 'in_progress' | 'completed' | 'failed' | 'skipped' | 'cancelled';

export interface ToolUse {
  tool: string;
  status: 'running' | 'done' | 'skipped';
  count: number | null;
  quality: number | null;
  seconds: number | null;
  reused: boolean;
  reason: string | null;
  /** How often it has run in this step. */
  runs: number;
}

export interface PlanStep {
  id: string;
  team: string;
  task: string;
  status: StepStatus;
  progress: number | null;
  tools: ToolUse[];
  quality: number | null;
  seconds: number | null;
  gaps: string[];
}

export interface Reuse {
  message: string;
  reasoning: string;
  confidence: number;
  reused: { type: string; region?: string | null; count: number; age?: string | null }[];
  still_searching: string[];
  /** In words, where only those are known. */
  lines?: string[];
}

export interface Plan {
  intent: string | null;
  confidence: number | null;
  estimated: number | null;
  steps: PlanStep[];
  reuse: Reuse | null;
  decisions: { step: number; action: string; reasoning: string; confidence: number; by: string }[];
  review: { achievement: number; missing: string[] } | null;
  warnings: { message: string; todo: string }[];
}

type Frame = Record<string, unknown>;

const isObject = (value: unknown): value is Frame => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export function asConfirmation(value: unknown): Confirmation | null {
  return isObject(value) && value['type'] === 'user_confirmation_required' && Array.isArray(value['options'])
    ? (value as unknown as Confirmation)
    : null;
}

/** Data that were used again after a check: no frame says so, the state does. */
export function reuseOf(values: Frame | null): Reuse | null {
  const answer = values?.['final_response'];
  const lines = isObject(answer) ? texts(answer['reused']) : [];
  if (values?.['data_reused'] !== true || lines.length === 0) return null;
  return { message: text(values['skip_search_reason']) || text(values['sufficiency_reasoning']), reasoning: text(values['sufficiency_reasoning']), confidence: 0, reused: [], still_searching: [], lines };
}

/** Which team runs a tool: frames of tools do not say it. */
const TEAMS: Record<string, string> = {
  legal_search: 'search',
  law_digest: 'search',
  market_data: 'search',
  real_estate_search: 'search',
  loan_data: 'search',
  infrastructure: 'search',
  contract_analysis: 'analysis',
  market_analysis: 'analysis',
  loan_simulator: 'analysis',
  roi_calculator: 'analysis',
  cost_calculator: 'analysis',
  lease_draft: 'document',
};

/** What the frames so far add up to. */
export function planOf(frames: Frame[]): Plan {
  const plan: Plan = { intent: null, confidence: null, estimated: null, steps: [], reuse: null, decisions: [], review: null, warnings: [] };
  for (const frame of frames) take(plan, frame);
  return plan;
}

function take(plan: Plan, frame: Frame): void {
  switch (frame['type']) {
    case 'planning_start':
      Object.assign(plan, planOf([]));
      break;
    case 'intent_analyzed':
      plan.intent = text(frame['intent']);
      plan.confidence = number(frame['confidence']);
      break;
    case 'plan_ready':
      plan.estimated = number(frame['estimated_seconds']);
      for (const step of Array.isArray(frame['steps']) ? (frame['steps'] as Frame[]) : []) {
        addStep(plan, text(step['id']), step);
      }
      break;
    case 'todo_created':
      addStep(plan, text(frame['step_id']), frame);
      break;
    case 'todo_updated': {
      const step = plan.steps.find((one) => one.id === frame['step_id']);
      if (step) {
        step.status = frame['status'] as StepStatus;
        step.progress = number(frame['progress']);
      }
      break;
    }
    case 'team_complete': {
      const step = stepOf(plan, text(frame['team']));
      if (step) {
        step.quality = number(frame['quality']);
        step.seconds = number(frame['seconds']);
      }
      break;
    }
    case 'result_analysis': {
      const step = stepOf(plan, text(frame['team']));
      if (step) step.gaps = texts(frame['gaps']);
      break;
    }
    case 'tool_start':
    case 'tool_complete':
    case 'tool_skipped':
      takeTool(plan, frame);
      break;
    case 'data_reuse_decision':
      plan.reuse = frame as unknown as Reuse;
      break;
    case 'orchestration_decision':
      plan.decisions.push({
        step: number(frame['step']) ?? 0,
        action: isObject(frame['action']) ? text(frame['action']['action'] ?? frame['action']['type']) : text(frame['action']),
        reasoning: text(frame['reasoning']),
        confidence: number(frame['confidence']) ?? 0,
        by: text(frame['decided_by']),
      });
      break;
    case 'execution_review':
      plan.review = { achievement: number(frame['achievement']) ?? 0, missing: texts(frame['missing']) };
      break;
    case 'warning':
    case 'error':
      plan.warnings.push({ message: text(frame['message']), todo: text(frame['what_to_do']) });
      break;
  }
}

function addStep(plan: Plan, id: string, said: Frame): void {
  const known = plan.steps.find((step) => step.id === id);
  if (known) {
    known.status = (said['status'] as StepStatus | undefined) ?? known.status;
    return;
  }
  plan.steps.push({
    id,
    team: text(said['team']),
    task: text(said['description']) || text(said['task']),
    status: (said['status'] as StepStatus | undefined) ?? 'pending',
    progress: null,
    tools: [],
    quality: null,
    seconds: null,
    gaps: [],
  });
}

/** The step of a team that is under way, else its newest. */
function stepOf(plan: Plan, team: string): PlanStep | undefined {
  const own = plan.steps.filter((step) => step.team === team);
  return own.find((step) => step.status === 'in_progress') ?? own.findLast((step) => step.status !== 'pending') ?? own.at(-1);
}

function takeTool(plan: Plan, frame: Frame): void {
  const tool = text(frame['tool']);
  const step = stepOf(plan, TEAMS[tool] ?? '') ?? plan.steps.find((one) => one.status === 'in_progress') ?? plan.steps.at(-1);
  if (!step) return;
  let use = step.tools.find((one) => one.tool === tool);
  if (!use) {
    use = { tool, status: 'running', count: null, quality: null, seconds: null, reused: false, reason: null, runs: 0 };
    step.tools.push(use);
  }
  if (frame['type'] === 'tool_start') {
    use.status = 'running';
    use.runs += 1;
  } else if (frame['type'] === 'tool_skipped') {
    use.status = 'skipped';
    use.reason = text(frame['reason']);
  } else {
    use.status = 'done';
    use.count = number(frame['count']);
    use.quality = number(frame['quality']);
    use.seconds = number(frame['seconds']);
    use.reused = frame['reused'] === true;
  }
}
