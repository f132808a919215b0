import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { testSeed } from '../../../../../labs/seeded-random.ts';
import { bareRepository, git, temporaryDirectory } from '../../native-git.ts';
import { expectKept } from './expect-kept.ts';
import { CALM, runRace } from './race.ts';
import { appliedRequests, summaryOf, verdictOn } from './verdict.ts';

// Many short steps, each with a native git of its own: long on a machine that does other things too.
vi.setConfig({ testTimeout: 1_800_000 });

test('all fifteen writes of five processes in three rounds are in the head', async () => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const report = await runRace({ ...CALM, directory, writesEach: 3 });
  expectKept(report, verdictOn(directory), 15);
});

test('five processes that are frozen, killed and retried beside pushes lose nothing', async ({
  annotate,
}) => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const trouble = {
    freezeMs: 2500,
    freezes: sampled(8, 2),
    kills: sampled(3, 1),
    pushes: true,
    quietMs: 1500,
    seed: testSeed(),
  };
  const writesEach = sampled(20, 6);
  const report = await runRace({ ...CALM, ...trouble, directory, writesEach });
  expectKept(report, verdictOn(directory), 5 * writesEach);
  expect(report.lateAnswers).toBeGreaterThan(0);
  await annotate(summaryOf(report, trouble));
});

test('native git may tidy, copy and push while processes write', async ({ annotate }) => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const writesEach = sampled(50, 12);
  const trouble = { freezeMs: 1000, freezes: 3, quietMs: 1500, seed: testSeed() };
  const beside = { ...trouble, pushes: true, housekeeping: true };
  const report = await runRace({ ...CALM, ...beside, directory, writers: 3, writesEach });
  await annotate(summaryOf(report, { ...beside, kills: 0 }));
  expectKept(report, verdictOn(directory), 3 * writesEach);
  expect(report.pushed.length).toBeGreaterThan(0);
});

test('isomorphic-git alone loses writes in at least one of ten such races', async ({ annotate }) => {
  const program = new URL('./isomorphic-writer.ts', import.meta.url);
  let lost = 0;
  let races = 0;
  while (lost === 0 && races++ < 10) {
    const directory = bareRepository();
    const first = git(directory, ['commit-tree', git(directory, ['mktree']), '-m', 'Begin']);
    git(directory, ['update-ref', 'refs/heads/main', first]);
    const { acknowledged } = await runRace({ ...CALM, program, directory, writesEach: 3 });
    const applied = appliedRequests(directory);
    lost = Object.keys(acknowledged).filter((id) => applied[id] === undefined).length;
  }
  expect(lost).toBeGreaterThan(0);
  await annotate(`${lost} of 15 acknowledged writes lost in race ${races}`);
});
