import { attach, detach, listAttached } from '../api/documents';
import { Problem } from '../api/http';

/** A file that was sent with a conversation, or is on its way. */
export interface AttachedFile {
  name: string;
  /** None until the server has it. */
  id: string | null;
  percent: number;
  refused: Problem | null;
}

const asProblem = (error: unknown): Problem => (error instanceof Problem ? error : new Problem('server', String(error)));

/** The files of one conversation. */
export class Attached {
  files = $state<AttachedFile[]>([]);
  #under: Promise<void> = Promise.resolve();

  /** Those that the server has. */
  async load(thread: string): Promise<void> {
    const kept = await listAttached(thread);
    const known = kept.map(({ id, source }) => ({ id, name: source, percent: 100, refused: null }));
    this.files = [...known, ...this.files.filter((file) => file.id === null && !known.some((other) => other.name === file.name))];
  }

  /** Sends files, one after the other; each says of itself how far it is. */
  take(files: File[], thread: () => Promise<string>, told: (file: AttachedFile) => void): Promise<void> {
    const waiting = files.map((file) => {
      this.files = [...this.files.filter((other) => other.name !== file.name), { name: file.name, id: null, percent: 0, refused: null }];
      return file;
    });
    const sending = async (): Promise<void> => {
      for (const file of waiting) await this.#send(file, thread, told);
    };
    this.#under = this.#under.then(sending);
    return this.#under;
  }

  async #send(file: File, thread: () => Promise<string>, told: (file: AttachedFile) => void): Promise<void> {
    const one = (): AttachedFile | undefined => this.files.find((other) => other.name === file.name);
    try {
      const id = await thread();
      await attach(id, file, (percent) => {
        const sent = one();
        if (sent) sent.percent = percent;
      });
      await this.load(id);
    } catch (error) {
      const sent = one();
      if (sent) sent.refused = asProblem(error);
    }
    const sent = one();
    if (sent) told(sent);
  }

  /** Until nothing is on its way any more. */
  settled(): Promise<void> {
    return this.#under;
  }

  get busy(): boolean {
    return this.files.some((file) => file.id === null && file.refused === null);
  }

  /** Takes a file out; one that was refused is only forgotten. */
  async remove(file: AttachedFile, thread: string | null): Promise<void> {
    if (file.id !== null && thread !== null) {
      try {
        await detach(thread, file.id);
      } catch (error) {
        // What is gone already is gone.
        if (!(error instanceof Problem && error.code === 'not_found')) throw error;
      }
    }
    this.files = this.files.filter((other) => other.name !== file.name);
  }
}
