import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';
import { Rate } from '../../src/oauth/rate.ts';

const HOUR_MS = 3_600_000;

/** Two processes with the same records. */
async function openRates(names: readonly [string, string]) {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-rate-'));
  const clock = { ms: 100 * HOUR_MS };
  const now = () => clock.ms;
  const open = () => SqliteRecords.open(join(directory, 'records.sqlite'), now);
  const records = [await open(), await open()] as const;
  onTestFinished(() => {
    for (const each of records) each.close();
    rmSync(directory, { recursive: true });
  });
  const [one, other] = records;
  return { clock, rates: [new Rate(one, names[0], 3, now), new Rate(other, names[1], 3, now)] as const };
}

test('all processes together may do it as often as one, and again in the next hour', async () => {
  const { clock, rates } = await openRates(['a', 'a']);
  const [one, other] = rates;
  const took = await Promise.all([one, other, one, other, one].map((rate) => rate.take()));
  expect(took.filter((may) => may)).toHaveLength(3);
  clock.ms += HOUR_MS - 1;
  expect(await other.take()).toBe(false);
  clock.ms += 1;
  expect([await other.take(), await one.take(), await one.take(), await one.take()]).toEqual([
    ...[true, true, true, false],
  ]);
});

test('what has another name is counted by itself', async () => {
  const { rates } = await openRates(['a', 'b']);
  for (const rate of rates) for (let at = 0; at < 3; at += 1) expect(await rate.take()).toBe(true);
  for (const rate of rates) expect(await rate.take()).toBe(false);
});
