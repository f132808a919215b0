import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packOf } from '../../../../test/git-input/bundles.ts';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { powerCutFileSystem } from '../../../../test/storage/file-systems/power-cut-file-system.ts';
import { type FileSystemCall, observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';
import type { Oid } from '../../../formats/oid.ts';
import { encodePackIndex } from '../../../formats/packs/pack-index.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';

it.each(['local', 'shared'] as const)(
  'a chain that another process begins meanwhile does not count as lost (%s)',
  async (placement) => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const looksForTraces = freezing(({ name, path }) => name === 'readdir' && path.includes('requests-main'));
    const slow = await openWriter(directory, { placement, fs: looksForTraces.fs });
    const head = slow.storage.head();
    await looksForTraces.frozen;
    const fast = await openWriter(directory, { placement });
    await fast.put('One.md', 'one');
    await fast.put('Two.md', 'two');
    looksForTraces.thaw();
    expect(await head).toBe(await fast.storage.head());
  },
);

it.each(['local', 'shared'] as const)('a lost chain stops reads and writes (%s)', async (placement) => {
  const directory = await newWiki({ shared: placement === 'shared' });
  const before = await openWriter(directory, { placement });
  await before.put('One.md', 'one');
  await before.put('Two.md', 'two');
  await before.storage.close();
  rmSync(join(directory, 'pagetree/chain-main'), { recursive: true });
  const { storage, put } = await openWriter(directory, { placement });
  await expect(storage.head()).rejects.toMatchObject({ code: 'corrupt_chain' });
  await expect(put('Three.md', 'three')).rejects.toMatchObject({ code: 'corrupt_chain' });
});

it('last commits whose names in the chain are lost do not count as a push', async () => {
  const directory = await newWiki();
  const before = await openWriter(directory);
  const commits: Oid[] = [];
  for (const page of ['One.md', 'Two.md', 'Three.md']) {
    const outcome = await before.put(page, 'text', { requestId: page });
    if (outcome.kind === 'committed') commits.push(outcome.commit);
  }
  await before.storage.close();
  for (const commit of commits.slice(0, 2)) rmSync(join(directory, 'pagetree/chain-main', commit));
  const { storage, put } = await openWriter(directory);
  const again = () => put('Three.md', 'text', { requestId: 'Three.md' });
  await expect(again()).rejects.toMatchObject({ code: 'corrupt_chain' });
  expect((await storage.check()).problems).toHaveLength(1);
  expect(await storage.repair()).toMatchObject({ commit: null, orderRestored: true });
  expect(await again()).toMatchObject({ kind: 'repeated', commit: commits[2] });
  expect((await storage.check()).problems).toEqual([]);
});

it('a lost chain is rebuilt even if a file is too large to be read', async () => {
  const directory = await newWiki();
  const before = await openWriter(directory);
  await before.put('One.md', 'one');
  await before.put('Two.md', 'two', { requestId: 'two' });
  await before.storage.close();
  const pack = packOf([{ kind: 'blob', says: 2 ** 32, content: Buffer.from('x') }]);
  const entry = { oid: 'a'.repeat(40), offset: 12, crc32: crc32(pack.subarray(12, -20)) };
  const path = join(directory, `objects/pack/pack-${'1'.repeat(40)}`);
  writeFileSync(`${path}.pack`, pack);
  writeFileSync(`${path}.idx`, encodePackIndex([entry], pack.subarray(-20)));
  rmSync(join(directory, 'pagetree/chain-main'), { recursive: true });
  const { storage, put } = await openWriter(directory);
  expect(await storage.repair()).toMatchObject({ commit: null, orderRestored: true });
  expect(await put('Two.md', 'two', { requestId: 'two' })).toMatchObject({ kind: 'repeated' });
});

it.each(['maintained', 'closed'])(
  'a wiki that was %s still knows its last request if the name of its last commit is lost',
  async (how) => {
    const directory = await newWiki();
    const { storage, put } = await openWriter(directory);
    await put('One.md', 'one');
    const first = await storage.head();
    await put('Two.md', 'two', { requestId: 'two' });
    if (how === 'maintained') await storage.tidy();
    await storage.close();
    git(directory, ['gc', '--quiet', '--prune=now']);
    rmSync(join(directory, 'pagetree/chain-main', first ?? ''));
    const after = await openWriter(directory);
    const again = () => after.put('Two.md', 'two', { requestId: 'two' });
    await expect(again()).rejects.toMatchObject({ code: 'corrupt_chain' });
    expect(await after.storage.repair()).toMatchObject({ orderRestored: true });
    expect(await again()).toMatchObject({ kind: 'repeated' });
  },
);

it('a first write that a power cut undid leaves no trace, even if another write was built on it', async () => {
  const directory = await newWiki();
  const { fs: accounted, disk } = powerCutFileSystem(nodeFileSystem, directory);
  const stopping = (matches: (call: FileSystemCall) => boolean) => {
    const stopped = Promise.withResolvers<void>();
    const fs = observedFileSystem(accounted, async (call) => {
      if (!matches(call)) return;
      stopped.resolve();
      await Promise.withResolvers<void>().promise;
    });
    return { fs, stopped: stopped.promise };
  };
  let isLinked = false;
  const first = stopping((call) => {
    isLinked ||= isLink(call);
    return isLinked && call.name === 'open' && call.path.endsWith('/chain-main');
  });
  void (await openWriter(directory, { fs: first.fs })).put('One.md', 'one');
  await first.stopped;
  const second = stopping((call) => isLink(call));
  void (await openWriter(directory, { fs: second.fs })).put('Two.md', 'two');
  await second.stopped;

  const after = join(temporaryDirectory(), 'after.git');
  disk.writeAfter({ keepsChange: () => false, unsyncedBytes: 'lost' }, after);
  const { put } = await openWriter(after);
  expect(await put('Three.md', 'three')).toMatchObject({ kind: 'committed' });
});

describe.each(['local', 'shared'] as const)('a %s wiki that lost all of its own directory', (placement) => {
  it('is not taken for a clone, and after a repair applies no request twice', async () => {
    const { directory, commit } = await wikiWithoutItsDirectory();
    for (let process = 1; process <= 2; process += 1) {
      const { storage, put } = await openWriter(directory, { placement });
      await expect(put('Page.md', 'text', { requestId: 'first' })).rejects.toMatchObject({
        code: 'corrupt_chain',
      });
      await expect(storage.head()).rejects.toMatchObject({ code: 'corrupt_chain' });
      await expect(storage.tidy()).rejects.toMatchObject({ code: 'corrupt_chain' });
    }
    const { storage, put } = await openWriter(directory, { placement });
    expect(await storage.repair()).toMatchObject({ commit: null, orderRestored: true });
    expect(await put('Page.md', 'text', { requestId: 'first' })).toMatchObject({ kind: 'repeated', commit });
    expect((await storage.check()).problems).toEqual([]);
  });

  it('is still lost if a repair was interrupted', async () => {
    const { directory, commit } = await wikiWithoutItsDirectory();
    const { fs, frozen } = freezing((call) => isLink(call) && call.path.endsWith('0'.repeat(40)));
    void (await openWriter(directory, { placement, fs })).storage.repair();
    await frozen;
    const { storage, put } = await openWriter(directory, { placement });
    await expect(storage.head()).rejects.toMatchObject({ code: 'corrupt_chain' });
    expect(await storage.repair()).toMatchObject({ commit: null, orderRestored: true });
    expect(await put('Page.md', 'text', { requestId: 'first' })).toMatchObject({ kind: 'repeated', commit });
  });

  async function wikiWithoutItsDirectory() {
    const directory = await newWiki({ shared: placement === 'shared' });
    const { put, storage } = await openWriter(directory, { placement });
    const outcome = await put('Page.md', 'text', { requestId: 'first' });
    await put('Other.md', 'text');
    await storage.tidy();
    await storage.close();
    rmSync(join(directory, 'pagetree'), { recursive: true });
    return { directory, commit: outcome.kind === 'committed' ? outcome.commit : null };
  }
});

describe.each(['local', 'shared'] as const)('no chain is lost in a %s wiki', (placement) => {
  it.each(['--bare', '--mirror'])('that is a clone (%s): each write is in its own pack', async (kind) => {
    const directory = await wikiOfThree();
    const clone = join(temporaryDirectory(), 'clone.git');
    git('/', ['clone', '--quiet', kind, directory, clone]);
    await expectToGoOn(clone);
  });

  it('that is a clone with the pack of an attempt that lost its race', async () => {
    const directory = await wikiOfThree();
    const { fs, frozen } = freezing(isLink);
    void (await openWriter(directory, { placement, fs })).put('Frozen.md', 'frozen');
    await frozen;
    const writer = await openWriter(directory, { placement });
    await writer.put('Three.md', 'three');
    await writer.storage.settle();
    const clone = join(temporaryDirectory(), 'clone.git');
    git('/', ['clone', '--quiet', '--bare', directory, clone]);
    await expectToGoOn(clone);
  });

  it('that is a clone made while the branch lagged', async () => {
    const directory = await wikiOfThree();
    const clone = join(temporaryDirectory(), 'clone.git');
    git(directory, ['update-ref', 'refs/heads/main', 'main~2']);
    git('/', ['clone', '--quiet', '--bare', directory, clone]);
    await expectToGoOn(clone);
  });

  it('whose branch was renamed', async () => {
    const directory = await wikiOfThree();
    git(directory, ['branch', '-m', 'other']);
    rmSync(join(directory, 'pagetree/opened'), { force: true });
    await expectToGoOn(directory, 'other');
  });

  it('whose branch was renamed while an attempt that died lay on its newest commit', async () => {
    const directory = await wikiOfThree();
    const { fs, frozen } = freezing(isLink);
    void (await openWriter(directory, { placement, fs })).put('Dead.md', 'dead');
    await frozen;
    git(directory, ['branch', '-m', 'other']);
    rmSync(join(directory, 'pagetree/opened'), { force: true });
    await expectToGoOn(directory, 'other');
  });

  it('that goes on in another branch, and the first one keeps what it had', async () => {
    const directory = await wikiOfThree();
    git(directory, ['branch', 'other', 'main~2']);
    git(directory, ['symbolic-ref', 'HEAD', 'refs/heads/other']);
    rmSync(join(directory, 'pagetree/opened'), { force: true });
    const { put, storage } = await openWriter(directory, { placement });
    expect(await put('Four.md', 'four')).toMatchObject({ kind: 'committed' });
    await storage.tidy();
    expect(nativeView(directory).pages).toEqual(THREE);
  });

  async function wikiOfThree(): Promise<string> {
    const directory = await newWiki({ shared: placement === 'shared' });
    const { put, storage } = await openWriter(directory, { placement });
    for (const [page, text] of Object.entries(THREE)) await put(page, text);
    await storage.close();
    return directory;
  }

  async function expectToGoOn(directory: string, branch = 'main'): Promise<void> {
    const { put, storage } = await openWriter(directory, { placement });
    expect(await storage.head()).toBe(git(directory, ['rev-parse', branch]));
    expect(await put('Four.md', 'four')).toMatchObject({ kind: 'committed' });
    await storage.tidy();
    expect((await storage.check()).problems).toEqual([]);
    await storage.settle();
    expect(git(directory, ['cat-file', 'blob', `${branch}:Four.md`])).toBe('four');
    expect(git(directory, ['cat-file', 'blob', `${branch}:One.md`])).toBe('one');
    git(directory, ['fsck', '--strict', '--full', '--no-dangling']);
  }
});

const THREE = { 'One.md': 'one', 'Three.md': 'three', 'Two.md': 'two' };
