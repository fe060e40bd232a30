import { save } from '../analyst/export';
import { getTurns } from '../api/turns';
import type { Thread } from '../api/types';
import { type Turn, turnOf } from '../state/turns';
import { fileName, toJson, toMarkdown, written } from './written';

/** So many turns are read at once. */
const PAGE = 100;

/** Writes a whole conversation into a file: the branch that is newest. */
export async function exportThread(thread: Thread, title: string, form: 'md' | 'json'): Promise<void> {
  let page = await getTurns(thread.thread_id, { limit: PAGE });
  let turns: Turn[] = page.turns.map(turnOf);
  while (page.earlier > 0 && turns[0]) {
    page = await getTurns(thread.thread_id, { before: turns[0].id, limit: PAGE });
    turns = [...page.turns.map(turnOf), ...turns];
  }
  const name = `${fileName(title)}.${form}`;
  if (form === 'md') save(name, 'text/markdown', toMarkdown(title, written(turns)));
  else save(name, 'application/json', toJson(thread, title, written(turns)));
}
