/** What an agent wants to do. */
export interface ActionRequest {
  name: string;
  args: Record<string, unknown>;
  description?: string;
}

export type Verdict = 'approve' | 'edit' | 'reject' | 'respond';

/** What is asked, what may be answered, and in which words: those of LangChain's middleware, or of the Agent Inbox before it. */
export interface Review {
  actions: ActionRequest[];
  allowed: Verdict[];
  words: 'middleware' | 'inbox';
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const ALL: Verdict[] = ['approve', 'edit', 'reject', 'respond'];

export function asReview(value: unknown): Review | null {
  return asMiddleware(value) ?? asInbox(value);
}

function asMiddleware(value: unknown): Review | null {
  const asked = isObject(value) ? value['action_requests'] : null;
  if (!Array.isArray(asked) || asked.length === 0) return null;
  if (!asked.every((one) => isObject(one) && typeof one['name'] === 'string')) return null;
  const configs = isObject(value) && Array.isArray(value['review_configs']) ? value['review_configs'].filter(isObject) : [];
  const lists = configs.map((one) => one['allowed_decisions']).filter((one) => Array.isArray(one));
  // One answer goes to all of them: only what each allows.
  const allowed = ALL.filter((verdict) => (lists.length > 0 ? lists.every((list) => list.includes(verdict)) : verdict !== 'respond'));
  return { actions: asked.map((one) => ({ args: {}, ...one }) as ActionRequest), allowed, words: 'middleware' };
}

function asInbox(value: unknown): Review | null {
  const asked = (Array.isArray(value) ? value : [value]).filter(isObject);
  const requests = asked.map((one) => one['action_request']).filter(isObject);
  if (requests.length === 0 || requests.length !== asked.length || !requests.every((one) => typeof one['action'] === 'string')) return null;
  const may = (name: string): boolean => asked.every((one) => isObject(one['config']) && one['config'][name] === true);
  const names: Record<Verdict, string> = { approve: 'allow_accept', edit: 'allow_edit', reject: 'allow_ignore', respond: 'allow_respond' };
  const actions = requests.map((one, at) => {
    const about = asked[at]?.['description'];
    return { name: String(one['action']), args: isObject(one['args']) ? one['args'] : {}, ...(typeof about === 'string' ? { description: about } : {}) };
  });
  return { actions, allowed: ALL.filter((verdict) => may(names[verdict])), words: 'inbox' };
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
export function decide({ actions, words }: Review, verdict: Verdict, edited: (Record<string, unknown> | null)[], said: string): unknown {
  const message = said.trim();
  const middleware = (action: ActionRequest, at: number): unknown => {
    if (verdict === 'edit') return { type: 'edit', edited_action: { name: action.name, args: edited[at] ?? action.args } };
    return verdict === 'approve' ? { type: 'approve' } : { type: verdict, ...(message ? { message } : {}) };
  };
  const inbox = (action: ActionRequest, at: number): unknown => {
    if (verdict === 'edit') return { type: 'edit', args: { action: action.name, args: edited[at] ?? action.args } };
    return verdict === 'respond' ? { type: 'response', args: message } : { type: verdict === 'approve' ? 'accept' : 'ignore', args: null };
  };
  return words === 'inbox' ? actions.map(inbox) : { decisions: actions.map(middleware) };
}
