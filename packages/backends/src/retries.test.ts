import { expect, test } from 'vitest';
import { pauseBefore, waitFor } from './retries.ts';

test('pauses double up to the longest one, and each is spread at random from zero to its length', () => {
  const pauses = (share: number) =>
    [1, 2, 3, 4, 5, 6].map((attempt) =>
      pauseBefore(attempt, { attempts: 6, firstPauseMs: 100, longestPauseMs: 1_000, random: () => share }),
    );
  expect(pauses(1)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  expect(pauses(0.5)).toEqual([50, 100, 200, 400, 500, 500]);
  expect(pauses(0)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('a pause ends without an error if the caller no longer waits', async () => {
  await waitFor(1, undefined);
  const call = new AbortController();
  const pause = waitFor(1_000_000_000, call.signal);
  call.abort();
  await expect(pause).resolves.toBeUndefined();
  await expect(waitFor(1_000_000_000, call.signal)).resolves.toBeUndefined();
});

test('a pause that no timer can hold is reported', async () => {
  await expect(waitFor('soon' as unknown as number, undefined)).rejects.toThrow('soon');
});
