import { setTimeout as wait } from 'node:timers/promises';
import { FunctionFailure } from '../../../labs/lambda-lab/invoke-wiki.ts';
import { WikiError } from '../../wiki/src/contract/errors.ts';
import type { Call } from '../../wiki/src/contract/wiki.ts';

/** The caller. */
export const call: Call = {
  caller: { author: { name: 'A Writer', email: 'writer@example.org' }, agent: 'test/1.0' },
};

/** The result of one call that was repeated until it was answered. */
export interface Persisted<T> {
  answer: T;
  /** The failure of each attempt before the last, such as `throttled`. */
  failures: string[];
}

/** Longer than any throttling here lasts. */
const ATTEMPTS = 200;

/**
 * Repeats a call until it is answered: after throttling, after an answer that was lost or never came, after a
 * function error, and if the wiki reports that the outcome is unknown or that it is busy. Only a request with
 * an id may be repeated.
 */
export async function persistently<T>(send: (attempt: number) => Promise<T>): Promise<Persisted<T>> {
  const failures: string[] = [];
  for (let attempt = 0; ; attempt += 1) {
    try {
      return { answer: await send(attempt), failures };
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null || attempt === ATTEMPTS) throw error;
      failures.push(failure);
      await wait(Math.random() * Math.min(500, 20 * 2 ** Math.min(attempt, 5)));
    }
  }
}

/** Null for a failure that a repetition does not cure. */
function failureOf(error: unknown): string | null {
  if (error instanceof FunctionFailure) return 'function error';
  if (error instanceof WikiError) {
    return error.code === 'busy' || error.code === 'write_state_unknown' ? error.code : null;
  }
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === 'TooManyRequestsException') return 'throttled';
  if (name === 'AbortError') return 'given up';
  return code === 'ECONNRESET' ? 'lost' : null;
}

export function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
