export interface Change {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'appended';
  before?: unknown;
  after?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What is different between two states. Lists that only grew show what came to them. */
export function changes(before: unknown, after: unknown, path = '', depth = 0): Change[] {
  if (same(before, after)) return [];
  if (isObject(before) && isObject(after) && depth < 3) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => {
      const at = path ? `${path}.${name}` : name;
      if (!(name in before)) return after[name] === null ? [] : [{ path: at, kind: 'added', after: after[name] } as const];
      if (!(name in after)) return [{ path: at, kind: 'removed', before: before[name] } as const];
      return changes(before[name], after[name], at, depth + 1);
    });
  }
  if (Array.isArray(before) && Array.isArray(after) && after.length > before.length && same(before, after.slice(0, before.length))) {
    return [{ path, kind: 'appended', after: after.slice(before.length) }];
  }
  return [{ path, kind: 'changed', before, after }];
}
