/** One event of a stream. */
export interface Frame {
  event: string;
  data: string;
  /** Where to go on from; only streams that can be resumed have it. */
  id: string | null;
}

/** Cuts a stream of text into frames. Text may be cut anywhere, even inside a line end. */
export class FrameReader {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | null = null;

  /** The frames that are complete now. */
  push(text: string): Frame[] {
    const frames: Frame[] = [];
    const all = this.#rest + text;
    let from = 0;
    for (;;) {
      const end = all.indexOf('\n', from);
      if (end < 0) break;
      const line = all.slice(from, all[end - 1] === '\r' && end > from ? end - 1 : end);
      from = end + 1;
      const frame = this.#line(line);
      if (frame) frames.push(frame);
    }
    this.#rest = all.slice(from);
    return frames;
  }

  #line(line: string): Frame | null {
    if (line === '') {
      const frame = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id };
      const some = this.#data.length > 0;
      this.#event = '';
      this.#data = [];
      this.#id = null;
      return some ? frame : null;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.#id = value;
    return null;
  }
}

/** Nothing for so long, not even a heartbeat, means that the connection is dead. */
const SILENCE = 20_000;

/** The frames of a response; throws if the connection breaks or falls silent. */
export async function* frames(response: Response, silence = SILENCE): AsyncGenerator<Frame> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const cut = new FrameReader();
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('silence')), silence);
      });
      const { done, value } = await Promise.race([reader.read(), late]).finally(() => clearTimeout(timer));
      if (done) return;
      yield* cut.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Leaving early ends the request, too.
    reader.cancel().catch(() => undefined);
  }
}
