import { randomUUID } from 'node:crypto';
import type { Journal } from '../journal.ts';
import { runSteps, type Step } from '../run-steps.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Burst, JitterEntry, JitterPlan } from './entry.ts';
import { type JitterRecord, services, stores } from './record.ts';
import type { JitterTarget } from './target.ts';

/**
 * Measures what the journal lacks: in each round one read by each service from each store, and after some rounds a
 * burst of tasks.
 */
export async function collectJitter(
  rounds: number,
  plan: JitterPlan,
  target: JitterTarget,
  journal: Journal<JitterEntry>,
  surroundings: Surroundings,
): Promise<void> {
  const steps: Step<JitterEntry>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const store of stores) {
      for (const service of services) {
        const run = () => target.read(service, { store, sizes_mib: [...plan.sizes_mib] });
        steps.push({ name: `round ${round}, ${service} from ${store}`, run });
      }
    }
    if (round % plan.bursts.everyRounds === 0) steps.push(...burstAfter(round, plan.bursts, target, journal));
  }
  await runSteps(steps, journal, surroundings);
}

/** A step for each task. All of a burst are started with its first step: each of the others waits for its own. */
function burstAfter(
  round: number,
  { tasks, size_mib: size }: Burst,
  target: JitterTarget,
  journal: Journal<JitterEntry>,
): Step<JitterEntry>[] {
  const names = Array.from({ length: tasks }, (_, index) => `after round ${round}, burst, task ${index + 1}`);
  const left = names.filter((name) => !journal.has(name));
  let started: Promise<JitterRecord>[] | null = null;
  const start = () => {
    const burst = { id: randomUUID(), tasks: left.length };
    const reads = left.map(() => target.read('fargate', { store: 'efs', sizes_mib: [size], burst }));
    // The step of each read reports its failure.
    for (const read of reads) read.catch(() => {});
    return reads;
  };
  return left.map((name, index) => ({
    name,
    run: async () => {
      started ??= start();
      // A failure ends the study: let every task end before.
      await Promise.allSettled(started);
      return (await started[index]) as JitterRecord;
    },
  }));
}
