import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../native-git.ts';
import { expectKept } from './expect-kept.ts';
import { CALM, runRace } from './race.ts';
import { summaryOf, verdictOn } from './verdict.ts';

test('of five processes in three rounds all fifteen writes are in the head', async () => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const report = await runRace({ ...CALM, directory, writesEach: 3 });
  expectKept(report, verdictOn(directory), 15);
});

test('five processes, frozen, killed, retried and pushed beside, lose nothing', async ({ annotate }) => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const trouble = { freezeMs: 2500, freezes: 8, kills: 3, pushes: true, quietMs: 1500 };
  const report = await runRace({ ...CALM, ...trouble, directory, writesEach: 20 });
  expectKept(report, verdictOn(directory), 100);
  expect(report.lateAnswers).toBeGreaterThan(0);
  await annotate(summaryOf(report));
});
