import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { freezing, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { FIRST_NAME } from './chain-link.ts';
import { requestNameOf } from './request-name.ts';

/*
 * Another process made the last link, and may have died before its sync. A writer whose disk refuses a sync must not
 * answer, or do, what only stays true if the sync took place.
 */

/** A writer that cannot sync the directories whose paths match, in a wiki with one page of another process. */
async function openUnsyncable(path: RegExp) {
  const directory = await newWiki();
  const { fs: frozenFs, frozen } = freezing(isSyncOfChain);
  const other = await openWriter(directory, { fs: frozenFs });
  void other.put('Page.md', 'text', { requestId: '1' });
  await frozen;
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    if (call.name === 'sync' && path.test(call.path)) throw fileSystemError(5, 'EIO');
  });
  const { put } = await openWriter(directory, { fs });
  const { bucket, name } = requestNameOf('1');
  const entry = join(directory, 'pagetree/requests-main', bucket, name);
  const links = () => readdirSync(join(directory, 'pagetree/chain-main')).length;
  return { put, entry, links };
}

it('a request is not answered as repeated before the link of its commit is synced', async () => {
  const { put } = await openUnsyncable(/\/chain-main$/);
  await expect(put('Page.md', 'text', { requestId: '1' })).rejects.toMatchObject({
    code: 'write_state_unknown',
  });
});

it('there is nothing to change only if what is there was synced', async () => {
  const { put } = await openUnsyncable(/\/chain-main$/);
  await expect(put('Page.md', 'text', { build: async () => null })).rejects.toMatchObject({
    code: 'io_error',
  });
});

it('a request is remembered only after the link of its commit is synced', async () => {
  const { put, entry, links } = await openUnsyncable(/\/chain-main$/);
  const before = links();
  await expect(put('Next.md', 'next')).rejects.toMatchObject({ code: 'io_error' });
  expect(lstatSync(entry, { throwIfNoEntry: false })).toBeUndefined();
  expect(links()).toBe(before);
});

it.each([
  ['the entry', /\/requests-main\/[^/]+$/],
  ['the folder of its hour', /\/requests-main$/],
  ['the folder of all', /\/pagetree$/],
])('no commit is linked after one whose request may be forgotten, as %s was not synced', async (_, path) => {
  const { put, links } = await openUnsyncable(path);
  const before = links();
  await expect(put('Next.md', 'next')).rejects.toMatchObject({ code: 'io_error' });
  expect(links()).toBe(before);
});

it('the folder of all requests is synced by the next write if its sync failed', async () => {
  const directory = await newWiki();
  await (await openWriter(directory)).put('Page.md', 'text');
  let fails = true;
  let syncs = 0;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name !== 'sync' || !path.endsWith('/requests-main')) return;
    if (fails) throw fileSystemError(5, 'EIO');
    syncs += 1;
  });
  const { put } = await openWriter(directory, { fs });
  await expect(put('Next.md', 'next')).rejects.toMatchObject({ code: 'io_error' });
  fails = false;
  await put('Next.md', 'next');
  expect(syncs).toBe(1);
});

it('a link that comes during a sync is synced by another one', async () => {
  const directory = await newWiki();
  let syncs = 0;
  const counting = observedFileSystem(nodeFileSystem, (call) => {
    if (isSyncOfChain(call)) syncs += 1;
  });
  const { fs, frozen, thaw } = freezing(isSyncOfChain, counting);
  const { put, storage } = await openWriter(directory, { fs });
  const first = put('A.md', 'a', { requestId: '1' });
  await frozen;
  await (await openWriter(directory)).put('B.md', 'b', { requestId: '2' });
  // The first process meets the link of the second.
  await storage.head();
  thaw();
  await first;
  expect(await put('B.md', 'b', { requestId: '2' })).toMatchObject({ kind: 'repeated' });
  expect(syncs).toBe(2);
});

it.each([
  ['that was prepared', false],
  ['that could not be prepared', true],
])(
  'a branch moves to a value %s only after the link and the pack of its commit are synced',
  async (_, fails) => {
    const directory = await newWiki();
    const calls: string[] = [];
    let failures = 0;
    const fs = observedFileSystem(nodeFileSystem, async ({ name, path, data }) => {
      if (fails && failures === 0 && name === 'write' && data?.length === LENGTH_OF_REF) {
        failures += 1;
        throw fileSystemError(28, 'ENOSPC');
      }
      if (name === 'sync' && /\/(?:chain-main|objects\/pack)$/.test(path)) {
        // Whatever does not wait for it comes first.
        await pause(100);
        calls.push(path.endsWith('pack') ? 'pack' : 'chain');
      }
      // The index of the pack is there since the last sync of its folder.
      if (name === 'symlink' && path.includes('/chain-main/')) calls.length = 0;
      if (path.endsWith('refs/heads/main') && (name === 'rename' || name === 'link')) calls.push('branch');
    });
    const { put, storage } = await openWriter(directory, { fs });
    await put('Page.md', 'text');
    await storage.settle();
    expect(failures).toBe(fails ? 1 : 0);
    expect(calls).toContain('branch');
    expect(new Set(calls.slice(0, calls.indexOf('branch')))).toEqual(new Set(['chain', 'pack']));
  },
);

it.each([
  ['the chain', /\/chain-main$/],
  ['the packs', /\/objects\/pack$/],
])('after a failed sync of %s the branch moves only once another one succeeded', async (_, directories) => {
  const directory = await newWiki();
  let fails = false;
  let syncs = 0;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name !== 'sync' || !directories.test(path)) return;
    if (fails) throw fileSystemError(5, 'EIO');
    syncs += 1;
  });
  const { fs: frozenFs, frozen } = freezing(isSyncOfChain);
  void (await openWriter(directory, { fs: frozenFs })).put('Page.md', 'text');
  await frozen;
  const { storage } = await openWriter(directory, { fs });
  await storage.head();
  fails = true;
  await expect(storage.settle()).rejects.toMatchObject({ code: 'io_error' });
  expect(git(directory, ['for-each-ref', 'refs/heads'])).toBe('');
  fails = false;
  syncs = 0;
  await storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Page.md': 'text' });
  expect(syncs).toBeGreaterThan(0);
});

it.each([
  ['links', /\/chain-main$/],
  ['packs', /\/objects\/pack$/],
])('no hint is written as long as the %s before it are not synced', async (_, directories) => {
  const directory = await newWiki();
  const { fs: frozenFs, frozen } = freezing(isSyncOfChain);
  void (await openWriter(directory, { fs: frozenFs })).put('Page.md', 'text');
  await frozen;
  let fails = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (fails && name === 'sync' && directories.test(path)) throw fileSystemError(5, 'EIO');
  });
  const { storage } = await openWriter(directory, { fs });
  await storage.head();
  const hint = join(directory, 'pagetree/chain-main/head');
  await expect(storage.settle()).rejects.toMatchObject({ code: 'io_error' });
  expect(lstatSync(hint, { throwIfNoEntry: false })).toBeUndefined();
  fails = false;
  await (await openWriter(directory)).put('Next.md', 'next');
  await storage.head();
  await storage.settle();
  expect(readlinkSync(hint)).not.toBe('');
});

it('a push that cannot be synced into the chain is not answered as the head', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Page.md', 'text');
  await storage.close();
  const pushed = git(directory, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'pushed']);
  git(directory, ['update-ref', 'refs/heads/main', pushed]);
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    if (isSyncOfChain(call)) throw fileSystemError(5, 'EIO');
  });
  const cold = await openWriter(directory, { fs });
  await expect(cold.storage.head()).rejects.toMatchObject({ code: 'io_error' });
});

it('a push is linked only after the request of the commit before it is remembered', async () => {
  const directory = await newWiki();
  await (await openWriter(directory)).put('Page.md', 'text', { requestId: '1' });
  const pushed = git(directory, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'pushed']);
  git(directory, ['update-ref', 'refs/heads/main', pushed]);
  const links = () => readdirSync(join(directory, 'pagetree/chain-main'));
  const before = links();
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'symlink' && path.includes('/requests-main/')) throw fileSystemError(5, 'EIO');
  });
  const cold = await openWriter(directory, { fs });
  await expect(cold.storage.head()).rejects.toMatchObject({ code: 'io_error' });
  expect(links()).toEqual(before);
});

it('a link that comes while the chain is settled is synced before the branch moves to it', async () => {
  const directory = await newWiki();
  /** Links a page in a process that never gets as far as the sync of that link. */
  const link = async (page: string, syncsBefore: number) => {
    let syncs = 0;
    const { fs, frozen } = freezing((call) => {
      if (isSyncOfChain(call)) syncs += 1;
      return syncs > syncsBefore;
    });
    void (await openWriter(directory, { fs })).put(page, 'text');
    await frozen;
  };
  await link('A.md', 0);
  let syncs = 0;
  const counting = observedFileSystem(nodeFileSystem, (call) => {
    if (isSyncOfChain(call)) syncs += 1;
  });
  const { fs, frozen, thaw } = freezing(isSyncOfChain, counting);
  const { storage } = await openWriter(directory, { fs });
  await storage.head();
  const settled = storage.settle();
  await frozen;
  // The second writer remembers the request of the first: only its second sync would be that of its link.
  await link('B.md', 1);
  await storage.head();
  thaw();
  await settled;
  expect(nativeView(directory).pages).toEqual({ 'A.md': 'text', 'B.md': 'text' });
  expect(syncs).toBe(2);
  // The hint was written between the two syncs: it names no link that only the second one covers.
  expect(readlinkSync(join(directory, 'pagetree/chain-main/head'))).toBe(FIRST_NAME);
});

it.each([
  ['the branch that reaches them is synced', /\/refs\/heads$/],
  ['the request of the newest one is remembered', /\/requests-main\/[^/]+$/],
])('packs of commits are left to native git only after %s', async (_, path) => {
  const directory = await newWiki();
  let isRefused = false;
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    if (isRefused && call.name === 'sync' && path.test(call.path)) throw fileSystemError(5, 'EIO');
  });
  const { put, storage } = await openWriter(directory, { fs });
  const keeps = () => readdirSync(join(directory, 'objects/pack')).filter((name) => name.endsWith('.keep'));
  await put('Page.md', 'text');
  isRefused = true;
  await expect(storage.settle()).rejects.toMatchObject({ code: 'io_error' });
  expect(keeps()).toHaveLength(1);
  isRefused = false;
  await storage.settle();
  expect(keeps()).toEqual([]);
});

/** An oid and a line feed. */
const LENGTH_OF_REF = 41;

function isSyncOfChain({ name, path }: FileSystemCall): boolean {
  return name === 'sync' && path.endsWith('/chain-main');
}
