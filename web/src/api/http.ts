/** Why a request has no answer, by what the person can do about it. */
export type ProblemCode =
  | 'offline'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'busy'
  | 'too_large'
  | 'too_slow'
  | 'unsupported'
  | 'invalid'
  | 'too_many'
  | 'unavailable'
  | 'server'
  | 'run_failed';

export class Problem extends Error {
  constructor(
    readonly code: ProblemCode,
    /** What the server said, for whoever looks closer. */
    readonly detail = '',
  ) {
    super(`${code}: ${detail}`);
  }
}

const KEY = 'duru.key';

/** The key that the person entered, where the server wants one. It is gone with the tab unless they want it kept. */
export const apiKey = {
  get: (): string => sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? '',
  set(key: string, keep: boolean): void {
    apiKey.forget();
    (keep ? localStorage : sessionStorage).setItem(KEY, key);
  },
  forget(): void {
    sessionStorage.removeItem(KEY);
    localStorage.removeItem(KEY);
  },
};

/** Who hears that the server wants a key, or another one than this. */
export const door = { closed: (_key: string): void => undefined };

export interface Request {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export function codeOf(status: number): ProblemCode {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 408 || status === 504) return 'too_slow';
  if (status === 409) return 'busy';
  if (status === 413) return 'too_large';
  if (status === 415) return 'unsupported';
  if (status === 429) return 'too_many';
  if (status === 502 || status === 503) return 'unavailable';
  return status >= 500 ? 'server' : 'invalid';
}

/** What the browser sends on after the page is gone; it takes no more than 64 KiB of it. */
function outlivesThePage(method: string, body: BodyInit | null): boolean {
  const small = body === null || (typeof body === 'string' && body.length < 16_384);
  return small && (method === 'PATCH' || method === 'PUT' || method === 'DELETE');
}

/** Sends a request; anything but success is a `Problem`. */
export async function send(path: string, request: Request = {}): Promise<Response> {
  const headers: Record<string, string> = { ...request.headers };
  const key = apiKey.get();
  if (key) headers['x-api-key'] = key;
  let body: BodyInit | null = null;
  if (request.body instanceof FormData || request.body instanceof Blob) body = request.body;
  else if (request.body !== undefined) {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(request.body);
  }
  const method = request.method ?? (body === null ? 'GET' : 'POST');
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers,
      body,
      keepalive: outlivesThePage(method, body),
      signal: request.signal ?? null,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Problem('offline', String(error));
  }
  if (response.status === 401) door.closed(key);
  if (!response.ok) throw new Problem(codeOf(response.status), await detailOf(response));
  return response;
}

async function detailOf(response: Response): Promise<string> {
  return detailIn(await response.text().catch(() => ''), response.status);
}

/** What a body says of what went wrong. */
export function detailIn(text: string, status: number): string {
  try {
    const said: unknown = JSON.parse(text);
    if (typeof said === 'object' && said !== null) {
      for (const name of ['detail', 'error', 'message'] as const) {
        const value = (said as Record<string, unknown>)[name];
        if (typeof value === 'string') return value;
      }
    }
  } catch {
    // It was no JSON: the status says enough.
  }
  return text.slice(0, 300) || `HTTP ${status}`;
}

/** A request that is answered with JSON. */
export async function ask<T>(path: string, request: Request = {}): Promise<T> {
  const response = await send(path, request);
  if (response.status === 204 || response.status === 202) return undefined as T;
  return (await response.json()) as T;
}
