import { Problem, apiKey, ask, codeOf, detailIn, door } from './http';

export interface StoredDocument {
  id: string;
  source: string;
  title: string;
  chunks: number;
  /** Whom it is for, where it is not for everybody. */
  access?: { owner: string } | { thread: object };
}

/** What is to be known of a file that was taken in. */
export interface TakenIn {
  /** Its pages that have no text. */
  blank: number[];
  /** Its passages are found by their words alone. */
  byWords: boolean;
}

/** What the server told of a file that it took in. */
function takenIn(body: string): TakenIn {
  try {
    const told = JSON.parse(body) as { pages_without_text?: { pages: number[] }[]; by_words_alone?: boolean };
    return { blank: (told.pages_without_text ?? []).flatMap((file) => file.pages), byWords: told.by_words_alone ?? false };
  } catch {
    return { blank: [], byWords: false };
  }
}

export interface Passage {
  id: string;
  document?: string;
  source: string;
  title: string;
  name?: string;
  article?: string;
  page?: number;
  text: string;
}

/** What a person says about a passage: beside its text, never in its place. */
export interface Remark {
  id: string;
  text: string;
  author: string;
  date: string | null;
  at_ms: number;
  own: boolean;
  standing: string;
  lapsed: boolean | null;
  passage?: Passage | null;
}

export interface Hit {
  passage: Passage;
  score: number;
  remarks: Remark[];
}

export const listDocuments = async (): Promise<StoredDocument[]> =>
  (await ask<{ documents: StoredDocument[] }>('/documents')).documents;

export const searchDocuments = async (question: string): Promise<Hit[]> =>
  (await ask<{ hits: Hit[] }>('/documents/search', { body: { question, top: 10 } })).hits;

export const deleteDocument = (id: string): Promise<unknown> => ask(`/documents/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** Everybody's for whoever may judge them; else one's own. */
export const listRemarks = (): Promise<{ remarks: Remark[]; may_curate: boolean }> => ask('/documents/remarks');

/** What is judged is what was read: a remark that says something else by now stays as it is. */
export const judgeRemark = (remark: Remark, how: 'accept' | 'decline'): Promise<unknown> =>
  ask(`/documents/remarks/${encodeURIComponent(remark.id)}/${how}`, { body: { at_ms: remark.at_ms } });

export const withdrawRemark = (remark: Remark): Promise<unknown> =>
  ask(`/documents/remarks/${encodeURIComponent(remark.id)}`, { method: 'DELETE' });

export const remarkOn = (chunk: string, text: string): Promise<unknown> =>
  ask('/documents/feedback', { body: { chunk, verdict: 'note', text } });

/** All passages of the document that a passage is of, in their order. */
export async function documentOf(id: string): Promise<Passage[]> {
  const { passage } = await ask<{ passage: Passage }>(`/documents/passage?id=${encodeURIComponent(id)}`);
  if (!passage.document) return [passage];
  return (await ask<{ passages: Passage[] }>(`/documents/${encodeURIComponent(passage.document)}`)).passages;
}

/** A file that could not be taken in, and why; the codes are those of the server's reader. */
export class NotTakenIn extends Problem {
  constructor(
    readonly reason: string,
    detail: string,
  ) {
    super('unsupported', detail);
  }
}

/** Why the server did not take a file in: it could not read it, or it refused it. */
export function refusalOf(status: number, body: string): Problem {
  try {
    const skipped: unknown = (JSON.parse(body) as { skipped?: unknown }).skipped;
    const [first] = Array.isArray(skipped) ? (skipped as { code?: string; reason?: string }[]) : [];
    if (first) return new NotTakenIn(first.code ?? '', first.reason ?? '');
  } catch {
    // It was no JSON: the status says enough.
  }
  return new Problem(codeOf(status), detailIn(body, status));
}

/** What was sent with a conversation; nothing where the server has no documents. */
export async function listAttached(thread: string): Promise<StoredDocument[]> {
  try {
    return (await ask<{ documents: StoredDocument[] }>(`/threads/${thread}/documents`)).documents;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return [];
    throw error;
  }
}

export const detach = (thread: string, id: string): Promise<unknown> =>
  ask(`/threads/${thread}/documents/${encodeURIComponent(id)}`, { method: 'DELETE' });

/** Sends a file with a conversation. */
export const attach = (thread: string, file: File, progress: (percent: number) => void): Promise<TakenIn> =>
  upload(file, progress, `/threads/${thread}/documents`);

/** Sends a file, and waits until the server has read and indexed it; only this kind of request tells how far the sending is. */
export function upload(file: File, progress: (percent: number) => void, to = '/documents'): Promise<TakenIn> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', to);
    const key = apiKey.get();
    if (key) request.setRequestHeader('x-api-key', key);
    request.upload.onprogress = (event) => event.lengthComputable && progress(Math.round((event.loaded / event.total) * 100));
    request.onload = () => {
      if (request.status === 401) door.closed(key);
      if (request.status < 300) resolve(takenIn(request.responseText));
      else reject(refusalOf(request.status, request.responseText));
    };
    request.onerror = () => reject(new Problem('offline'));
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
