import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runInNfsLab } from '../../../../../labs/nfs-lab/run-in-lab.ts';
import { sampled } from '../../../../../labs/sample.ts';
import { testSeed } from '../../../../../labs/seeded-random.ts';
import { expectKept } from './expect-kept.ts';
import type { RaceOptions, RaceReport } from './race.ts';
import { summaryOf, type Verdict } from './verdict.ts';

const TROUBLE = sampled(
  { writesEach: 60, freezeMs: 4000, freezes: 18, kills: 6, quietMs: 3000 },
  { writesEach: 12, freezeMs: 2500, freezes: 5, kills: 2, quietMs: 1500 },
);
const WRITES = 5 * TROUBLE.writesEach;
const MANY = sampled(5, 0);

test(`${WRITES} writes of five NFS clients, in all kinds of trouble`, async ({ annotate, signal }) => {
  const { report, verdict } = await raceOnNfs({ ...TROUBLE, seed: testSeed() }, signal);
  await annotate(summaryOf(report, TROUBLE));
  expectKept(report, verdict, WRITES);
  expect(report.lateAnswers).toBeGreaterThan(MANY);
});

async function raceOnNfs(
  options: Partial<RaceOptions>,
  signal: AbortSignal,
): Promise<{ report: RaceReport; verdict: Verdict }> {
  const program = fileURLToPath(new URL('./nfs-race.ts', import.meta.url));
  const command = ['node', program, JSON.stringify(options)];
  return JSON.parse((await runInNfsLab(command, { clients: 5, signal })).stdout);
}
