import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { openStore } from '../../../test/storage/stores.ts';
import type { Oid } from '../../formats/oid.ts';
import { isAncestor } from './history.ts';

it('finds the ancestors of a commit, even if histories merge and dates are wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(WILD_COMMIT, { minLength: 20, maxLength: 50 }), async (plans) => {
      const directory = bareRepository();
      const commits = importCommits(directory, plans);
      const objects = openStore(directory);
      for (const { oid, ancestors } of commits) {
        for (const { oid: ancestor } of commits) {
          expect(await isAncestor(objects, ancestor, oid)).toBe(ancestors.has(ancestor));
        }
      }
    }),
    { numRuns: sampled(10, 1) },
  );
});

it('reads little of two histories that diverged recently', async () => {
  const directory = bareRepository();
  const line = Array.from({ length: 500 }, (_, number) => ({ date: number, back: number === 0 ? [] : [1] }));
  const commits = importCommits(directory, [...line, { date: 600, back: [5] }]);
  const objects = openStore(directory);
  const read = new Set<Oid>();
  const counting = {
    read: (oid: Oid) => {
      read.add(oid);
      return objects.read(oid);
    },
  };
  expect(await isAncestor(counting, commits[500]?.oid ?? '', commits[499]?.oid ?? '')).toBe(false);
  expect(read.size).toBeLessThan(10);
});

it('reads nothing behind the ancestor', async () => {
  const directory = bareRepository();
  const tree = git(directory, ['hash-object', '-w', '-t', 'tree', '--stdin']);
  const commit = (parent: Oid | undefined, date: number) => {
    const by = `A. Writer <writer@example.org> ${date} +0000`;
    const text = `tree ${tree}\n${parent ? `parent ${parent}\n` : ''}author ${by}\ncommitter ${by}\n\nText\n`;
    return git(directory, ['hash-object', '-w', '-t', 'commit', '--stdin'], text);
  };
  const ancestor = commit('1'.repeat(40), 3);
  const objects = openStore(directory);
  expect(await isAncestor(objects, ancestor, commit(ancestor, 2))).toBe(true);
  expect(await isAncestor(objects, ancestor, commit(undefined, 1))).toBe(false);
});

/** A commit with parents so many commits before it. */
interface CommitPlan {
  date: number;
  back: number[];
}

const WILD_COMMIT: fc.Arbitrary<CommitPlan> = fc.record({
  date: fc.integer({ min: 1, max: 30 }),
  back: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
});

/** Makes the commits. Returns for each the commits that it reaches, itself among them. */
function importCommits(directory: string, plans: CommitPlan[]): { oid: Oid; ancestors: Set<Oid> }[] {
  const parents = plans.map(({ back }, number) => back.map((by) => number - by).filter((at) => at >= 0));
  const lines = plans.flatMap(({ date }, number) => [
    'reset refs/heads/main',
    'commit refs/heads/main',
    `mark :${number + 1}`,
    `committer A. Writer <writer@example.org> ${date} +0000`,
    `data ${`${number}`.length}`,
    `${number}`,
    ...(parents[number] ?? []).map((parent, place) => `${place > 0 ? 'merge' : 'from'} :${parent + 1}`),
  ]);
  const marks = join(directory, 'marks');
  git(directory, ['fast-import', '--quiet', '--force', `--export-marks=${marks}`], `${lines.join('\n')}\n`);
  const oidOfMark = new Map(
    readFileSync(marks, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(1).split(' ') as [string, Oid]),
  );
  const commits: { oid: Oid; ancestors: Set<Oid> }[] = [];
  for (const number of plans.keys()) {
    const oid = oidOfMark.get(`${number + 1}`) ?? '';
    const behind = (parents[number] ?? []).flatMap((parent) => [...(commits[parent]?.ancestors ?? [])]);
    commits.push({ oid, ancestors: new Set([oid, ...behind]) });
  }
  return commits;
}
