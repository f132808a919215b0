import { setImmediate } from 'node:timers/promises';

/** Called between pieces of work of any length: yields to the event loop when the work has gone on for long enough. */
export type Yield = () => Promise<void> | undefined;

/**
 * Yields after this many milliseconds of work each. The read of a page waits for several such turns, one
 * after another.
 */
export function yielding(turnMs = TURN_MS): Yield {
  let started = performance.now();
  return () => {
    if (performance.now() - started < turnMs) return undefined;
    return setImmediate().then(() => {
      started = performance.now();
    });
  };
}

/** Yields to the event loop now and then in a loop over short pieces of work. `place` counts them. */
export async function yieldNowAndThen(place: number): Promise<void> {
  if (place % PIECES_AT_ONCE === PIECES_AT_ONCE - 1) await setImmediate();
}

const PIECES_AT_ONCE = 1_000;
const TURN_MS = 4;
