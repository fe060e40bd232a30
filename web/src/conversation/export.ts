import { save } from '../analyst/export';
import { listRuns } from '../api/runs';
import { stateAfter } from '../api/threads';
import type { Thread, ThreadState } from '../api/types';
import { fileName, toJson, toMarkdown, written } from './written';

/** Writes a whole conversation into a file. */
export async function exportThread(thread: Thread, title: string, form: 'md' | 'json'): Promise<void> {
  const runs = await listRuns(thread.thread_id);
  const states = new Map<string, ThreadState>();
  await Promise.all(
    runs.map(async (run) => {
      const state = await stateAfter(thread.thread_id, run.run_id);
      if (state) states.set(run.run_id, state);
    }),
  );
  const turns = written(runs, states);
  const name = `${fileName(title)}.${form}`;
  if (form === 'md') save(name, 'text/markdown', toMarkdown(title, turns));
  else save(name, 'application/json', toJson(thread, title, turns));
}
