import { OutOfTime, Run, type RunMemory } from '../../../src/storage/maintenance/run.ts';

/** Does the work in calls of so many steps, each of which finds what the call before kept, as JSON. */
export async function runInCalls<Report>(
  steps: number,
  work: (run: Run) => Promise<Report>,
  memory: RunMemory = { slots: {}, lists: {} },
): Promise<{ report: Report; calls: number }> {
  for (let calls = 1; calls < MAX_CALLS; calls += 1) {
    let left = steps;
    const run = new Run({
      memory,
      goOn: () => left > 0,
      checkpoint() {
        left -= 1;
        return undefined;
      },
    });
    try {
      return { report: await work(run), calls };
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      memory.slots = JSON.parse(JSON.stringify(memory.slots));
    }
  }
  throw new Error(`After ${MAX_CALLS} calls it was not finished.`);
}

const MAX_CALLS = 1_000;
