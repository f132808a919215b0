import { setImmediate } from 'node:timers/promises';

/** Keeps long work from holding up everyone else in the process. */
export interface Pacer {
  /** Lets others go first if it is their turn. Throws where `signal` ended the work. */
  breathe(): Promise<void>;
}

/** `turn` is how many milliseconds of work go in one piece: a read of a page waits for several of them, one by one. */
export function createPacer(signal?: AbortSignal, turn = 4): Pacer {
  let started = performance.now();
  return {
    async breathe() {
      if (performance.now() - started < turn) return;
      await setImmediate();
      signal?.throwIfAborted();
      started = performance.now();
    },
  };
}
