import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../contract/errors.ts';
import type { Steps } from '../scheduling/in-turns.ts';
import { processorMs } from '../scheduling/processor-ms.ts';

/** Keeps long work from blocking other calls of the process. */
export interface Pacer {
  /** True if it is time to yield. With tiny steps, checking this is cheaper than awaiting `yieldIfDue`. */
  readonly isDue: boolean;
  /**
   * Milliseconds of processor time until the last yield. On a busy machine, and with the share of a processor that a
   * small function has, the same work takes several times as long.
   */
  readonly workedMs: number;
  /** Yields to the event loop if it is time. Throws `busy` if `signal` ended the work. */
  yieldIfDue(): Promise<void>;
  /** Restarts the count after a wait, which is not work. */
  resume(): void;
}

/**
 * `turn` is the maximum number of milliseconds of work in one piece: a read of a page waits for several
 * pieces, one after another.
 */
export function createPacer(signal?: AbortSignal, turn = 4): Pacer {
  let started = performance.now();
  let usedMs = processorMs();
  let workedMs = 0;
  const resume = () => {
    started = performance.now();
    usedMs = processorMs();
  };
  return {
    get isDue() {
      return performance.now() - started >= turn;
    },
    get workedMs() {
      return workedMs;
    },
    async yieldIfDue() {
      const now = performance.now();
      if (now - started < turn) return;
      workedMs += processorMs() - usedMs;
      await setImmediate();
      throwIfCancelled(signal);
      resume();
    },
    resume,
  };
}

/**
 * Runs all steps, and yields to the event loop whenever it is time. Throws `busy` if `signal` or that of the pacer ended
 * the work.
 */
export async function paced<Result>(
  steps: Steps<Result>,
  pacer: Pacer,
  signal?: AbortSignal,
): Promise<Result> {
  pacer.resume();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (!pacer.isDue) continue;
    await pacer.yieldIfDue();
    throwIfCancelled(signal);
  }
}

/** Runs the steps that fit into one turn, and returns the last of them. */
export function firstTurn<Answer>(steps: Steps<Answer>, pacer: Pacer) {
  pacer.resume();
  let step = steps.next();
  while (step.done !== true && !pacer.isDue) step = steps.next();
  return { steps, step };
}
