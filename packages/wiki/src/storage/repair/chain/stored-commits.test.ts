import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { faultyFileSystem } from '../../../../test/storage/file-systems/faulty-file-system.ts';
import { commitObject, commitRepository } from '../../../../test/storage/maintenance/chained-commits.ts';
import { runInCalls } from '../../../../test/storage/maintenance/run-in-calls.ts';
import { wikiOf } from '../../../../test/storage/maintenance/wiki-in-a-row.ts';
import { type GitObject, type Oid, objectId } from '../../../formats/oid.ts';
import { encodePack } from '../../../formats/packs/pack.ts';
import { Run } from '../../maintenance/run.ts';
import type { ObjectReader } from '../../storage.ts';
import { StorageError } from '../../storage-error.ts';
import { openCommitBook } from './commit-book.ts';
import { forgetStoredCommits, storedCommits } from './stored-commits.ts';

it('all commits of a large pack are found, in calls of any length, beside what came and went meanwhile', async () => {
  const wiki = commitRepository();
  const commits: Oid[] = [];
  const objects: GitObject[] = [];
  for (let number = 0; number < 1_500; number += 1) {
    const isCommit = number % 3 === 0;
    const object: GitObject = isCommit
      ? commitObject({ parents: [], isWriters: number % 2 === 0, date: 1_700_000_000 + number })
      : { type: 'blob', content: Buffer.from(`text ${number}`) };
    objects.push(object);
    if (isCommit) commits.push(objectId('commit', object.content));
  }
  const { packBytes, indexBytes } = encodePack(objects);
  const path = join(wiki.layout.packs, `pack-${'5'.repeat(40)}`);
  writeFileSync(`${path}.pack`, packBytes);
  writeFileSync(`${path}.idx`, indexBytes);
  const spec = { parents: [], isWriters: true, date: 1 };
  const gone = wiki.land(spec);
  let later: Oid | undefined;
  let isPassed = false;
  const fs = {
    ...wiki.fs,
    async open(...[file, ...rest]: Parameters<typeof wiki.fs.open>) {
      // A merge of packs takes this one away after it was listed, and brings its commit in another one.
      if (file.endsWith(`pack-${gone}.idx`) && !isPassed) {
        isPassed = true;
        wiki.lose(gone);
        wiki.land(spec, { packName: '7'.repeat(40) });
        later = wiki.land({ ...spec, date: 2 });
      }
      return wiki.fs.open(file, ...rest);
    },
  };
  const { report, calls } = await runInCalls(450, (run) => {
    const book = openCommitBook(run, wiki.objects);
    return storedCommits({ fs, layout: wiki.layout, objects: wiki.objects, run, book });
  });
  expect([...report.keys()].sort()).toEqual([...commits, gone, later].sort());
  expect(report.get(later ?? '')).toEqual({ parents: [], repaired: null, date: 2, isWriters: true });
  expect(calls).toBeGreaterThan(3);
});

it('a disk that fails never hides commits', async () => {
  const { fs, layout, objects, commits } = wikiOf([true, true, true]);
  const search = (from: Pick<Parameters<typeof storedCommits>[0], 'fs' | 'objects'>) => {
    const run = Run.toItsEnd();
    return storedCommits({ ...from, layout, run, book: openCommitBook(run, from.objects) });
  };
  for (let at = 0; at < 4; at += 1) {
    const failing = faultyFileSystem(fs, { error: 'EIO', at, moment: 'lasting' });
    await expect(search({ fs: failing, objects })).rejects.toMatchObject({ code: 'io_error' });
  }
  const second = commits[1] ?? '';
  const reading = (code: StorageError['code']) =>
    search({ fs, objects: failingAt(objects, second, { code, times: 1 }) });
  await expect(reading('io_error')).rejects.toMatchObject({ code: 'io_error' });
  for (const code of ['corrupt_object', 'missing_object', 'object_too_large'] as const)
    expect([...(await reading(code)).keys()].sort()).toEqual([commits[0], commits[2]].sort());
});

it('a search looks through the only pack again once its commits are forgotten', async () => {
  const { fs, layout, objects, commits } = wikiOf([true]);
  const run = Run.toItsEnd();
  const search = async (from: ObjectReader) => {
    const found = await storedCommits({ fs, layout, objects: from, run, book: openCommitBook(run, from) });
    return [...found.keys()];
  };
  const read = async (oid: Oid) => {
    throw new StorageError('corrupt_object', oid);
  };
  expect(await search({ read })).toEqual([]);
  expect(await search(objects)).toEqual([]);
  forgetStoredCommits(run);
  expect(await search(objects)).toEqual(commits);
});

it.each([1, 1_000])(
  'commits that can be read again during a repair have their places in the order',
  async (steps) => {
    const wiki = wikiOf([true, true, true, true, true]);
    for (const place of wiki.commits.keys()) wiki.loseNameOf(place);
    const [, , third = '', , newest = ''] = wiki.commits;
    const code = 'corrupt_object';
    const once = failingAt(wiki.objects, newest, { code, times: 1 });
    expect(await wiki.mend(-1, steps, failingAt(once, third, { code, times: 2 }))).toBe(true);
    expect(wiki.order()).toEqual(wiki.commits);
  },
);

it.each([
  ['that the ref names', 4],
  ['that nothing names', -1],
])('a newest commit %s has its place in the order if it can be read again', async (_, ref) => {
  const wiki = wikiOf([true, true, true, true, true]);
  for (const place of wiki.commits.keys()) wiki.loseNameOf(place);
  const newest = wiki.commits[4] ?? '';
  const reader = failingAt(wiki.objects, newest, { code: 'corrupt_object', times: 1 });
  expect(await wiki.mend(ref, 1_000, reader)).toBe(true);
  expect(wiki.order()).toEqual(wiki.commits);
});

it.each(['a text', 'too large'])('an object that was lost is %s, and no commit', async (what) => {
  const wiki = wikiOf([true, true, true]);
  for (const place of wiki.commits.keys()) wiki.loseNameOf(place);
  const lost = wiki.commits[2] ?? '';
  const back = async (oid: Oid): Promise<GitObject> => {
    if (oid !== lost) return wiki.objects.read(oid);
    if (what === 'a text') return { type: 'blob', content: Buffer.from('text') };
    throw new StorageError('object_too_large', oid);
  };
  const reader = failingAt({ read: back }, lost, { code: 'corrupt_object', times: 1 });
  expect(await wiki.mend(-1, 1_000, reader)).toBe(true);
  expect(wiki.order()).toEqual(wiki.commits.slice(0, 2));
});

it.each(['in a pack', 'as a loose object'])(
  'a commit that is restored during a repair %s has its place in the order',
  async (how) => {
    const wiki = wikiOf([true, true, true, true, true]);
    for (const place of wiki.commits.keys()) wiki.loseNameOf(place);
    const [, second = '', third = ''] = wiki.commits;
    wiki.lose(third);
    const spec = { parents: [second], isWriters: true, date: 1_700_000_002 };
    let looks = 0;
    const read = (oid: Oid) => {
      if (oid === third) looks += 1;
      if (looks === 2) {
        if (how === 'in a pack') wiki.land(spec);
        else writeLoose(wiki.directory, commitObject(spec));
      }
      return wiki.objects.read(oid);
    };
    expect(await wiki.mend(4, 1_000, { read })).toBe(true);
    expect(wiki.order()).toEqual(wiki.commits);
  },
);

function writeLoose(directory: string, { type, content }: GitObject): void {
  const oid = objectId(type, content);
  const folder = join(directory, 'objects', oid.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  const header = Buffer.from(`${type} ${content.length}\0`);
  writeFileSync(join(folder, oid.slice(2)), deflateSync(Buffer.concat([header, content])));
}

/** Reads of one object fail so many times. */
function failingAt(
  objects: ObjectReader,
  failing: Oid,
  { code, times }: { code: StorageError['code']; times: number },
): ObjectReader {
  let left = times;
  return {
    async read(oid) {
      if (oid === failing && left > 0) {
        left -= 1;
        throw new StorageError(code, oid);
      }
      return objects.read(oid);
    },
  };
}
