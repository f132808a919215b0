import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareRepository, git } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { pagePush, pushTo } from '../../../test/storage/pushes.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import type { StorageOptions } from '../open-storage.ts';

const open = (directory: string, options: Partial<StorageOptions> = {}) =>
  openWriter(directory, { placement: 'shared', ...options });

describe('a push whose name a shared wiki lost', () => {
  it('is taken back beside a write that comes while a repair takes it', async () => {
    const { directory } = await lostPush();
    const { fs, frozen, thaw } = freezing(isLink);
    const { storage } = await open(directory, { fs });
    const repairing = storage.repair();
    await frozen;
    const other = await open(directory);
    await other.put('Other.md', 'other');
    thaw();
    expect(await repairing).toMatchObject({ lostCommits: [], orderRestored: true });
    await storage.close();
    expect(nativeView(directory).pages).toEqual({ 'New.md': 'new', 'Old.md': 'old', 'Other.md': 'other' });
  });

  it.each([
    ['read', 1, /\.pack$/],
    ['readdir', 1, /\/external$/],
    ['readdir', 2, /\/external$/],
  ] as const)('is not taken for lost where the disk fails once (%s %i of %s)', async (call, nth, place) => {
    const { directory, push } = await lostPush();
    let left: number = nth;
    const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
      if (name !== call || !place.test(path)) return;
      left -= 1;
      if (left === 0) throw fileSystemError(5, 'EIO');
    });
    const { storage } = await open(directory, { fs });
    await expect(storage.repair()).rejects.toMatchObject({ code: 'io_error' });
    expect(git(directory, ['rev-parse', 'main'])).toBe(push.to);
    expect(await storage.repair()).toMatchObject({ lostCommits: [], orderRestored: true });
    await storage.close();
    expect(nativeView(directory).pages).toEqual({ 'New.md': 'new', 'Old.md': 'old' });
  });

  it('is not left by a process that cannot read it', async () => {
    const { directory, push } = await lostPush();
    let isBroken = false;
    const fs = observedFileSystem(nodeFileSystem, ({ path }) => {
      if (isBroken && path.endsWith('.pack')) throw fileSystemError(5, 'EIO');
    });
    const { storage } = await open(directory, { fs });
    await storage.head();
    isBroken = true;
    await storage.close();
    expect(git(directory, ['rev-parse', 'main'])).toBe(push.to);
  });

  it('is not left by a process with a defect, which the settle after it reports', async () => {
    const { directory, push } = await lostPush();
    let isBroken = false;
    const fs = observedFileSystem(nodeFileSystem, ({ path }) => {
      if (isBroken && path.endsWith('.pack')) throw new TypeError('a defect');
    });
    const { storage } = await open(directory, { fs });
    await storage.head();
    isBroken = true;
    await storage.settle();
    isBroken = false;
    await expect(storage.settle()).rejects.toThrow('a defect');
    expect(git(directory, ['rev-parse', 'main'])).toBe(push.to);
  });

  it('brings no request with it, whatever its message says', async () => {
    const digest = '1'.repeat(64);
    const lines = ['Push New.md', '', 'Request-Id: request 1', `Request-Digest: ${digest}`, 'Nonce: 1', ''];
    const { directory } = await lostPush(lines.join('\n'));
    const other = await open(directory);
    await other.put('Other.md', 'other');
    await other.storage.close();
    const { storage, put } = await open(directory);
    await storage.repair();
    const written = await put('Own.md', 'own', { requestId: 'request 1', digest });
    expect(written).toMatchObject({ kind: 'committed' });
  });
});

it('the ref of a shared wiki does not stay on another history', async () => {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await open(directory);
  await put('Old.md', 'old');
  const head = await storage.head();
  await storage.close();
  const other = git(directory, ['commit-tree', git(directory, ['mktree'], ''), '-m', 'Another beginning']);
  git(directory, ['update-ref', 'refs/heads/main', other]);
  const next = await open(directory);
  expect((await next.storage.check()).problems).toEqual([]);
  expect(await next.storage.head()).toBe(head);
  await next.storage.close();
  expect(git(directory, ['rev-parse', 'main'])).toBe(head);
});

it.each(['check', 'repair', 'tidy'] as const)(
  'a repository of native git that became a shared wiki has lost no names (%s)',
  async (work) => {
    const directory = bareRepository();
    const tree = git(directory, ['mktree'], '');
    const first = git(directory, ['commit-tree', tree, '-m', 'Begin']);
    git(directory, ['update-ref', 'refs/heads/main', first]);
    const { storage } = await open(directory);
    await storage[work]();
    expect(await storage.head()).toBe(first);
  },
);

/** The ref names the push, and the chain ends before it. */
async function lostPush(message?: string) {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await open(directory);
  await put('Old.md', 'old');
  const push = await pagePush(storage, await storage.head(), 'New.md', 'new', message);
  await pushTo(storage, push);
  await storage.close();
  rmSync(join(directory, 'pagetree/chain-main', push.from ?? ''));
  return { directory, push };
}
