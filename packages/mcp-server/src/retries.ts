import { setTimeout as sleep } from 'node:timers/promises';

/** How often and after which pauses a call is tried again, and the chance that spreads the pauses. */
export interface Retries {
  /** The first one counted. */
  attempts: number;
  firstPauseMs: number;
  longestPauseMs: number;
  /** From 0 to below 1. */
  random: () => number;
}

/**
 * The pause after attempt `attempt` (1 is the first): chosen between nothing and a bound that doubles, so that many
 * clients that were refused together do not come back together.
 * https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/
 */
export function pauseBefore(attempt: number, { firstPauseMs, longestPauseMs, random }: Retries): number {
  return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
}

/** Ends early where the caller no longer waits: what comes next sees the signal itself. */
export async function waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
