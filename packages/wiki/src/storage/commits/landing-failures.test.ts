import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { EVERYTHING } from '../../../test/storage/failures/losses.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { powerCutFileSystem } from '../../../test/storage/file-systems/power-cut-file-system.ts';
import {
  type FileSystemCall,
  fileSystemError,
  observedFileSystem,
} from '../../../test/storage/observed-file-system.ts';
import { pageRequest, pagesAt, writeCommit } from '../../../test/storage/pages.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import type { Transaction } from '../storage.ts';

describe('a write of a process that died before it synced survives a power cut', () => {
  it.each([
    ['repeated', {}],
    ['unchanged', { requestId: '2', build: async () => null }],
  ])('once another process has answered %o on top of it', async (kind, request) => {
    const directory = await newWiki();
    const { fs, disk } = powerCutFileSystem(nodeFileSystem, directory);
    const { fs: dying, frozen } = freezing(isSyncOfChain, fs);
    void (await openWriter(directory, { fs: dying })).put('Page.md', 'text', { requestId: '1' });
    await frozen;
    const other = await openWriter(directory, { fs });
    expect(await other.put('Page.md', 'text', { requestId: '1', ...request })).toMatchObject({ kind });
    const left = join(temporaryDirectory(), 'wiki.git');
    disk.writeAfter(EVERYTHING, left);
    const next = await openWriter(left);
    expect(await next.put('Page.md', 'text', { requestId: '1' })).toMatchObject({ kind: 'repeated' });
    await next.storage.settle();
    expect(nativeView(left).commits).toHaveLength(1);
  });
});

it('a write is refused as long as the request before it cannot be remembered, which could be applied twice', async () => {
  const directory = await newWiki();
  const { fs: dying, frozen } = freezing(isSyncOfChain);
  void (await openWriter(directory, { fs: dying })).put('Page.md', 'text', { requestId: '1' });
  await frozen;
  let isFull = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    const makes = name === 'symlink' || name === 'link';
    if (isFull && makes && path.includes('requests-main/')) throw fileSystemError(28, 'ENOSPC');
  });
  const { put, storage } = await openWriter(directory, { fs });
  await expect(put('Other.md', 'other')).rejects.toMatchObject({ code: 'out_of_space' });
  isFull = false;
  await put('Other.md', 'other');
  await storage.settle();
  expect(await put('Page.md', 'text', { requestId: '1' })).toMatchObject({ kind: 'repeated' });
  expect(nativeView(directory).commits).toHaveLength(2);
});

describe('a link whose call failed', () => {
  it.each([
    ['EIO', 5],
    ['EEXIST', 17],
    ['EACCES', 13],
    ['ENOENT', 2],
    ['ENOSPC', 28],
  ])('with %s although it was made is a commit', async (code, errno) => {
    const directory = await newWiki();
    const fs = failingLinks(1, 'after', () => fileSystemError(errno, code));
    const { put } = await openWriter(directory, { fs });
    expect(await put('Page.md', 'text')).toMatchObject({ kind: 'committed', replays: 0 });
    expect(nativeView(directory).commits).toHaveLength(1);
  });

  it('is made by the third call', async () => {
    const directory = await newWiki();
    const fs = failingLinks(2, 'before', () => fileSystemError(5, 'EIO'));
    expect(await (await openWriter(directory, { fs })).put('Page.md', 'text')).toMatchObject({
      kind: 'committed',
      replays: 0,
    });
    expect(nativeView(directory).commits).toHaveLength(1);
  });

  it('is reported as unknown after the third call', async () => {
    const directory = await newWiki();
    const fs = failingLinks(3, 'before', () => fileSystemError(5, 'EIO'));
    await expect((await openWriter(directory, { fs })).put('Page.md', 'text')).rejects.toMatchObject({
      code: 'write_state_unknown',
      data: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
    });
    expect(await (await openWriter(directory)).storage.head()).toBeNull();
  });

  it.each([
    ['EIO', 5],
    ['EACCES', 13],
  ])('with %s is made anew on top of the commit that has its name', async (code, errno) => {
    const directory = await newWiki();
    const other = await openWriter(directory);
    let isFirst = true;
    const fs = observedFileSystem(nodeFileSystem, async (call) => {
      if (!isFirst || !isLink(call)) return;
      isFirst = false;
      await other.put('Theirs.md', 'theirs');
      throw fileSystemError(errno, code);
    });
    const { put } = await openWriter(directory, { fs });
    expect(await put('Page.md', 'text')).toMatchObject({ kind: 'committed', replays: 1 });
    expect(nativeView(directory).pages).toEqual({ 'Page.md': 'text', 'Theirs.md': 'theirs' });
  });

  it('is reported as unknown if its name exists and cannot be found', async () => {
    const directory = await newWiki();
    const fs = failingLinks(1, 'before', () => fileSystemError(17, 'EEXIST'));
    await expect((await openWriter(directory, { fs })).put('Page.md', 'text')).rejects.toMatchObject({
      code: 'write_state_unknown',
    });
  });
});

it('a write whose state is unknown keeps its pack: the wiki can be read and written on', async () => {
  const directory = await newWiki({ shared: true });
  let broken = false;
  const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    if (broken && call.path.includes('chain-main')) throw fileSystemError(5, 'EIO');
    const result = await perform();
    broken = isLink(call);
    if (broken) throw fileSystemError(5, 'EIO');
    return result;
  });
  const { put, storage } = await openWriter(directory, { fs, placement: 'shared' });
  await expect(put('Page.md', 'text')).rejects.toMatchObject({ code: 'write_state_unknown' });
  broken = false;
  await storage.settle();
  const other = await openWriter(directory, { placement: 'shared' });
  expect(await other.put('Other.md', 'other')).toMatchObject({ kind: 'committed' });
  await other.storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Other.md': 'other', 'Page.md': 'text' });
});

it('a write that cannot be stored leaves nothing behind', async () => {
  const directory = await newWiki({ shared: false });
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'rename' && path.endsWith('.idx')) throw fileSystemError(28, 'ENOSPC');
  });
  const { put, storage } = await openWriter(directory, { fs });
  await expect(put('Page.md', 'text')).rejects.toMatchObject({ code: 'out_of_space' });
  await storage.close();
  expect(readdirSync(join(directory, 'pagetree/temporary'))).toEqual([]);
});

it('a write that cannot be stored is refused at once, however much others write meanwhile', async () => {
  const directory = await newWiki();
  const other = await openWriter(directory);
  await other.put('Theirs.md', 'first');
  let builds = 0;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (builds > 0 && name === 'rename' && path.endsWith('.idx')) throw fileSystemError(28, 'ENOSPC');
  });
  const { storage } = await openWriter(directory, { fs });
  const request = pageRequest('Page.md', 'text');
  const build = async (base: string | null, transaction: Transaction) => {
    builds += 1;
    if (builds < 5) await other.put('Theirs.md', `${builds}`);
    return request.build(base, transaction);
  };
  await expect(storage.commit({ ...request, build })).rejects.toMatchObject({ code: 'out_of_space' });
  expect(builds).toBe(1);
});

it('a write that is cancelled is not built, and stores nothing if it was built already', async () => {
  const directory = await newWiki();
  const { storage } = await openWriter(directory);
  const request = pageRequest('Page.md', 'text');
  const time = new AbortController();
  let builds = 0;
  const build = (base: string | null, transaction: Transaction) => {
    builds += 1;
    time.abort();
    return request.build(base, transaction);
  };
  for (const _ of [1, 2]) {
    const cancelled = storage.commit({ ...request, build, signal: time.signal });
    await expect(cancelled).rejects.toMatchObject({ code: 'busy' });
  }
  expect(builds).toBe(1);
  expect(readdirSync(join(directory, 'objects/pack'))).toEqual([]);
});

it.each([
  ['on another base', (transaction: Transaction) => ({ base: null, transaction })],
  ['under no request', (transaction: Transaction) => ({ transaction: { ...transaction, trailers: [] } })],
  [
    'under another attempt',
    (transaction: Transaction) => ({
      transaction: { ...transaction, trailers: [...transaction.trailers.slice(0, 2), 'Nonce: another'] },
    }),
  ],
])('a commit that was built %s is never linked', async (_, asBuilt) => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Page.md', 'text');
  const head = await storage.head();
  const build = async (base: string | null, given: Transaction) => {
    const pages = base ? await pagesAt(given, base) : new Map<string, string>();
    const built = { base, ...asBuilt(given) };
    return writeCommit(built.transaction, built.base, pages, 'Write');
  };
  await expect(put('Page.md', 'text', { build })).rejects.toThrow('does not name its base');
  expect(await storage.head()).toBe(head);
});

it.each([
  ['the commit of an earlier call', 'pack-'],
  ['what an earlier call left', 'requests-main'],
  ['the order of the commits', 'chain-main'],
])('a disk that fails to read %s is reported, and nothing is taken for lost', async (_, place) => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  const written = await put('Page.md', 'one', { requestId: '1' });
  const commit = 'commit' in written && written.commit;
  // A new process reads the packs of the newest ones by itself.
  for (let i = 0; i < 12; i += 1) await put('Page.md', `${i}`);
  await storage.settle();
  let isBroken = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    const isRead = name === 'open' || name === 'readlink';
    const isMeant = path.includes(place === 'pack-' ? `${place}${commit}` : place);
    if (isBroken && isRead && isMeant) throw fileSystemError(5, 'EIO');
  });
  const next = await openWriter(directory, { fs });
  const repeat = () => next.put('Page.md', 'one', { requestId: '1' });
  await expect(repeat()).rejects.toMatchObject({ code: 'io_error' });
  isBroken = false;
  expect(await repeat()).toMatchObject({ kind: 'repeated', commit });
});

it('a commit that native git brought and that is lost stops every write too', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Page.md', 'text');
  const pushed = git(directory, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'By hand']);
  git(directory, ['update-ref', 'refs/heads/main', pushed]);
  expect(await storage.head()).toBe(pushed);
  rmSync(join(directory, 'objects', pushed.slice(0, 2), pushed.slice(2)));
  const next = await openWriter(directory);
  await expect(next.put('Page.md', 'more')).rejects.toMatchObject({
    code: 'missing_commit',
    data: { commit: pushed },
  });
});

function isSyncOfChain({ name, path }: FileSystemCall): boolean {
  return name === 'sync' && path.endsWith('chain-main');
}

/** The first calls that make a link fail, before or after they made it. */
function failingLinks(count: number, moment: 'before' | 'after', error: () => Error): FileSystem {
  let failed = 0;
  return interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    if (!isLink(call) || failed === count) return perform();
    failed += 1;
    if (moment === 'after') await perform();
    throw error();
  });
}
