import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/native-git.ts';
import { EVERYTHING } from '../../test/storage/failures/losses.ts';
import { powerCutFileSystem } from '../../test/storage/file-systems/power-cut-file-system.ts';
import { freezing, hostAhead, isLink, nativeView, newWiki, openWriter } from '../../test/storage/writers.ts';
import { nodeFileSystem } from './files/node-file-system.ts';

describe.each(['local', 'shared'] as const)('a %s wiki', (placement) => {
  const wiki = () => newWiki({ shared: placement === 'shared' });

  it('is read again and again and settles while it is empty', async () => {
    const { put, storage } = await openWriter(await wiki(), { placement });
    for (let i = 0; i < 3; i += 1) expect(await storage.head()).toBeNull();
    await storage.settle();
    expect(await put('Page.md', 'text')).toMatchObject({ kind: 'committed', parent: null });
  });

  it('begins empty, and shows each write to every process', async () => {
    const directory = await wiki();
    const first = await openWriter(directory, { placement });
    const second = await openWriter(directory, { placement });
    expect(await second.storage.head()).toBeNull();

    const one = await first.put('One.md', 'one');
    expect(one).toMatchObject({ kind: 'committed', parent: null, replays: 0 });
    expect(await second.storage.head()).toBe(one.kind === 'committed' && one.commit);

    const two = await second.put('Two.md', 'two');
    expect(two).toMatchObject({ kind: 'committed', parent: await headAfter(one), replays: 0 });
    await second.storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Two.md': 'two' });
  });

  it('builds a change again when another writer came first, and loses neither', async () => {
    const directory = await wiki();
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await openWriter(directory, { placement, fs });
    const fast = await openWriter(directory, { placement });

    const slowly = slow.put('Slow.md', 'slow');
    await frozen;
    for (const page of ['A.md', 'B.md', 'C.md']) await fast.put(page, page);
    thaw();

    expect(await slowly).toMatchObject({ kind: 'committed', replays: 1 });
    await slow.storage.settle();
    const view = nativeView(directory);
    expect(Object.keys(view.pages)).toEqual(['A.md', 'B.md', 'C.md', 'Slow.md']);
    expect(view.commits).toHaveLength(4);
  });

  it('applies a request once, even if any process repeats it at any time', async () => {
    const directory = await wiki();
    const first = await openWriter(directory, { placement });
    const request = { requestId: `${freshTime()}-7000-8000-000000000000` };
    const done = await first.put('Once.md', 'once', request);
    for (let i = 0; i < 3; i += 1) await first.put('Other.md', `${i}`);

    const second = await openWriter(directory, { placement });
    expect(await second.put('Once.md', 'once', request)).toEqual(repeatedOf(done));
    await expect(second.put('Once.md', 'else', request)).rejects.toMatchObject({ code: 'request_reused' });
    await second.storage.settle();
    expect(nativeView(directory).commits).toHaveLength(4);
  });

  it('answers a repeated request even if the change would now fail or do nothing', async () => {
    const writer = await openWriter(await wiki(), { placement });
    const done = await writer.put('Page.md', 'text', { requestId: '1' });
    const failing = { requestId: '1', build: () => Promise.reject(new Error('already exists')) };
    expect(await writer.put('Page.md', 'text', failing)).toEqual(repeatedOf(done));
    const idle = { requestId: '1', build: () => Promise.resolve(null) };
    expect(await writer.put('Page.md', 'text', idle)).toEqual(repeatedOf(done));
    await writer.put('Other.md', 'text');
    expect(await writer.put('Page.md', 'text', idle)).toEqual(repeatedOf(done));
  });

  it('commits nothing for an empty change, and continues after a failed one', async () => {
    const writer = await openWriter(await wiki(), { placement });
    const { storage } = writer;
    await writer.put('Page.md', 'text');
    const head = await storage.head();
    const idle = { build: () => Promise.resolve(null) };
    expect(await writer.put('Page.md', 'text', idle)).toEqual({ kind: 'unchanged', head });
    const failing = { build: () => Promise.reject(new Error('no such page')) };
    await expect(writer.put('Page.md', 'text', failing)).rejects.toThrow('no such page');
    expect(await storage.head()).toBe(head);
    expect(await writer.put('Page.md', 'more')).toMatchObject({ kind: 'committed', parent: head });
  });

  it('reports an unknown state for a request older than a day, and does not apply it', async () => {
    const directory = await wiki();
    const requestId = `${freshTime()}-7000-8000-000000000000`;
    const late = await openWriter(directory, { placement, host: hostAhead(25 * 3_600_000) });
    await expect(late.put('Page.md', 'text', { requestId })).rejects.toMatchObject({
      code: 'write_state_unknown',
    });

    const early = await openWriter(directory, { placement });
    const done = await early.put('Page.md', 'text', { requestId });
    await early.put('Other.md', 'text');
    expect(await late.put('Page.md', 'text', { requestId })).toEqual(repeatedOf(done));
  });

  it('gives up before the commit if the time is over', async () => {
    const directory = await wiki();
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await openWriter(directory, { placement, fs });
    const fast = await openWriter(directory, { placement });
    const time = new AbortController();
    const slowly = slow.put('Slow.md', 'slow', { signal: time.signal });
    await frozen;
    await fast.put('Fast.md', 'fast');
    time.abort();
    thaw();
    await expect(slowly).rejects.toMatchObject({ code: 'busy' });
    await fast.storage.settle();
    expect(Object.keys(nativeView(directory).pages)).toEqual(['Fast.md']);
  });
});

/** The first 12 digits of a UUIDv7 made now. */
function freshTime(): string {
  return Date.now()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-');
}

function headAfter(outcome: {
  kind: string;
  commit?: string;
  head?: string | null;
}): string | null | undefined {
  return outcome.commit ?? outcome.head;
}

function repeatedOf(outcome: object): object {
  const { replays: _, ...rest } = { replays: 0, ...outcome };
  return { ...rest, kind: 'repeated' };
}

describe.each(['local', 'shared'] as const)(
  'a copy of a %s wiki that left out its empty folders',
  (placement) => {
    it.each([0, 1])('can be written and tidied after %i commits', async (commits) => {
      const directory = await newWiki({ shared: placement === 'shared' });
      const writer = await openWriter(directory, { placement });
      for (let i = 0; i < commits; i += 1) await writer.put(`Page ${i}.md`, `${i}`);
      await writer.storage.close();
      for (const folder of readdirSync(join(directory, 'pagetree'))) {
        const path = join(directory, 'pagetree', folder);
        if (lstatSync(path).isDirectory() && readdirSync(path).length === 0) rmdirSync(path);
      }
      const { put, storage } = await openWriter(directory, { placement });
      expect(await put('More.md', 'more')).toMatchObject({ kind: 'committed' });
      await storage.settle();
      expect(nativeView(directory).pages).toMatchObject({ 'More.md': 'more' });
      expect(nativeView(directory).commits).toHaveLength(commits + 1);
      rmSync(join(directory, 'pagetree/temporary'), { recursive: true });
      await storage.tidy();
    });
  },
);

it('a request is remembered through a power cut even if a copy left out the requests folder, as it was empty', async () => {
  const directory = await newWiki();
  rmdirSync(join(directory, 'pagetree/requests-main'));
  const { fs, disk } = powerCutFileSystem(nodeFileSystem, directory);
  const writer = await openWriter(directory, { fs });
  await writer.put('One.md', 'one', { requestId: 'one' });
  await writer.put('Two.md', 'two');
  const left = join(temporaryDirectory(), 'wiki.git');
  disk.writeAfter(EVERYTHING, left);
  const { put } = await openWriter(left);
  expect(await put('One.md', 'one', { requestId: 'one' })).toMatchObject({ kind: 'repeated' });
});

it('a write that is answered is seen by native git', async () => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  for (const page of ['One.md', 'Two.md', 'Three.md']) {
    const written = await put(page, page);
    expect(nativeView(directory).commits[0]).toBe(written.kind === 'committed' && written.commit);
  }
});
