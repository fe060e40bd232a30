import { ask } from './http';

/** What came of a log file: how it was read, and what was left out. */
export interface TakenLogs {
  accepted: number;
  rejected: { row: number; reason: string }[];
  rejected_rows: number;
  duplicate: boolean;
  format?: string;
  notes?: string[];
}

/** Sends a log file as it is; the server finds out its format. The same file again is kept once. */
export const sendLogs = (file: File, lang: string): Promise<TakenLogs> =>
  // The server adds the digest of the lines to the key.
  ask<TakenLogs>(`/logs/ingest?lang=${lang}`, {
    body: file,
    headers: { 'content-type': 'application/octet-stream', 'idempotency-key': 'page' },
  });
