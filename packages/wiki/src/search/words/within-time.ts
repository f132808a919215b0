import { WikiError } from '../../contract/errors.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import type { Pacer } from '../pacer.ts';

/** The same steps, which end with an error if they take too long. */
export function* withinTime<Result>(steps: Steps<Result>, pacer: Pacer, maxMs = MAX_WORDS_MS): Steps<Result> {
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (pacer.workedMs > maxMs) throw tooLong(maxMs);
    yield;
  }
}

/** The working time of one search, without waits. Usual ones take a hundredth of it. */
const MAX_WORDS_MS = 3_000;

function tooLong(maxMs: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `The search took longer than ${maxMs / 1_000} seconds of work and was stopped.`,
      now: 'Nothing was found or changed.',
      next: 'Give fewer words, longer beginnings of words, or shorter phrases.',
    },
    { maxMs },
  );
}
