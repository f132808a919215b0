import { setTimeout as sleep } from 'node:timers/promises';

/** The number of attempts, the pauses between them, and the random source that spreads the pauses. */
export interface Retries {
  /** Includes the first one. */
  attempts: number;
  firstPauseMs: number;
  longestPauseMs: number;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * The pause after attempt `attempt` (1 is the first): random between zero and a bound that doubles, so that
 * clients that were refused together do not retry together.
 * https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export function pauseBefore(attempt: number, { firstPauseMs, longestPauseMs, random }: Retries): number {
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
}

/** Ends early if the caller no longer waits: the next step checks the signal itself. */
export async function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
