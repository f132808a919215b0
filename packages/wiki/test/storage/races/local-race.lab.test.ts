import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testSeed } from '../../../../../labs/seeded-random.ts';
import { temporaryDirectory } from '../../native-git.ts';
import { expectKept } from './expect-kept.ts';
import { CALM, runRace } from './race.ts';
import { summaryOf, verdictOn } from './verdict.ts';

const TROUBLE = { writesEach: 60, freezeMs: 4000, freezes: 18, kills: 6, quietMs: 3000 };
const WRITES = 5 * TROUBLE.writesEach;
const MANY = 5;

test(`${WRITES} writes of five processes on a local disk, in all kinds of trouble`, async ({ annotate }) => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const report = await runRace({ ...CALM, ...TROUBLE, seed: testSeed(), pushes: true, directory });
  await annotate(summaryOf(report, TROUBLE));
  expectKept(report, verdictOn(directory), WRITES);
  expect(report.lateAnswers).toBeGreaterThan(MANY);
  expect(report.pushed.length).toBeGreaterThan(MANY);
});
