import type { StepLimits, Stepwise } from '../../../src/scheduling/stepwise.ts';
import type { Storage } from '../../../src/storage/storage.ts';

/** A clock by which a call has time for so many steps. */
export function stepsOf(count: number): StepLimits {
  let left = count;
  return {
    goOn() {
      left -= 1;
      return left >= 0;
    },
  };
}

/** Calls in processes of their own, one after the other, until the run is finished. */
export async function inCalls<Report>(
  open: () => Promise<{ storage: Storage }>,
  steps: number,
  call: (storage: Storage, limits: StepLimits) => Promise<Stepwise<Report>>,
): Promise<{ report: Report; calls: number }> {
  for (let calls = 1; calls < MAX_CALLS; calls += 1) {
    const { storage } = await open();
    const answer = await call(storage, stepsOf(steps));
    await storage.close();
    if (answer.isFinished) return { report: answer.report, calls };
    if (answer.isElsewhere) throw new Error('Nobody else is at work.');
  }
  throw new Error(`After ${MAX_CALLS} calls it was not finished.`);
}

const MAX_CALLS = 1_000;
