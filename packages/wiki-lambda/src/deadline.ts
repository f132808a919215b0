import { type OperationName, operations, type Wiki, WikiError } from '@pagetree/wiki/contract';
import { aroundEach } from './around-each.ts';

/** The time that an invocation has. */
export interface Deadline {
  /** Aborted when it is too late to begin anything that must be finished. */
  signal: AbortSignal;
  /** Resolves when an answer must leave, whatever is still under way. */
  passed: Promise<void>;
  /** To be called when the answer is there. */
  clear(): void;
}

/** What has been begun has a second to end, and the answer half a second to leave before Lambda kills the process. */
const BEGIN_RESERVE_MS = 1_500;
const ANSWER_RESERVE_MS = 500;

/** @param remainingMs until Lambda kills the process. Of little time a third is kept, not all. */
export function startDeadline(remainingMs: number): Deadline {
  const share = Math.min(1, remainingMs / (3 * BEGIN_RESERVE_MS));
  const tooLate = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const beginTimer = setTimeout(() => tooLate.abort(), remainingMs - share * BEGIN_RESERVE_MS);
  const answerTimer = setTimeout(resolve, remainingMs - share * ANSWER_RESERVE_MS);
  const clear = () => {
    clearTimeout(beginTimer);
    clearTimeout(answerTimer);
  };
  return { signal: tooLate.signal, passed: promise, clear };
}

/**
 * The same wiki with an answer in time. What is still under way then may be done when the environment wakes up again:
 * so nobody knows of a write, and repeating it under its request id is safe.
 */
export function withinDeadline(wiki: Wiki, { passed }: Deadline): Wiki {
  return aroundEach(
    async () => wiki,
    (operation, run) => {
      const late = passed.then(() => {
        throw outOfTime(operation);
      });
      return Promise.race([run(), late]);
    },
  );
}

function outOfTime(operation: OperationName): WikiError {
  const happened = 'The wiki did not come to an end in the time that the function has.';
  if (operations[operation].effect === 'write') {
    return new WikiError('write_state_unknown', {
      happened,
      now: 'The change may or may not be in the wiki, and may still be made.',
      next: 'Read the page to see, or repeat the call with the same request_id: it is never applied twice.',
    });
  }
  return new WikiError(
    'busy',
    { happened, now: 'Nothing was changed.', next: 'Wait a moment and repeat the call.' },
    { retry_after_ms: 1_000 },
  );
}
