/** What tabs tell each other: a conversation changed, or is gone. */
interface Told {
  thread: string;
  gone: boolean;
}

const listeners = new Set<(told: Told) => void>();
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('duru');
if (channel) channel.onmessage = ({ data }: MessageEvent<Told>) => listeners.forEach((hear) => hear(data));

export const tabs = {
  /** Tells the person's other tabs. */
  tell: (thread: string, gone = false): void => channel?.postMessage({ thread, gone } satisfies Told),
  /** Hears what other tabs tell, until the function that is given back is called. */
  hear(listener: (told: Told) => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
