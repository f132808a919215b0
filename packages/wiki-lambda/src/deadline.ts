import { aroundEach, effectOf, type OperationName, type Wiki, WikiError } from '@pagetree/wiki/contract';
import type { CallRecord } from './operation-log.ts';

/** The time that an invocation has. */
export interface Deadline {
  /** Aborted when it is too late to begin work that must be finished. */
  signal: AbortSignal;
  /** Resolves when an answer must be sent, whatever is still running. */
  passed: Promise<void>;
  /** Called when the answer is ready. */
  clear(): void;
}

/**
 * Running work has a second to end, and the answer half a second to leave before Lambda kills the process.
 */
const BEGIN_RESERVE_MS = 1_500;
const ANSWER_RESERVE_MS = 500;

/**
 * Work that continues later ends early enough not to raise the alarm for long calls, which triggers at 80 %
 * (packages/infra).
 */
const SHARE_OF_WHAT_GOES_ON = 0.7;

/**
 * @param remainingMs The time until Lambda kills the process. If it is short, a third of it is reserved, not
 * all.
 */
export function startDeadline(
  remainingMs: number,
  { goesOnLater }: Pick<CallRecord, 'goesOnLater'>,
): Deadline {
  const share = Math.min(1, remainingMs / (3 * BEGIN_RESERVE_MS));
  const tooLate = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const beginMs = remainingMs - share * BEGIN_RESERVE_MS;
  const endMs = goesOnLater ? Math.min(beginMs, SHARE_OF_WHAT_GOES_ON * remainingMs) : beginMs;
  const beginTimer = setTimeout(() => tooLate.abort(), endMs);
  const answerTimer = setTimeout(resolve, remainingMs - share * ANSWER_RESERVE_MS);
  const clear = () => {
    clearTimeout(beginTimer);
    clearTimeout(answerTimer);
  };
  return { signal: tooLate.signal, passed: promise, clear };
}

/**
 * The same wiki with an answer in time. Work that is still running then may complete when the environment
 * wakes up again. So the outcome of a write is unknown, and repeating it under its request id is safe.
 */
export function withinDeadline(wiki: Wiki, { passed }: Deadline): Wiki {
  return aroundEach(
    async () => wiki,
    (operation, run, input) => {
      const late = passed.then(() => {
        throw outOfTime(operation, input);
      });
      return Promise.race([run(), late]);
    },
  );
}

function outOfTime(operation: OperationName, input: unknown): WikiError {
  const happened = 'The wiki did not come to an end in the time that the function has.';
  if (effectOf(operation, input) === 'write') {
    return new WikiError('write_state_unknown', {
      happened,
      now: 'The change may or may not be in the wiki, and may still be made.',
      next: 'Read the page to see, or repeat the call with the same request_id: it is never applied twice.',
      atTerminal: 'Look in the wiki whether the change is there before you make it again.',
    });
  }
  return new WikiError(
    'busy',
    {
      happened,
      now: 'Nothing was changed.',
      next: 'Wait a moment and repeat the call.',
      atTerminal: 'Wait a moment and try again.',
    },
    { retry_after_ms: 1_000 },
  );
}
