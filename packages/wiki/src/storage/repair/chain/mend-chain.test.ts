import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInCalls } from '../../../../test/storage/maintenance/run-in-calls.ts';
import { wikiOf } from '../../../../test/storage/maintenance/wiki-in-a-row.ts';
import { fileSystemError, observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { freezing, newWiki, openWriter } from '../../../../test/storage/writers.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { readChain } from './chain-links.ts';

it('a check finds no gap while others write', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('One.md', 'one');
  await storage.settle();
  const listsTheChain = freezing(({ name, path }) => name === 'readdir' && path.endsWith('/chain-main'));
  const checker = await openWriter(directory, { fs: listsTheChain.fs });
  const checking = checker.storage.check();
  await listsTheChain.frozen;
  await put('Two.md', 'two');
  await put('Three.md', 'three');
  listsTheChain.thaw();
  expect((await checking).problems).toEqual([]);
});

it.each([
  ['with a way into it', 'ab', 'bc', 'cb'],
  ['with no way into it', 'bc', 'cb'],
  ['of one name', 'aa'],
])('a repair stops if names beyond a gap form a circle %s', async (_, ...pairs) => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('One.md', 'one');
  for (const [name = '', target = ''] of pairs)
    symlinkSync(target.repeat(40), join(directory, 'pagetree/chain-main', name.repeat(40)));
  await expect(storage.repair()).rejects.toMatchObject({ code: 'corrupt_chain' });
});

it('a chain whose names cannot be listed is reported, and not taken for one without gaps', async () => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  await put('One.md', 'one');
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'readdir' && path.endsWith('/chain-main')) throw fileSystemError(5, 'EIO');
  });
  const { storage } = await openWriter(directory, { fs });
  await expect(storage.check()).rejects.toMatchObject({ code: 'io_error' });
  await expect(storage.repair()).rejects.toMatchObject({ code: 'io_error' });
});

it('a repair follows the newest commit that the ref has named and the chain does not', async () => {
  const wiki = wikiOf([true, true, true, true]);
  const [first = '', second = '', , last = ''] = wiki.commits;
  // The request of the newest write is remembered when the next one comes.
  for (const [at, commit] of wiki.commits.slice(0, -1).entries()) wiki.remember(1_700_000_000 + at, commit);
  for (const place of [2, 3]) wiki.loseNameOf(place);
  expect(await wiki.mend([null, second, first, last], 1_000)).toBe(true);
  expect(wiki.order()).toEqual(wiki.commits);
});

it('the next process completes the packs of each name that a repair made before it was cut off', async () => {
  const wiki = wikiOf([true, true, true, true]);
  for (const place of [1, 2]) wiki.loseNameOf(place);
  expect(await wiki.mend(3, 1_000)).toBe(true);
  const completed: string[] = [];
  await wiki.openChain(async (commit) => void completed.push(commit)).refresh();
  expect(completed).toEqual(wiki.commits);
});

it('a repair begins no chain for commits that came from elsewhere', async () => {
  const wiki = wikiOf([true, true]);
  for (const place of [0, 1]) wiki.loseNameOf(place);
  rmSync(join(wiki.layout.requests, 'request'));
  expect(await wiki.mend(1, 1_000)).toBe(false);
  expect(wiki.order()).toEqual([]);
});

it.each([1, 1_000])(
  'a chain that is read in calls of %i steps says which of its commits were pushed',
  async (steps) => {
    const wiki = wikiOf([true, false, true, false]);
    const chain = wiki.openChain();
    const { report } = await runInCalls(steps, (run) => readChain(run, chain));
    expect(report.map(({ commit, parent, adopted }) => [parent, commit, adopted])).toEqual(
      wiki.commits.map((commit, at) => [wiki.commits[at - 1] ?? null, commit, at % 2 === 1]),
    );
  },
);
