import type { Thread } from '../api/types';
import { type Turn, saidIn } from '../state/turns';

/** One turn as it is exported. */
export interface WrittenTurn {
  at: string;
  question: string;
  answer: string;
  sql?: string;
  sources?: string[];
}

/** What was asked and answered. */
export function written(turns: Turn[]): WrittenTurn[] {
  return turns.map((turn) => {
    const sql = turn.values?.['generated_sql'];
    const cited = turn.values?.['citations'] ?? turn.values?.['sources'];
    const titles = Array.isArray(cited) ? cited.map((one) => (typeof one === 'object' && one !== null ? String((one as Record<string, unknown>)['title'] ?? (one as Record<string, unknown>)['source'] ?? '') : String(one))).filter(Boolean) : [];
    return {
      at: turn.runs[0]?.created_at ?? '',
      question: turn.asked.sql ?? turn.asked.text,
      answer: saidIn(turn.values),
      ...(typeof sql === 'string' ? { sql } : {}),
      ...(titles.length > 0 ? { sources: titles } : {}),
    };
  });
}

export function toMarkdown(title: string, turns: WrittenTurn[]): string {
  const part = (turn: WrittenTurn): string =>
    [
      `## ${turn.question.replaceAll('\n', ' ')}`,
      `*${turn.at}*`,
      turn.answer,
      turn.sql ? `\`\`\`sql\n${turn.sql}\n\`\`\`` : '',
      turn.sources ? turn.sources.map((source) => `- ${source}`).join('\n') : '',
    ]
      .filter(Boolean)
      .join('\n\n');
  return `# ${title}\n\n${turns.map(part).join('\n\n')}\n`;
}

export function toJson(thread: Thread, title: string, turns: WrittenTurn[]): string {
  return `${JSON.stringify({ schema_version: 1, thread_id: thread.thread_id, title, agent: thread.metadata['graph_id'] ?? null, turns }, null, 2)}\n`;
}

/** A name that every file system takes. */
export const fileName = (title: string): string => title.replace(/[\\/:*?"<>|\s]+/g, ' ').trim().slice(0, 60) || 'duru';
