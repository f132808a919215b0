import { setTimeout as wait } from 'node:timers/promises';
import type { Journal } from '../journal.ts';
import { runSteps, type Step } from '../run-steps.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ThroughputEntry, ThroughputPlan } from './entry.ts';
import { type FileSet, type Mode, modes, type ThroughputRequest } from './record.ts';
import type { ThroughputTarget } from './target.ts';
import { newFileSystem } from './token-bucket.ts';

/** Measures what the journal lacks: in each repetition every set of files by both functions. */
export async function collectThroughput(
  rounds: number,
  plan: ThroughputPlan,
  target: ThroughputTarget,
  journal: Journal<ThroughputEntry>,
  surroundings: Surroundings,
): Promise<void> {
  const steps: Step<ThroughputEntry>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (let repetition = 1; repetition <= plan.repetitions; repetition += 1) {
      const pause = { isDue: round > 1 || repetition > 1 };
      for (const set of plan.sets) {
        // The first after a pause finds the machine cooler: they take turns.
        for (const mode of repetition % 2 === 1 ? modes : modes.toReversed()) {
          const name = `round ${round}, repetition ${repetition}, ${set.name}, ${mode}`;
          const run = async () => {
            // Before whichever step of a repetition comes first: the others may be done already.
            if (pause.isDue) await wait(plan.pause_ms);
            pause.isDue = false;
            const record = await target.write(mode, requestOf(set, mode, target, journal));
            return { ...record, mode, set: set.name };
          };
          steps.push({ name, run });
        }
      }
    }
  }
  await runSteps(steps, journal, surroundings);
}

function requestOf(
  { bytes, files }: FileSet,
  mode: Mode,
  target: ThroughputTarget,
  journal: Journal<ThroughputEntry>,
): ThroughputRequest {
  if (!target.modelled || mode === 'elastic') return { bytes, files };
  const last = journal.entries.findLast((entry) => entry.mode === mode && entry.credits_mib !== undefined);
  return { bytes, files, bucket: { ...newFileSystem, ...earnedSince(last, Date.now()) } };
}

/**
 * The current credits of the bucket: the remaining ones, plus those earned at the baseline rate while nothing
 * was written.
 */
function earnedSince(last: ThroughputEntry | undefined, now: number): { credits_mib: number } | undefined {
  if (last?.credits_mib === undefined) return undefined;
  const idleMs = Math.max(0, now - Date.parse(last.time) - last.duration_ms);
  const credits = last.credits_mib + (idleMs / 1000) * newFileSystem.baseline_mib_per_s;
  return { credits_mib: Math.min(newFileSystem.credits_mib, credits) };
}
