import { setImmediate } from 'node:timers/promises';

/** A pause in long work that nobody waits for, where others of this process go first. */
export type Breathe = () => Promise<void>;

/** Pauses after each so many milliseconds of work. */
export function breathing(turnMs: number): Breathe {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < turnMs) return;
    await setImmediate();
    began = performance.now();
  };
}
