import type { Journal } from '../journal.ts';
import { runSteps, type Step } from '../run-steps.ts';
import type { Surroundings } from '../surroundings.ts';
import type { JitterEntry, JitterPlan } from './entry.ts';
import { services, stores } from './record.ts';
import type { JitterTarget } from './target.ts';

/** Measures what the journal lacks: in each round one read by each service from each store. */
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
  }
  await runSteps(steps, journal, surroundings);
}
