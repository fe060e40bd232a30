import { Problem, apiKey, ask } from './http';

export interface StoredDocument {
  source: string;
  title?: string;
  chunks?: number;
  passages?: number;
  category?: string | null;
}

export interface Hit {
  id: string;
  source: string;
  title?: string;
  section?: string;
  page?: number | null;
  text: string;
  score?: number;
  remark?: string | null;
}

/** Lists come bare or under a name. */
function listIn<T>(answer: unknown, name: string): T[] {
  if (Array.isArray(answer)) return answer as T[];
  const inner = (answer as Record<string, unknown> | null)?.[name];
  return Array.isArray(inner) ? (inner as T[]) : [];
}

export const listDocuments = async (): Promise<StoredDocument[]> => listIn(await ask('/documents'), 'documents');

export const searchDocuments = async (query: string): Promise<Hit[]> =>
  listIn(await ask('/documents/search', { body: { query, limit: 10 } }), 'hits');

export const deleteDocument = (source: string): Promise<void> =>
  ask(`/documents/${encodeURIComponent(source)}`, { method: 'DELETE' });

export const remarkOn = (id: string, text: string): Promise<void> =>
  ask(`/documents/passages/${encodeURIComponent(id)}/feedback`, { body: { text } });

/** Sends a file; only this kind of request tells how far it is. */
export function upload(file: File, progress: (percent: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/documents');
    const key = apiKey.get();
    if (key) request.setRequestHeader('x-api-key', key);
    request.upload.onprogress = (event) => event.lengthComputable && progress(Math.round((event.loaded / event.total) * 100));
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new Problem(request.status === 413 ? 'too_large' : request.status >= 500 ? 'server' : 'invalid', request.responseText.slice(0, 300)));
    request.onerror = () => reject(new Problem('offline'));
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}
