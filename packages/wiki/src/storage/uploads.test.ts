import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../test/native-git.ts';
import { crashingFileSystem } from '../../test/storage/file-systems/crashing-file-system.ts';
import { type FAULTS, faultyFileSystem } from '../../test/storage/file-systems/faulty-file-system.ts';
import { nodeFileSystem } from './files/node-file-system.ts';
import { nodeHost } from './files/node-host.ts';
import { StoredUploads } from './uploads.ts';

const ONE = '1'.repeat(64);
const OTHER = '2'.repeat(64);
const THIRD = '3'.repeat(64);
const [A, B, C] = ['aaa', 'bbb', 'c'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
const DAY_MS = 24 * 60 * 60 * 1000;

function place() {
  return join(temporaryDirectory(), '.uploads', 'main');
}

/** What another process sees too. */
function open(directory: string, { fs = nodeFileSystem, now = Date.now } = {}) {
  return new StoredUploads({ fs, host: { ...nodeHost(), now }, directory });
}

async function textOf(uploads: StoredUploads, upload: string, length: number) {
  const bytes = await uploads.read(upload, length);
  return bytes === null ? null : Buffer.from(bytes).toString();
}

test('parts of two uploads in any order, from several processes, are two wholes', async () => {
  const directory = place();
  expect(await open(directory).parts(ONE)).toEqual([]);
  await open(directory).add(ONE, 3, B);
  await open(directory).add(OTHER, 0, B);
  await open(directory).add(ONE, 6, C);
  expect(await open(directory).read(ONE, 7)).toBeNull();
  await open(directory).add(ONE, 0, A);
  await open(directory).add(ONE, 3, B);
  const uploads = open(directory);
  expect((await uploads.parts(ONE)).map(({ offset, bytes }) => [offset, bytes])).toEqual([
    [0, 3],
    [3, 3],
    [6, 1],
  ]);
  expect([await textOf(uploads, ONE, 7), await textOf(uploads, OTHER, 3)]).toEqual(['aaabbbc', 'bbb']);
  for (const length of [6, 8]) expect(await uploads.read(ONE, length)).toBeNull();
  await uploads.drop(ONE);
  expect([await uploads.read(ONE, 7), await textOf(uploads, OTHER, 3)]).toEqual([null, 'bbb']);
});

test('parts that overlap are no whole', async () => {
  const uploads = open(place());
  await uploads.add(ONE, 0, A);
  await uploads.add(ONE, 2, B);
  for (const length of [5, 6]) expect(await uploads.read(ONE, length)).toBeNull();
});

test('a part is one file, which is not written again', async () => {
  const directory = place();
  await open(directory).add(ONE, 0, A);
  expect(readdirSync(directory)).toEqual([`${ONE}-0-3`]);
  expect(statSync(join(directory, `${ONE}-0-3`)).mode & 0o222).toBe(0);
});

test('all uploads to a wiki have a bound together, in which the same part counts once', async () => {
  const directory = place();
  const uploads = open(directory);
  await uploads.add(ONE, 0, A);
  // A name says how much it holds.
  writeFileSync(join(directory, `${OTHER}-0-999999997`), '');
  expect(await uploads.add(ONE, 0, A)).toBe(true);
  expect(await uploads.add(ONE, 3, C)).toBe(false);
  expect(await uploads.parts(ONE)).toHaveLength(1);
  await uploads.drop(OTHER);
  expect(await uploads.add(ONE, 3, C)).toBe(true);
});

test('where there is no room, uploads go of which no part came for ten minutes, and no others', async () => {
  const directory = place();
  const after = (minutes: number) => open(directory, { now: () => Date.now() + minutes * 60_000 });
  await open(directory).add(ONE, 0, A);
  writeFileSync(join(directory, `${OTHER}-0-999999000`), '');
  const large = Buffer.alloc(2_000, 'l');
  expect(await after(9).add(ONE, 3, large)).toBe(false);
  expect(await after(9).parts(ONE)).toHaveLength(1);
  expect(await after(11).add(ONE, 3, large)).toBe(true);
  expect([await open(directory).parts(OTHER), await textOf(open(directory), ONE, 2_003)]).toEqual([
    [],
    `aaa${large}`,
  ]);
});

test('an upload goes a day after its last part, and what was being written too', async () => {
  const directory = place();
  const now = Date.now();
  const uploads = open(directory, { now: () => now });
  const aged = (name: string, days: number) => {
    const seconds = (now - days * DAY_MS) / 1000;
    utimesSync(join(directory, name), seconds, seconds);
  };
  for (const upload of [ONE, OTHER, THIRD]) {
    for (const offset of [0, 3]) await uploads.add(upload, offset, A);
  }
  writeFileSync(join(directory, 'x.unfinished'), 'a');
  aged('x.unfinished', 1.1);
  aged(`${ONE}-0-3`, 2);
  aged(`${ONE}-3-3`, 1.1);
  aged(`${OTHER}-0-3`, 2);
  aged(`${OTHER}-3-3`, 0.9);
  aged(`${THIRD}-0-3`, 0.9);
  aged(`${THIRD}-3-3`, 2);
  expect(await uploads.removeOld()).toBe(3);
  const young = [OTHER, THIRD].flatMap((upload) => [`${upload}-0-3`, `${upload}-3-3`]);
  expect(readdirSync(directory).sort()).toEqual(young);
  for (const upload of [OTHER, THIRD]) await uploads.drop(upload);
  expect(await uploads.removeOld()).toBe(0);
  expect(readdirSync(join(directory, '..'))).toEqual([]);
  await uploads.add(ONE, 0, A);
  expect(await textOf(uploads, ONE, 3)).toBe('aaa');
});

test('a crash at any call leaves each part whole or not there, and the next process goes on', async () => {
  let at = 0;
  for (let hasCrashed = true; hasCrashed; at += 1) {
    for (const moment of ['before', 'torn', 'after'] as const) {
      const directory = place();
      mkdirSync(join(directory, '..'), { recursive: true });
      const { fs, crashed, release } = crashingFileSystem(nodeFileSystem, { at, moment });
      const dying = open(directory, { fs });
      const added = dying.add(ONE, 0, A).then(() => dying.add(ONE, 3, B));
      hasCrashed = await Promise.race([crashed.then(() => true), added.then(() => false)]);
      await release();
      const next = open(directory);
      for (const { offset, bytes } of await next.parts(ONE)) {
        const file = readFileSync(join(directory, `${ONE}-${offset}-${bytes}`));
        expect(file.toString()).toBe(offset === 0 ? 'aaa' : 'bbb');
      }
      await next.add(ONE, 3, B);
      await next.add(ONE, 0, A);
      expect(await textOf(next, ONE, 6)).toBe('aaabbb');
    }
  }
  expect(at).toBeGreaterThan(10);
});

test('a fault at any call is an error of storage or none, and never half of an upload', async () => {
  for (const error of ['EIO', 'ENOSPC', 'ESTALE'] as const satisfies (keyof typeof FAULTS)[]) {
    for (let at = 0; at < 24; at += 1) {
      const directory = place();
      const fs = faultyFileSystem(nodeFileSystem, { error, at, moment: 'before' });
      const uploads = open(directory, { fs });
      const work = async () => {
        await uploads.add(ONE, 0, A);
        await uploads.add(ONE, 3, B);
        return textOf(uploads, ONE, 6);
      };
      const result = await work().catch((thrown: Error) => thrown.name);
      expect(['aaabbb', 'StorageError']).toContain(result);
    }
  }
});
