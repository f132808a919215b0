import { readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { freezing, nativeView, newWiki, openWriter, type Writer } from '../../../test/storage/writers.ts';
import type { FileSystem } from '../files/file-system.ts';
import { localFileSystem } from '../files/local-file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { nodeHost } from '../files/node-host.ts';
import { ObjectStore } from './object-store.ts';
import { openPackMerger } from './pack-merger.ts';

describe.each(['local', 'shared'] as const)('packs of a %s wiki', (placement) => {
  it('stay few while one process writes, and every commit stays readable', async () => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const writer = await openWriter(directory, { placement });
    await write(writer, 100);
    await writer.storage.settle();
    expect(packs(directory).length).toBeLessThan(placement === 'local' ? 125 : 45);
    await writer.storage.close();
    expect(packs(directory).length).toBeLessThan(45);
    expect(nativeView(directory).commits).toHaveLength(100);
    const cold = await openWriter(directory, { placement });
    for (const commit of nativeView(directory).commits)
      expect((await cold.storage.read(commit)).type).toBe('commit');
    for (const commit of nativeView(directory).commits)
      expect((await writer.storage.read(commit)).type).toBe('commit');
  });

  it('of processes that end after one write are merged by one that comes later', async () => {
    const directory = await newWiki({ shared: placement === 'shared' });
    for (let i = 0; i < 45; i += 1) {
      const writer = await openWriter(directory, { placement });
      await writer.put(`Page ${i % 5}.md`, `text ${i}`);
      await writer.storage.close();
    }
    expect(packs(directory).length).toBeLessThan(42);
    expect(nativeView(directory).commits).toHaveLength(45);
  });
});

it('are merged as fast as they come also where the disk keeps no write waiting', async () => {
  const directory = await newWiki();
  const fs: FileSystem = {
    ...localFileSystem,
    open: async (...place) => ({ ...(await localFileSystem.open(...place)), sync: () => setImmediate() }),
  };
  const writer = await openWriter(directory, { fs });
  for (let i = 0; i < 400; i += 1) await writer.put(`Page ${i % 20}.md`, `Line ${i}.\n`.repeat(1000));
  const written = new Set(nativeView(directory).commits.map((commit) => `pack-${commit}.pack`));
  const merged = packs(directory).filter((name) => !written.has(name));
  expect(merged.length).toBeGreaterThan(12);
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
  expect(packs(directory).length).toBeLessThan(3);
});

it('that are kept from native git, or have files of its own, are left alone', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 6);
  await writer.storage.settle();
  const [kept = '', bitmapped = ''] = packs(directory);
  writeFileSync(join(directory, 'objects/pack', kept.replace(/pack$/, 'keep')), '');
  writeFileSync(join(directory, 'objects/pack', bitmapped.replace(/pack$/, 'bitmap')), '');
  await merger(directory).mergeAll(() => true);
  expect(packs(directory)).toHaveLength(3);
  expect(packs(directory)).toEqual(expect.arrayContaining([kept, bitmapped]));
  git(directory, ['multi-pack-index', 'write']);
  expect(await merger(directory).mergeAll(() => true)).toEqual({ before: 0, after: 0 });
});

it('are not deleted while git collects garbage, or writes a pack', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 4);
  await writer.storage.settle();
  for (const sign of ['gc.pid', 'objects/pack/tmp_pack_abc']) {
    const path = join(directory, sign);
    writeFileSync(path, '');
    await write(writer, 2);
    await writer.storage.settle();
    const before = packs(directory).length;
    const merging = merger(directory);
    await merging.mergeAll(() => true);
    expect(packs(directory)).toHaveLength(before + 1);
    rmSync(path);
    await merging.deleteMerged();
    expect(packs(directory)).toHaveLength(1);
  }
});

it('are deleted only when what replaces them is there to stay', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 6);
  await writer.storage.settle();
  const before = packs(directory);
  const calls: string[] = [];
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (['sync', 'rename', 'unlink'].includes(name)) calls.push(`${name} ${path.replace(/^.*[./]/, '')}`);
  });
  await merger(directory, fs).mergeAll(() => true);
  expect(calls.slice(0, 4).sort()).toEqual(['rename idx', 'sync pack', 'sync pack', 'sync tmp']);
  expect(calls.slice(4)).toHaveLength(2 * before.length);
  expect(calls.slice(4).every((call) => call.startsWith('unlink'))).toBe(true);
});

it('are not lost by a merge that freezes before it deletes, while another merges what it made', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await write(writer, 8);
  await writer.storage.settle();
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'unlink' && path.endsWith('.idx'));
  const slow = merger(directory, fs).mergeAll(() => true);
  await frozen;
  await merger(directory).mergeAll(() => true);
  await write(writer, 3);
  thaw();
  await slow;
  await writer.storage.settle();
  expect(nativeView(directory).commits).toHaveLength(11);
});

it('are deleted only when the newest request is remembered, also where another made it while they were merged', async () => {
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
  expect(packs(directory)).not.toContain(`pack-${commit}.pack`);
  expect(rememberedCommits(directory)).toContain(commit);
});

it('are merged so that what is large is seldom copied', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { placement: 'shared' });
  const large = Array.from({ length: 40_000 }, () => Math.random()).join('\n');
  await writer.put('Large.md', large);
  for (let i = 0; i < 5; i += 1) await writer.put('Small.md', `${i}`);
  await writer.storage.close();
  const largest = packs(directory).find(
    (name) => statSync(join(directory, 'objects/pack', name)).size > 300_000,
  );
  await merger(directory).mergeAll(() => true);
  expect(packs(directory)).toHaveLength(2);
  expect(packs(directory)).toContain(largest);
});

async function write(writer: Writer, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) await writer.put(`Page ${i % 5}.md`, `text ${Math.random()}`);
}

function merger(gitDirectory: string, fs: FileSystem = nodeFileSystem) {
  const objects = new ObjectStore({ fs, gitDirectory, cacheBytes: 2 ** 20 });
  const directory = join(gitDirectory, 'objects/pack');
  const beforeDeleting = async () => undefined;
  return openPackMerger({ fs, host: nodeHost(), directory, shared: false, beforeDeleting, objects });
}

function rememberedCommits(directory: string): string[] {
  const requests = readdirSync(join(directory, 'pagetree/requests-main'), {
    recursive: true,
    withFileTypes: true,
  });
  const entries = requests.filter((entry) => entry.isSymbolicLink());
  return entries.map(({ parentPath, name }) => readlinkSync(join(parentPath, name)));
}

function packs(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.pack'));
}
