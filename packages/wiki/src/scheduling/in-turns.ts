import { setImmediate } from 'node:timers/promises';

/** Work in steps, with a yield after each. `yield*` combines several. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps, and yields to the event loop after every few milliseconds of work. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  let started = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - started < TURN_MS) continue;
    await setImmediate();
    started = performance.now();
  }
}

/** Runs all steps at once, for a short text. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/**
 * The same as in the pacer of the search index: the read of another page waits for several turns, one after
 * another.
 */
const TURN_MS = 4;
