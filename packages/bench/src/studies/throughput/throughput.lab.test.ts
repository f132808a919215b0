import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJournal } from '../journal.ts';
import { runStudy } from '../study.ts';
import { testOptions } from '../testing.ts';
import { type ThroughputPlan, throughputEntry } from './entry.ts';
import { throughput } from './study.ts';

const plan: ThroughputPlan = {
  sets: [
    { name: '1 KB', bytes: 1_000, files: 3 },
    { name: '1 MB', bytes: 1_000_000, files: 3 },
  ],
  repetitions: 2,
  pause_ms: 100,
};

test('a local run measures both modes, and the report says that Bursting is a model', async () => {
  const options = testOptions('local');
  const report = await runStudy(throughput, options, plan, quietly(new AbortController().signal));
  expect(entriesIn(options.out, 'local')).toHaveLength(8);
  const reported = readFileSync(report, 'utf8');
  expect(reported).toContain('is a model, not EFS');
  expect(reported).toContain('BurstCreditBalance 2.1 TiB, baseline 1 MiB/s, burst 100 MiB/s');
});

test('a study in the lab that was stopped half-way continues in a new lab', async ({ signal }) => {
  const options = testOptions('lab');
  const stop = new AbortController();
  const stopAfterThree = (line: string) => line.startsWith('3 of 8') && stop.abort();
  await expect(
    runStudy(throughput, options, plan, {
      signal: AbortSignal.any([signal, stop.signal]),
      progress: stopAfterThree,
    }),
  ).rejects.toMatchObject({ code: 'interrupted' });
  const before = entriesIn(options.out, 'lab');
  expect(before.length).toBeGreaterThanOrEqual(3);
  expect(before.length).toBeLessThan(8);

  await runStudy(throughput, options, plan, quietly(signal));
  const after = entriesIn(options.out, 'lab');
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after).toHaveLength(8);
  expect(new Set(after.map(({ step }) => step)).size).toBe(8);
  expect(after.filter(({ mode }) => mode === 'bursting').every(({ credits_mib }) => credits_mib)).toBe(true);
});

function quietly(signal: AbortSignal) {
  return { signal, progress: () => {} };
}

function entriesIn(out: string, target: string) {
  return parseJournal(readFileSync(join(out, `throughput-${target}.ndjson`), 'utf8'), throughputEntry)
    .entries;
}
