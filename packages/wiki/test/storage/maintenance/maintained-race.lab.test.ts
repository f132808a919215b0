import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runInNfsLab } from '../../../../../labs/nfs-lab/run-in-lab.ts';
import { testSeed } from '../../../../../labs/seeded-random.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { expectKept } from '../races/expect-kept.ts';
import { CALM } from '../races/race.ts';
import { summaryOf, type Verdict, verdictOn } from '../races/verdict.ts';
import { helpOf, type MaintainedRaceReport, runMaintainedRace } from './maintained-race.ts';

const TROUBLE = { freezeMs: 1500, freezes: 12, kills: 3, quietMs: 1500 };

test('two processes of constant maintenance without grace periods harm no writer or reader on a local disk', async ({
  annotate,
}) => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const report = await runMaintainedRace({
    ...CALM,
    ...TROUBLE,
    seed: testSeed(),
    writesEach: 60,
    directory,
  });
  await annotate(`${summaryOf(report.race, TROUBLE)}; ${helpOf(report)}`);
  expectUnharmed(report, verdictOn(directory), 300);
});

test('two processes of constant maintenance without grace periods harm no writer or reader on NFS', async ({
  annotate,
  signal,
}) => {
  const program = fileURLToPath(new URL('./nfs-maintained-race.ts', import.meta.url));
  const trouble = { ...TROUBLE, freezes: 4, seed: testSeed() };
  const command = ['node', program, JSON.stringify({ ...trouble, writesEach: 20 })];
  const output = await runInNfsLab(command, { clients: 9, signal });
  const { report, verdict }: { report: MaintainedRaceReport; verdict: Verdict } = JSON.parse(output.stdout);
  await annotate(`${summaryOf(report.race, trouble)}; ${helpOf(report)}`);
  expectUnharmed(report, verdict, 100);
});

function expectUnharmed(report: MaintainedRaceReport, verdict: Verdict, writes: number): void {
  expect(report.readers.flatMap(({ failures }) => failures)).toEqual([]);
  expectKept(report.race, verdict, writes);
  for (const { reads } of report.readers) expect(reads).toBeGreaterThan(100);
  // Fewer on a busy machine: the race is one only if both merge.
  for (const { merged } of report.maintainers) expect(merged).toBeGreaterThanOrEqual(writes / 50);
}
