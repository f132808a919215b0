import { readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packOf } from '../../../../test/git-input/bundles.ts';
import { git } from '../../../../test/native-git.ts';
import { observedFileSystem } from '../../../../test/storage/observed-file-system.ts';
import { livePacks } from '../../../../test/storage/packs.ts';
import { freezing, nativeView, newWiki, openWriter, type Writer } from '../../../../test/storage/writers.ts';
import { encodePackIndex } from '../../../formats/packs/pack-index.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { localFileSystem } from '../../files/local-file-system.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { nodeHost } from '../../files/node-host.ts';
import { ObjectStore } from '../../objects/object-store.ts';
import { openPackMerger } from './pack-merger.ts';

describe.each(['local', 'shared'] as const)('packs of a %s wiki', (placement) => {
  it('stay few while one process writes, and every commit stays readable', async () => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const writer = await openWriter(directory, { placement });
    await write(writer, 100);
    await writer.storage.settle();
    expect(livePacks(directory).length).toBeLessThan(placement === 'local' ? 125 : 45);
    await writer.storage.close();
    expect(livePacks(directory).length).toBeLessThan(45);
    expect(nativeView(directory).commits).toHaveLength(100);
    const cold = await openWriter(directory, { placement });
    for (const commit of nativeView(directory).commits)
      expect((await cold.storage.read(commit)).type).toBe('commit');
    for (const commit of nativeView(directory).commits)
      expect((await writer.storage.read(commit)).type).toBe('commit');
  });

  it('of processes that end after one write are merged by a later process', async () => {
    const directory = await newWiki({ shared: placement === 'shared' });
    for (let i = 0; i < 45; i += 1) {
      const writer = await openWriter(directory, { placement });
      await writer.put(`Page ${i % 5}.md`, `text ${i}`);
      await writer.storage.close();
    }
    expect(livePacks(directory).length).toBeLessThan(42);
    expect(nativeView(directory).commits).toHaveLength(45);
  });
});

it('are merged as fast as they come even if the disk delays no write', async () => {
  const directory = await newWiki();
  const fs: FileSystem = {
    ...localFileSystem,
    open: async (...place) => ({ ...(await localFileSystem.open(...place)), sync: () => setImmediate() }),
  };
  const writer = await openWriter(directory, { fs });
  for (let i = 0; i < 400; i += 1) await writer.put(`Page ${i % 20}.md`, `Line ${i}.\n`.repeat(1000));
  const written = new Set(nativeView(directory).commits.map((commit) => `pack-${commit}.pack`));
  const merged = livePacks(directory).filter((name) => !written.has(name));
  // On an idle machine 15 to 19; a merge runs beside the writes, and gets fewer turns on a busy one.
  expect(merged.length).toBeGreaterThan(5);
});

it('can all be merged, by two at once, beside a writer, and reads go on', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 30);
  const [one, two] = [merger(directory), merger(directory)];
  const reader = await openWriter(directory);
  const { commits } = nativeView(directory);
  const reading = (async () => {
    for (let i = 0; i < 10; i += 1) for (const commit of commits) await reader.storage.read(commit);
  })();
  await Promise.all([one.mergeAll(() => true), two.mergeAll(() => true), write(writer, 10), reading]);
  await writer.storage.settle();
  await merger(directory).mergeAll(() => true);
  expect(nativeView(directory).commits).toHaveLength(40);
  expect(livePacks(directory).length).toBeLessThan(3);
});

it('are left alone if they are kept from native git or have its own files', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 6);
  await writer.storage.settle();
  const [kept = '', bitmapped = ''] = livePacks(directory);
  writeFileSync(join(directory, 'objects/pack', kept.replace(/pack$/, 'keep')), '');
  writeFileSync(join(directory, 'objects/pack', bitmapped.replace(/pack$/, 'bitmap')), '');
  await merger(directory).mergeAll(() => true);
  expect(livePacks(directory)).toHaveLength(3);
  expect(livePacks(directory)).toEqual(expect.arrayContaining([kept, bitmapped]));
  git(directory, ['multi-pack-index', 'write']);
  expect(await merger(directory).mergeAll(() => true)).toEqual({
    before: 0,
    after: 0,
    debtPacks: 0,
    debtBytes: 0,
  });
});

it('that hold too much are opened once, and do not keep the others from being merged', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  const large = packOf([{ kind: 'blob', says: 2 ** 32, content: Buffer.from('x') }]);
  const entry = { oid: 'a'.repeat(40), offset: 12, crc32: crc32(large.subarray(12, -20)) };
  const path = join(directory, `objects/pack/pack-${'1'.repeat(40)}`);
  writeFileSync(`${path}.pack`, large);
  writeFileSync(`${path}.idx`, encodePackIndex([entry], large.subarray(-20)));
  let opened = 0;
  const fs = observedFileSystem(nodeFileSystem, (call) => {
    if (call.name === 'open' && call.path === `${path}.pack`) opened += 1;
  });
  const merging = merger(directory, fs);
  for (let round = 1; round <= 3; round += 1) {
    await write(writer, 2);
    await writer.storage.settle();
    const { before, after } = await merging.mergeAll(() => true);
    expect([before, after]).toEqual([round === 1 ? 3 : 4, 2]);
  }
  expect(opened).toBe(1);
});

it('are not retired while git collects garbage, or writes a pack', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 4);
  await writer.storage.settle();
  for (const sign of ['gc.pid', 'objects/pack/tmp_pack_abc']) {
    const path = join(directory, sign);
    writeFileSync(path, '');
    await write(writer, 2);
    await writer.storage.settle();
    const before = livePacks(directory).length;
    const merging = merger(directory);
    await merging.mergeAll(() => true);
    expect(livePacks(directory)).toHaveLength(before + 1);
    rmSync(path);
    await merging.retireMerged();
    expect(livePacks(directory)).toHaveLength(1);
  }
});

it('are retired only after their replacement is durable, in one call each', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 6);
  await writer.storage.settle();
  const before = livePacks(directory);
  const calls: string[] = [];
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (['sync', 'rename', 'unlink'].includes(name)) calls.push(`${name} ${path.replace(/^.*[./]/, '')}`);
  });
  await merger(directory, fs).mergeAll(() => true);
  expect(calls.slice(0, 4).sort()).toEqual(['rename idx', 'sync pack', 'sync pack', 'sync tmp']);
  expect(calls.slice(4)).toHaveLength(before.length);
  expect(calls.slice(4).every((call) => call.startsWith('rename merged-'))).toBe(true);
});

it('are not lost by a merge that freezes before it retires, while another merges what it made', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 8);
  await writer.storage.settle();
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'rename' && path.includes('.merged-'));
  const slow = merger(directory, fs).mergeAll(() => true);
  await frozen;
  await merger(directory).mergeAll(() => true);
  await write(writer, 3);
  thaw();
  await slow;
  await writer.storage.settle();
  expect(nativeView(directory).commits).toHaveLength(11);
});

it('are retired only after the newest request is recorded, even one that came during the merge', async () => {
  const directory = await newWiki({ shared: true });
  const open = (fs?: FileSystem) => openWriter(directory, { placement: 'shared', ...(fs && { fs }) });
  for (let i = 1; i <= 10; i += 1) {
    const ended = await open();
    await write(ended, 1);
    await ended.storage.close();
  }
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'readdir' && path.endsWith('/pack'));
  const merging = await open(fs);
  await write(merging, 1);
  const closed = merging.storage.close();
  await frozen;
  const newest = await (await open()).put('Newest.md', 'newest', { requestId: 'newest' });
  thaw();
  await closed;
  const { commit } = newest as { commit: string };
  expect(livePacks(directory)).not.toContain(`pack-${commit}.pack`);
  expect(rememberedCommits(directory)).toContain(commit);
});

it('are merged so that large packs are seldom copied', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { placement: 'shared' });
  const large = Array.from({ length: 40_000 }, () => Math.random()).join('\n');
  await writer.put('Large.md', large);
  for (let i = 0; i < 5; i += 1) await writer.put('Small.md', `${i}`);
  await writer.storage.close();
  const largest = livePacks(directory).find(
    (name) => statSync(join(directory, 'objects/pack', name)).size > 300_000,
  );
  await merger(directory).mergeAll(() => true);
  expect(livePacks(directory)).toHaveLength(2);
  expect(livePacks(directory)).toContain(largest);
});

async function write(writer: Writer, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await writer.put(`Page ${i % 5}.md`, `text ${Math.random()}`);
}

function merger(gitDirectory: string, fs: FileSystem = nodeFileSystem) {
  const objects = new ObjectStore({ fs, gitDirectory, cacheBytes: 2 ** 20 });
  const directory = join(gitDirectory, 'objects/pack');
  const beforeRetiring = async () => undefined;
  return openPackMerger({ fs, host: nodeHost(), directory, shared: false, beforeRetiring, objects });
}

function rememberedCommits(directory: string): string[] {
  const requests = readdirSync(join(directory, 'pagetree/requests-main'), {
    recursive: true,
    withFileTypes: true,
  });
  const entries = requests.filter((entry) => entry.isSymbolicLink());
  return entries.map(({ parentPath, name }) => readlinkSync(join(parentPath, name)));
}
