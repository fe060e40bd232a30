import { apiKey, door } from '../api/http';

/** Whether the server lets this person in. */
class Session {
  /** The server has asked for a key. */
  closed = $state(false);
  hasKey = $state(apiKey.get() !== '');
  /** A key was entered, and the server did not take it. */
  refused = $state(false);
  /** Counts the times that somebody came in, so that everything is read anew. */
  visits = $state(0);

  constructor() {
    door.closed = (key) => {
      // A refusal that comes late is not of the key that was entered meanwhile.
      if (key !== apiKey.get()) return;
      this.refused = apiKey.get() !== '';
      this.closed = true;
    };
  }

  enter(key: string, keep: boolean): void {
    apiKey.set(key, keep);
    this.hasKey = true;
    this.closed = false;
    this.refused = false;
    this.visits += 1;
  }

  /** Forgets the key, and with it everything that it opened. */
  leave(): void {
    apiKey.forget();
    location.assign('/');
  }
}

export const session = new Session();
