import type { Journal } from './journal.ts';
import { StudyError } from './study-error.ts';
import type { Surroundings } from './surroundings.ts';

/** One thing to measure; `name` is its own in the whole study. */
export interface Step<Entry extends { step: string }> {
  readonly name: string;
  run(): Promise<Omit<Entry, 'step'>>;
}

/**
 * Runs the steps that have no result yet, one after another, and writes each result down at once.
 * @throws StudyError `interrupted` or `step_failed`; what was measured until then is kept.
 */
export async function runSteps<Entry extends { step: string }>(
  steps: readonly Step<Entry>[],
  journal: Journal<Entry>,
  { signal, progress }: Surroundings,
): Promise<void> {
  const left = steps.filter(({ name }) => !journal.has(name));
  let done = steps.length - left.length;
  const reported = () =>
    `${done} of ${steps.length} steps are done and kept; the same command goes on from there.`;
  if (done > 0 && left.length > 0) progress(`Going on after ${done} of ${steps.length} steps.`);
  for (const step of left) {
    if (signal.aborted) throw new StudyError('interrupted', `Stopped: ${reported()}`);
    let result: Omit<Entry, 'step'>;
    try {
      result = await step.run();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StudyError('step_failed', `Step "${step.name}" failed: ${reason}\n${reported()}`, {
        cause: error,
      });
    }
    journal.append({ step: step.name, ...result } as Entry);
    done += 1;
    progress(`${done} of ${steps.length}: ${step.name}`);
  }
}
