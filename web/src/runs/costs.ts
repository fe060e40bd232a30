import type { Decision, Step } from '../state/live';

/** What one node took, all its tasks together. */
export interface Cost {
  node: string;
  runs: number;
  ms: number;
  decisions: number;
  byModel: number;
  tokens: number;
  dollars: number;
}

/** What every node took. A decision counts for the task that was under way when it was told: the one that began last. */
export function costsOf(steps: Step[], decisions: Decision[]): Cost[] {
  const costs = new Map<string, Cost>();
  const of = (node: string): Cost => {
    const known = costs.get(node);
    if (known) return known;
    const fresh = { node, runs: 0, ms: 0, decisions: 0, byModel: 0, tokens: 0, dollars: 0 };
    costs.set(node, fresh);
    return fresh;
  };
  const own = steps.filter((step) => step.within === '');
  for (const step of own) {
    const cost = of(step.name);
    cost.runs += 1;
    cost.ms += (step.to ?? step.from) - step.from;
  }
  for (const decision of decisions) {
    const step = own.findLast((one) => one.from <= decision.at && decision.at <= (one.to ?? Infinity)) ?? own.findLast((one) => one.from <= decision.at);
    const cost = of(step?.name ?? '');
    cost.decisions += 1;
    cost.byModel += decision.by === 'rule' ? 0 : 1;
    cost.tokens += (decision.usage?.input_tokens ?? 0) + (decision.usage?.output_tokens ?? 0);
    cost.dollars += decision.cost ?? 0;
  }
  return [...costs.values()];
}
