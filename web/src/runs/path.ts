import type { GraphShape } from '../api/types';
import type { Step } from '../state/live';

export interface Visit {
  count: number;
  status: Step['status'];
}

/** How often nodes were run, and how their last time ended. */
export function visits(steps: Step[]): Map<string, Visit> {
  const seen = new Map<string, Visit>();
  for (const step of steps) {
    if (step.within !== '') continue;
    const known = seen.get(step.name);
    seen.set(step.name, { count: (known?.count ?? 0) + 1, status: step.status });
  }
  return seen;
}

/** The edges that a run went along, as `from>to`. */
export function taken(shape: GraphShape, steps: Step[], over: boolean): Set<string> {
  const own = steps.filter((step) => step.within === '');
  const edges = new Set(shape.edges.map((edge) => `${edge.source}>${edge.target}`));
  const path = new Set<string>();
  const add = (from: string, to: string): void => {
    const edge = `${from}>${to}`;
    if (edges.has(edge)) path.add(edge);
  };
  const begun = Math.min(...own.map((step) => step.from));
  for (const [at, step] of own.entries()) {
    if (step.from === begun) add('__start__', step.name);
    if (step.to === null || step.status !== 'done') continue;
    // Tasks of one step begin together, once the last of the step before has ended.
    const ended = step.to;
    const after = own.slice(at + 1).filter((other) => other.from >= ended);
    if (after.length === 0 && over) add(step.name, '__end__');
    for (const other of after) if (other.from === after[0]?.from) add(step.name, other.name);
  }
  return path;
}
