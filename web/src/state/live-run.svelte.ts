import type { Frame } from '../api/sse';
import { type Live, apply, empty } from './live';

/** So many milliseconds lie between two pictures of a text that grows: often enough to read along, and every other frame is free. */
const APART = 32;

/** A run that is being followed. What it says meanwhile is shown at once. */
export class LiveRun {
  now = $state.raw<Live>(empty());
  connected = $state(true);
  readonly #live = empty();
  #due = false;
  #next = 0;

  take(frame: Frame): void {
    apply(this.#live, frame);
    if (this.#due) return;
    this.#due = true;
    const wait = this.#next - performance.now();
    if (wait > 0) setTimeout(() => this.#inNextFrame(), wait);
    else this.#inNextFrame();
  }

  #inNextFrame(): void {
    requestAnimationFrame(() => {
      if (!this.#due) return;
      const from = performance.now();
      this.#next = from + APART;
      this.show();
      // After the frame's style, layout and paint. Where these take long, twice as much time is left for everything else.
      setTimeout(() => {
        const now = performance.now();
        this.#next = Math.max(this.#next, now + 2 * (now - from));
      });
    });
  }

  show(): void {
    this.#due = false;
    this.now = { ...this.#live };
  }
}
