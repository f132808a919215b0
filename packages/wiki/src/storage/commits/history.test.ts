import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { bareRepository, git } from '../../../test/native-git.ts';
import { openStore } from '../../../test/storage/stores.ts';
import type { Oid } from '../../formats/oid.ts';
import type { ObjectReader } from '../storage.ts';
import { commitsBeside, isAncestor, readIfThere } from './history.ts';

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

it('finds what git finds beside another commit, each commit once, if dates are right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(WILD_COMMIT, { minLength: 20, maxLength: 50 }), async (plans) => {
      const directory = bareRepository();
      const dated = plans.map(({ back }, number) => ({ back, date: number + 1 }));
      const commits = importCommits(directory, dated).map(({ oid }) => oid);
      const objects = openStore(directory);
      const read = (oid: Oid) => readIfThere(objects, oid);
      for (const [from, beside] of [commits.slice(-2), commits.slice(-2).reverse(), commits.slice(-12)]) {
        const found: Oid[] = [];
        const options = { from: from ?? '', beside: beside ?? '', read };
        for await (const { oid } of commitsBeside(objects, options)) found.push(oid);
        const listed = git(directory, ['rev-list', `${from}`, `^${beside}`]).split('\n');
        expect(found.sort()).toEqual(listed.filter((oid) => oid !== '').sort());
      }
    }),
    { numRuns: sampled(10, 1) },
  );
});

it.each([
  ['that diverged recently', { date: 600, back: 5 }, 10],
  ['of which one is far ahead', { date: 480, back: 20 }, 50],
])('reads little of two histories %s', async (_, { date, back }, most) => {
  const directory = bareRepository();
  const line = Array.from({ length: 500 }, (_, number) => ({ date: number, back: number === 0 ? [] : [1] }));
  const commits = importCommits(directory, [...line, { date, back: [back] }]);
  const { objects, read } = noting(openStore(directory));
  expect(await isAncestor(objects, commits[500]?.oid ?? '', commits[499]?.oid ?? '')).toBe(false);
  expect(await isAncestor(objects, commits[499]?.oid ?? '', commits[500]?.oid ?? '')).toBe(false);
  expect(new Set(read).size).toBeLessThan(most);
});

it('reads each commit of many merges a few times', async () => {
  const directory = bareRepository();
  const line = Array.from({ length: 40 }, (_, number) => ({ date: number, back: number < 2 ? [] : [1, 2] }));
  const commits = importCommits(directory, [...line, { date: 50, back: [] }]);
  const { objects, read } = noting(openStore(directory));
  for (const [one, other] of [
    [39, 40],
    [40, 39],
  ]) {
    expect(await isAncestor(objects, commits[one ?? 0]?.oid ?? '', commits[other ?? 0]?.oid ?? '')).toBe(
      false,
    );
  }
  expect(read.length).toBeLessThan(200);
});

it('reports what cannot be read now, and takes it for lost only if it is', async () => {
  const directory = bareRepository();
  const [commit] = importCommits(directory, [{ date: 1, back: [] }]);
  const { oid } = commit ?? { oid: '' };
  const objects = openStore(directory);
  expect(await readIfThere(objects, '1'.repeat(40))).toBeNull();
  expect(await readIfThere(objects, oid)).toMatchObject({ oid, date: 1 });
  rmSync(join(directory, 'objects'), { recursive: true });
  writeFileSync(join(directory, 'objects'), '');
  await expect(readIfThere(openStore(directory), oid)).rejects.toMatchObject({ code: 'io_error' });
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

/** The objects, and the oid of each that was read. */
function noting(objects: ObjectReader): { objects: ObjectReader; read: Oid[] } {
  const read: Oid[] = [];
  const noted = (oid: Oid) => {
    read.push(oid);
    return objects.read(oid);
  };
  return { objects: { read: noted }, read };
}

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
