import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { nodeFileSystem } from '../../storage/files/node-file-system.ts';
import { ObjectStore } from '../../storage/objects/object-store.ts';
import type { ObjectReader } from '../../storage/storage.ts';
import { mergeBases } from '../merging/merge-bases.ts';
import { Objects } from '../objects.ts';
import { walkHistory } from './read-history.ts';

interface TestCommit {
  /** Any numbers: each stands for one of the commits before, most of them for the last. */
  parents: number[];
  seconds: number;
}

const histories: fc.Arbitrary<TestCommit[]> = fc.array(
  fc.record({
    parents: fc.uniqueArray(fc.nat(), { maxLength: 3 }),
    seconds: fc.nat({ max: 30 }),
  }),
  { minLength: 1, maxLength: 25 },
);

test('history comes in the order of git log, whatever was merged and however wrong the clocks were', async () => {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const objects = new Objects(store, 1_000_000);
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const tip = makeHistory(directory, history).at(-1) ?? '';
      const walked: string[] = [];
      for await (const { oid } of walkHistory(objects, tip)) walked.push(oid);
      expect(walked).toEqual(git(directory, ['log', '--format=%H', tip]).split('\n'));
    }),
    { numRuns: 40 },
  );
  await store.close();
});

test('the merge bases are those that git names, and missing where git finds none', async () => {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const objects = new Objects(store, 1_000_000);
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), fc.nat(), async (history, first, second) => {
      // Dates that never run backwards: with wrong ones git itself looks further, and we may find older ones.
      const commits = makeHistory(
        directory,
        history.map((commit, at) => ({ ...commit, seconds: at })),
      );
      const [one, other] = [first, second].map((place) => commits[place % commits.length] ?? '');
      const bases = await mergeBases(objects, one ?? '', other ?? '');
      expect(bases.toSorted()).toEqual(nativeMergeBases(directory, one ?? '', other ?? '').toSorted());
    }),
    { numRuns: 25 },
  );
  await store.close();
});

test('a linear history is read one commit at a time, without remembering any', async () => {
  const directory = bareRepository();
  const store = new ObjectStore({ fs: nodeFileSystem, gitDirectory: directory, cacheBytes: 1_000_000 });
  const line = Array.from({ length: 50 }, (_, at) => ({ parents: [0], seconds: at }));
  const tip = makeHistory(directory, line).at(-1) ?? '';
  let reads = 0;
  const counted: ObjectReader = {
    read: (oid) => {
      reads += 1;
      return store.read(oid);
    },
  };
  for await (const { oid } of walkHistory(new Objects(counted, 1_000_000), tip)) {
    expect(oid).toBe(tip);
    break;
  }
  expect(reads).toBe(1);
  await store.close();
});

/** Has native git make the commits, and returns their oids in order. */
function makeHistory(directory: string, history: readonly TestCommit[]): string[] {
  const lines = history.flatMap(({ parents, seconds }, at) => {
    const marks = [...new Set(parents.filter(() => at > 0).map((parent) => parentOf(parent, at)))];
    return [
      `commit refs/tests/${at}`,
      `mark :${at + 1}`,
      `committer A. Writer <writer@example.org> ${1_000_000_000 + seconds} +0000`,
      `data ${`${at}`.length}`,
      `${at}`,
      ...marks.map((mark, place) => `${place === 0 ? 'from' : 'merge'} :${mark + 1}`),
      'deleteall',
    ];
  });
  const marks = join(directory, 'marks-of-test');
  const input = `${lines.join('\n')}\ndone\n`;
  git(directory, ['fast-import', '--quiet', '--force', '--done', `--export-marks=${marks}`], input);
  const oids = new Map(
    readFileSync(marks, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(1).split(' ') as [string, string]),
  );
  return history.map((_, at) => oids.get(`${at + 1}`) ?? '');
}

function parentOf(number: number, at: number): number {
  return number % 2 === 0 ? at - 1 : number % at;
}

/** Every merge base; `null` if there is none. */
function nativeMergeBases(directory: string, one: string, other: string): string[] {
  try {
    return git(directory, ['merge-base', '--all', one, other]).split('\n');
  } catch (error) {
    // Git exits with 1 and prints nothing if two histories never meet.
    if (error instanceof Error && /exited 1: $/.test(error.message)) return [];
    throw error;
  }
}
