import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { type FileSystemCall, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { land } from '../../../test/storage/stores.ts';
import {
  freezing,
  hostAhead,
  isLink,
  nativeView,
  newWiki,
  openWriter,
} from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { readOpenedMark } from '../repository-format.ts';

const DAY = 24 * 3_600_000;

describe.each(['local', 'shared'] as const)('the maintenance of a %s wiki', (placement) => {
  const wiki = () => newWiki({ shared: placement === 'shared' });

  it('makes one pack of many, and loses nothing', async () => {
    const directory = await wiki();
    const writer = await openWriter(directory, { placement });
    for (let i = 0; i < 15; i += 1) await writer.put(`Page ${i}.md`, `${i}`);
    expect(await writer.storage.tidy()).toMatchObject({ packsBefore: 15, packs: 1 });
    expect(files(directory, /idx$/)).toHaveLength(1);
    expect(files(directory, /keep$/)).toHaveLength(0);
    expect(nativeView(directory).commits).toHaveLength(15);
    expect(await writer.storage.tidy()).toMatchObject({ packsBefore: 1, packs: 1 });
  });

  it('stops when it is asked to, and goes on another time', async () => {
    const writer = await openWriter(await wiki(), { placement });
    for (let i = 0; i < 5; i += 1) await writer.put(`Page ${i}.md`, `${i}`);
    expect(await writer.storage.tidy(() => false)).toMatchObject({ packsBefore: 5, packs: 5 });
    expect(await writer.storage.tidy()).toMatchObject({ packs: 1 });
  });

  it('leaves the pack of a writer that may still link it, and no longer when it cannot', async () => {
    const directory = await wiki();
    const writer = await openWriter(directory, { placement });
    await writer.put('One.md', 'one');
    const { fs, frozen } = freezing(isLink);
    void (await openWriter(directory, { placement, fs })).put('Frozen.md', 'frozen');
    await frozen;
    expect(await writer.storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
    await writer.put('Two.md', 'two');
    const late = await openWriter(directory, { placement, host: hostAhead(400 * DAY) });
    // On a shared mount the first maintenance took its objects along into another pack.
    const left = placement === 'local' ? 1 : 0;
    expect(await late.storage.tidy()).toMatchObject({ garbagePacksRemoved: left });
    await writer.storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Two.md': 'two' });
    expect(files(directory, /keep$/)).toHaveLength(0);
  });

  it('may delete any pack of a frozen writer: the writer thaws and commits', async () => {
    const directory = await wiki();
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await openWriter(directory, { placement, fs });
    const slowly = slow.put('Slow.md', 'slow');
    await frozen;
    const late = await openWriter(directory, { placement, host: hostAhead(400 * DAY) });
    await late.storage.tidy();
    await late.put('One.md', 'one');
    await late.storage.tidy();
    thaw();
    expect(await slowly).toMatchObject({ kind: 'committed', replays: 1 });
    await slow.storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Slow.md': 'slow' });
  });

  it('forgets a request a day after its id is refused, and no sooner', async () => {
    const directory = await wiki();
    const writer = await openWriter(directory, { placement });
    const time = Date.now().toString(16).padStart(12, '0');
    const requestId = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
    await writer.put('Page.md', 'text', { requestId });
    // The id of a person has the age of the one that they gave.
    await writer.put('Mine.md', 'text', { requestId, person: 'ada' });
    await writer.put('Other.md', 'other', { requestId: 'without an age' });
    await writer.put('Other.md', 'another');
    const after = async (days: number) =>
      (await openWriter(directory, { placement, host: hostAhead(days * DAY) })).storage.tidy();
    expect(await after(2)).toMatchObject({ requestsForgotten: 0 });
    expect(await after(2.1)).toMatchObject({ requestsForgotten: 2 });
    const late = await openWriter(directory, { placement, host: hostAhead(3 * DAY) });
    for (const person of [undefined, 'ada']) {
      await expect(late.put('Page.md', 'text', { requestId, person })).rejects.toMatchObject({
        code: 'write_state_unknown',
        data: { requestId },
      });
    }
    const ageless = { requestId: 'without an age' };
    expect(await late.put('Other.md', 'other', ageless)).toMatchObject({ kind: 'repeated' });
  });
});

it('releases packs that a dead process kept from git, and no others', async () => {
  const directory = await newWiki();
  const { fs, frozen } = freezing(({ name, path }) => name === 'link' && path.endsWith('main.lock'));
  void (await openWriter(directory, { fs })).put('Page.md', 'text');
  await frozen;
  const writer = await openWriter(directory);
  await writer.put('Page.md', 'more');
  writeFileSync(join(directory, 'objects/pack', `pack-${'1'.repeat(40)}.keep`), 'mine');
  for (const digit of ['2', '3']) {
    writeFileSync(join(directory, 'objects/pack', `pack-${digit.repeat(40)}.keep`), '');
  }
  await land(directory, '3'.repeat(40), ['text']);
  await writer.storage.tidy();
  expect(files(directory, /keep$/)).toEqual(['1', '2', '3'].map((digit) => `pack-${digit.repeat(40)}.keep`));
  git(directory, ['gc', '--quiet', '--prune=now']);
  expect(nativeView(directory).commits).toHaveLength(2);
});

it('releases packs that a clone brought along which the wiki kept from git', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  for (const page of ['One.md', 'Two.md', 'Three.md']) await writer.put(page, 'text');
  const clone = join(temporaryDirectory(), 'clone.git');
  git('/', ['clone', '--quiet', '--bare', directory, clone]);
  expect(files(clone, /keep$/)).toHaveLength(3);
  const { put, storage } = await openWriter(clone);
  await put('Four.md', 'text');
  await storage.tidy();
  expect(files(clone, /keep$/)).toEqual([]);
  git(clone, ['gc', '--quiet', '--prune=now']);
  expect(nativeView(clone).commits).toHaveLength(4);
});

it('leaves an index over all packs on a shared mount, by which the next process finds any object', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { placement: 'shared' });
  for (let i = 0; i < 100; i += 1) await writer.put(`Page ${i}.md`, `${i}`);
  const [first = ''] = nativeView(directory).commits.slice(-1);
  const callsOfNext = async () => {
    const calls: FileSystemCall[] = [];
    const fs = observedFileSystem(nodeFileSystem, (call) => void calls.push(call));
    const next = await openWriter(directory, { placement: 'shared', fs });
    await next.storage.read(first);
    return calls.map(({ name, path }) => `${name} ${path.slice(directory.length)}`);
  };
  expect(await callsOfNext()).not.toContain('open /pagetree/multi-pack-index');
  await writer.storage.tidy();
  const calls = await callsOfNext();
  expect(calls).toContain('open /pagetree/multi-pack-index');
  expect(calls).not.toContain('readdir /objects/pack');
});

it('makes the index over all packs last, and not after it is asked to stop', async () => {
  const directory = await newWiki({ shared: true });
  const index = join(directory, 'pagetree/multi-pack-index');
  const old = join(directory, 'pagetree/temporary/old');
  const { put, storage } = await openWriter(directory, { placement: 'shared' });
  await put('Page.md', 'text');
  writeFileSync(old, '');
  utimesSync(old, new Date(), new Date(Date.now() - 2 * DAY));
  expect(await storage.tidy(() => false)).toMatchObject({ temporaryFilesDeleted: 1 });
  expect(existsSync(index)).toBe(false);
  await storage.tidy(() => !existsSync(index));
  expect(existsSync(index)).toBe(true);
});

it('points later processes to the index over all packs only after it is made', async () => {
  const directory = await newWiki({ shared: true });
  const mark = () => readOpenedMark(nodeFileSystem, directory);
  const { put, storage } = await openWriter(directory, { placement: 'shared' });
  await put('Page.md', 'text');
  await storage.tidy(() => false);
  expect(await mark()).toMatchObject({ indexed: false });
  await storage.tidy();
  expect(await mark()).toMatchObject({ indexed: true });
});

function files(directory: string, ending: RegExp): string[] {
  return readdirSync(join(directory, 'objects/pack'))
    .filter((file) => ending.test(file))
    .sort();
}
