import { describe, expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { pageRequest } from '../../../test/storage/pages.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';

it('reports a commit once it is linked, while the disk syncs, and never one that is not linked', async () => {
  const directory = await newWiki();
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'sync' && path.endsWith('chain-main'));
  const reported: unknown[] = [];
  const request = { requestId: '1', linked: (...link: unknown[]) => reported.push(link) };
  const { storage, put } = await openWriter(directory, { fs });
  const writing = put('Page.md', 'text', request);
  await frozen;
  expect(reported).toEqual([[expect.stringMatching(/^[0-9a-f]{40}$/), null]]);
  const [commit] = reported[0] as [string];
  expect((await storage.read(commit)).type).toBe('commit');
  thaw();
  expect(await writing).toMatchObject({ kind: 'committed', commit });
  expect(await put('Page.md', 'text', request)).toMatchObject({ kind: 'repeated' });
  expect(reported).toHaveLength(1);
});

/** Schedules that broke simpler forms of the commit chain; each names what the form left out. */
describe('a write is applied exactly once', () => {
  it('when its first attempt thaws after its retry was committed', async () => {
    const directory = await newWiki();
    const request = { requestId: '1' };
    const { fs, frozen, thaw } = freezing(isLink);
    const first = (await openWriter(directory, { fs })).put('Page.md', 'text', request);
    await frozen;
    const retry = await (await openWriter(directory)).put('Page.md', 'text', request);
    thaw();
    expect(await first).toEqual({ ...withoutReplays(retry), kind: 'repeated' });
    expect(nativeView(directory).commits).toHaveLength(1);
  });

  it('when its first attempt thaws after others wrote on top of its retry', async () => {
    const directory = await newWiki();
    const request = { requestId: '1' };
    const { fs, frozen, thaw } = freezing(isLink);
    const first = (await openWriter(directory, { fs })).put('Page.md', 'text', request);
    await frozen;
    const writer = await openWriter(directory);
    const retry = await writer.put('Page.md', 'text', request);
    await writer.put('Page.md', 'other');
    thaw();
    expect(await first).toEqual({ ...withoutReplays(retry), kind: 'repeated' });
    expect(nativeView(directory).pages).toEqual({ 'Page.md': 'other' });
  });

  it('when its process died between the link and all that follows', async () => {
    const directory = await newWiki();
    const { fs, frozen } = freezing(({ name, path }) => name === 'sync' && path.endsWith('chain-main'));
    void (await openWriter(directory, { fs })).put('Page.md', 'text', { requestId: '1' });
    await frozen;
    const writer = await openWriter(directory);
    expect(await writer.put('Page.md', 'text', { requestId: '1' })).toMatchObject({ kind: 'repeated' });
    await writer.put('Page.md', 'other');
    await writer.put('Page.md', 'another');
    const cold = await openWriter(directory);
    expect(await cold.put('Page.md', 'text', { requestId: '1' })).toMatchObject({ kind: 'repeated' });
    expect(nativeView(directory).commits).toHaveLength(3);
  });

  it('when the look-up and the link of two attempts interleave', async () => {
    const directory = await newWiki();
    const request = { requestId: '1' };
    const { fs, frozen, thaw } = freezing(
      ({ name, path }) => name === 'readlink' && path.includes('requests-main'),
    );
    await (await openWriter(directory)).put('Page.md', 'first');
    const one = (await openWriter(directory, { fs })).put('Page.md', 'text', request);
    await frozen;
    const writer = await openWriter(directory);
    await writer.put('Page.md', 'text', request);
    await writer.put('Page.md', 'other');
    thaw();
    expect(await one).toMatchObject({ kind: 'repeated' });
    expect(nativeView(directory).commits).toHaveLength(3);
  });

  it('or its state is reported as unknown, if the link fails and cannot be read', async () => {
    const directory = await newWiki();
    let broken = false;
    const fs = observedFileSystem(nodeFileSystem, (call) => {
      broken ||= isLink(call);
      if (broken) throw fileSystemError(5, 'EIO');
    });
    const writer = await openWriter(directory, { fs });
    await expect(writer.put('Page.md', 'text')).rejects.toMatchObject({ code: 'write_state_unknown' });
  });

  it.each([
    ['EACCES', 13, 'permission_denied'],
    ['EDQUOT', 122, 'out_of_space'],
    ['EMFILE', 24, 'too_many_files'],
    ['ENAMETOOLONG', 36, 'io_error'],
    ['ENFILE', 23, 'too_many_files'],
    ['ENOENT', 2, 'io_error'],
    ['ENOSPC', 28, 'out_of_space'],
    ['ENOTDIR', 20, 'io_error'],
    ['EPERM', 1, 'permission_denied'],
    ['EROFS', 30, 'read_only'],
  ])('or is reported as not written, if the link is refused with %s', async (name, errno, code) => {
    const directory = await newWiki();
    const fs = observedFileSystem(nodeFileSystem, ({ name: call, path }) => {
      const makes = call === 'symlink' || call === 'link' || call === 'rename';
      if (makes && /chain-main.[0-9a-f]{40}$/.test(path)) throw fileSystemError(errno, name);
    });
    await expect((await openWriter(directory, { fs })).put('Page.md', 'text')).rejects.toMatchObject({
      code,
    });
    expect(await (await openWriter(directory)).storage.head()).toBeNull();
  });
});

it('a write whose link cannot be synced is never acknowledged, even if the branch moves', async () => {
  const directory = await newWiki();
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'sync' && path.endsWith('chain-main')) throw fileSystemError(5, 'EIO');
  });
  const { put } = await openWriter(directory, { fs });
  await expect(put('Page.md', 'text')).rejects.toMatchObject({
    code: 'write_state_unknown',
    data: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
});

it('two equal writes in one moment are two commits', async () => {
  const directory = await newWiki();
  const { fs, frozen, thaw } = freezing(isLink);
  const one = (await openWriter(directory, { fs })).put('Page.md', 'text', { requestId: '1' });
  await frozen;
  await (await openWriter(directory)).put('Page.md', 'text', { requestId: '2' });
  thaw();
  expect(await one).toMatchObject({ kind: 'committed', replays: 1 });
  expect(nativeView(directory).commits).toHaveLength(2);
});

it('a process that starts while the ref lags goes on from the chain, not from the ref', async () => {
  const directory = await newWiki();
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'link' && path.endsWith('main.lock'));
  const slow = await openWriter(directory, { fs });
  const slowly = slow.put('One.md', 'one');
  await frozen;
  expect(() => git(directory, ['rev-parse', '--verify', '--quiet', 'main'])).toThrow();
  const cold = await openWriter(directory);
  const two = await cold.put('Two.md', 'two');
  thaw();
  const one = await slowly;
  expect(two).toMatchObject({ kind: 'committed', parent: 'commit' in one && one.commit });
  expect(nativeView(directory).commits).toHaveLength(2);
});

it('a write that begins on an old end looks for its answer in the newer commits alone', async () => {
  const directory = await newWiki({ shared: true });
  const placement = 'shared';
  const quiet = await openWriter(directory, { placement });
  for (let i = 0; i < 3; i += 1) await quiet.put('Page.md', `${i}`);
  const other = await openWriter(directory, { placement });
  const theirs = await other.put('Page.md', 'theirs');
  const seen: (string | null)[] = [];
  const idle = {
    build: async (base: string | null) => {
      seen.push(base);
      return null;
    },
  };
  expect(await quiet.put('Page.md', '', idle)).toEqual({
    kind: 'unchanged',
    head: 'commit' in theirs && theirs.commit,
  });
  expect(seen).toHaveLength(2);
});

it('a writer that loses again and again waits longer each time, a second at most', async () => {
  const directory = await newWiki();
  const other = await openWriter(directory);
  const waits: number[] = [];
  const { wait, randomBytes, ...rest } = nodeHost();
  const host = {
    ...rest,
    randomBytes: (count: number) => (count === 1 ? Uint8Array.of(77) : randomBytes(count)),
    wait: (milliseconds: number) => {
      waits.push(milliseconds);
      return wait(0);
    },
  };
  const { storage } = await openWriter(directory, { host });
  const request = pageRequest('Page.md', 'text');
  let losses = 0;
  const written = await storage.commit({
    ...request,
    build: async (base, transaction) => {
      if (losses++ < 12) await other.put('Other.md', `${losses}`);
      return request.build(base, transaction);
    },
  });
  expect(written).toMatchObject({ kind: 'committed', replays: 12 });
  const longest = [10, 20, 40, 80, 160, 320, 640, 1000, 1000];
  expect(waits.filter((each) => !Number.isInteger(each))).toEqual(longest.map((each) => (77 / 256) * each));
});

it('nothing to change in an empty wiki is no error', async () => {
  const { put } = await openWriter(await newWiki());
  expect(await put('Page.md', '', { build: async () => null })).toEqual({ kind: 'unchanged', head: null });
});

it('a commit of the chain that is missing stops every write, and is never skipped', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('One.md', 'one');
  const copy = await newWiki();
  const fs = withChainOf(directory, copy);
  const copied = await openWriter(copy, { fs });
  await expect(copied.put('Two.md', 'two')).rejects.toMatchObject({
    code: 'missing_commit',
    message: expect.stringContaining('copied while it was written'),
  });
});

/** As a copy that took the chain, and not yet the packs. */
function withChainOf(original: string, copy: string): FileSystem {
  return {
    ...nodeFileSystem,
    readlink: (path) => nodeFileSystem.readlink(path.replace(`${copy}/pagetree`, `${original}/pagetree`)),
  };
}

function withoutReplays(outcome: object): object {
  const { replays: _, ...rest } = { replays: 0, ...outcome };
  return rest;
}
