import { beforeEach, expect, test } from 'vitest';
import { bareRepository } from '../../../test/native-git.ts';
import { commitFilesTo, openTestRepository, pathsOf, text } from '../../../test/test-repository.ts';
import type { Snapshot, TreeEntry } from '../ports.ts';
import { limitSnapshot } from './limited-snapshot.ts';

const FOLDERS = ['in/', 'also/deep/', 'no/way/'];
const DECOMPOSED = 'É'.normalize('NFD');

let base: Snapshot;
let added: TreeEntry[];
let isReadable: boolean;
let asked: unknown[];

beforeEach(async () => {
  const repository = await openTestRepository(bareRepository());
  await commitFilesTo(
    repository,
    text('Home.md', 'home'),
    text('in/A.md', 'a'),
    text('in/Deep/B.md', 'b'),
    text('inner/C.md', 'c'),
    text('also/D.md', 'd'),
    text('also/deep/E.md', 'e'),
    text('also/deeper/F.md', 'f'),
    text('no/G.md', 'g'),
    text(`${DECOMPOSED}/H.md`, 'h'),
  );
  base = await repository.head();
  [added, asked, isReadable] = [[], [], true];
});

function limited(folders: readonly string[] = FOLDERS, options?: { showsWays: boolean }): Snapshot {
  const blobs = {
    add: (entry: TreeEntry) => void added.push(entry),
    includes: async (...given: unknown[]) => {
      asked.push(given);
      return isReadable;
    },
  };
  return limitSnapshot(base, folders, blobs, options);
}

async function namesIn(snapshot: Snapshot, folder: string): Promise<string[] | null> {
  const entries = await snapshot.folder(folder);
  return entries?.map(({ name, kind }) => `${name} ${kind}`) ?? null;
}

test('a file is there if it lies in one of the folders, and may then be read', async () => {
  const snapshot = limited();
  expect(snapshot.commit).toBe(base.commit);
  expect(await snapshot.entry('in/Deep/B.md')).toEqual(await base.entry('in/Deep/B.md'));
  for (const path of ['inner/C.md', 'also/D.md', 'Home.md', 'in/None.md'])
    expect(await snapshot.entry(path), path).toBeNull();
  expect(added.map(({ path }) => path)).toEqual(['in/Deep/B.md']);
});

test('the files are those of the folders', async () => {
  const inside = ['also/deep/E.md', 'in/A.md', 'in/Deep/B.md'];
  expect(await pathsOf(limited())).toEqual(inside);
  expect(added.map(({ path }) => path)).toEqual(inside);
  expect(await pathsOf(limited(), 'in/Deep')).toEqual(['in/Deep/B.md']);
  expect(await pathsOf(limited(), 'also')).toEqual(['also/deep/E.md']);
});

test('a folder outside is there if it leads to one that is', async () => {
  const snapshot = limited();
  expect(await namesIn(snapshot, '')).toEqual(['also folder', 'in folder']);
  expect(await namesIn(snapshot, 'also')).toEqual(['deep folder']);
  expect(await namesIn(snapshot, 'also/deep')).toEqual(['E.md file']);
  expect(await namesIn(snapshot, 'in')).toEqual(['A.md file', 'Deep folder']);
  expect(await namesIn(snapshot, 'in/Deep')).toEqual(['B.md file']);
  for (const folder of ['no', 'no/way', 'inner', 'i', 'also/deeper', 'Home.md', 'in/None'])
    expect(await namesIn(snapshot, folder), folder).toBeNull();
  expect(await namesIn(limited(['no/way/']), '')).toEqual([]);
  expect(await namesIn(limited(['none/way/']), 'none')).toBeNull();
});

test('for a write also the folders that could lead to one are there, without their files', async () => {
  const snapshot = limited(FOLDERS, { showsWays: true });
  expect(await namesIn(snapshot, '')).toEqual(['also folder', 'in folder', 'no folder']);
  expect(await namesIn(snapshot, 'no')).toEqual([]);
  expect(await namesIn(snapshot, 'inner')).toBeNull();
});

test('a folder is compared in NFC', async () => {
  const snapshot = limited(['É/']);
  expect(await namesIn(snapshot, '')).toEqual([`${DECOMPOSED} folder`]);
  expect(await namesIn(snapshot, DECOMPOSED)).toEqual(['H.md file']);
  expect(await snapshot.entry(`${DECOMPOSED}/H.md`)).not.toBeNull();
});

test('a blob is read only if the call may read it', async () => {
  const { oid } = (await base.entry('Home.md')) ?? { oid: '' };
  expect(Buffer.from(await limited().blob(oid)).toString()).toBe('home');
  expect(await limited().size(oid)).toBe('home'.length);
  expect(Buffer.from(await limited().beginning(oid, 2)).toString()).toBe('ho');
  isReadable = false;
  // One that exists nowhere gives the same error, or a guessed text could be confirmed by its id.
  const unknown = '1'.repeat(40);
  for (const asks of [oid, unknown]) {
    for (const read of ['blob', 'size', 'beginning'] as const) {
      await expect(limited()[read](asks, 2)).rejects.toMatchObject({
        code: 'not_found',
        text: {
          happened: `There is no version ${asks}.`,
          now: 'Nothing was changed.',
          next: 'Read the page again.',
        },
      });
    }
  }
  const three = (id: string) => Array.from({ length: 3 }, () => [id, base.commit]);
  expect(asked).toEqual([...three(oid), ...three(oid), ...three(unknown)]);
});
