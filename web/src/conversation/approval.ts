/** What an agent wants to do, as LangChain's middleware for people asks it. */
export interface ActionRequest {
  name: string;
  args: Record<string, unknown>;
  description?: string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

export function asActions(value: unknown): ActionRequest[] | null {
  const asked = isObject(value) ? value['action_requests'] : null;
  if (!Array.isArray(asked) || asked.length === 0) return null;
  return asked.every((one) => isObject(one) && typeof one['name'] === 'string') ? asked.map((one) => ({ args: {}, ...one }) as ActionRequest) : null;
}

export function parseArguments(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The answer: a decision for each action. */
export function decide(actions: ActionRequest[], kind: 'approve' | 'edit' | 'reject', edited: (Record<string, unknown> | null)[], why: string): unknown {
  const decisions = actions.map((action, at) => {
    if (kind === 'edit') return { type: 'edit', edited_action: { name: action.name, args: edited[at] ?? action.args } };
    return kind === 'reject' ? { type: 'reject', ...(why.trim() ? { message: why.trim() } : {}) } : { type: 'approve' };
  });
  return { decisions };
}
