import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deleteRetired } from '../../../test/storage/packs.ts';
import { packFiles } from '../../../test/storage/stores.ts';
import { freezing, hostAhead, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(['local', 'shared'] as const)(
  'a pack that a merger left without an index in a %s wiki',
  (placement) => {
    it('is removed after a day, and a merger that was only frozen then deletes nothing', async () => {
      const { directory, merging, thaw } = await wikiWithAFrozenMerger();
      const maintain = async (ahead: number) =>
        (await openWriter(directory, { placement, host: hostAhead(ahead) })).storage.tidy();
      for (const ahead of [0, 23 * HOUR]) {
        expect(await maintain(ahead)).toMatchObject({ garbagePacksRemoved: 0 });
      }
      const [index = '', ...others] = unfinished(directory);
      expect(others).toEqual([]);
      expect(await maintain(2 * DAY)).toMatchObject({ garbagePacksRemoved: 1 });
      for (const file of [index, index.replace('idx.tmp', 'pack')]) {
        expect(existsSync(join(directory, 'objects/pack', file))).toBe(false);
      }
      thaw();
      await expect(merging).rejects.toMatchObject({ code: 'io_error' });
      expect((await (await openWriter(directory, { placement })).storage.check()).problems).toEqual([]);
      expect(Object.keys(nativeView(directory).pages)).toHaveLength(3);
    });

    it('stays if the merger has just finished it', async () => {
      const { directory, merging, thaw } = await wikiWithAFrozenMerger();
      const removing = freezing(({ name, path }) => name === 'unlink' && path.endsWith('.idx.tmp'));
      const late = await openWriter(directory, { placement, fs: removing.fs, host: hostAhead(2 * DAY) });
      const maintaining = late.storage.tidy();
      await removing.frozen;
      thaw();
      await merging;
      removing.thaw();
      expect(await maintaining).toMatchObject({ garbagePacksRemoved: 0 });
      expect((await (await openWriter(directory, { placement })).storage.check()).problems).toEqual([]);
    });

    it('stays if no other pack holds its objects, as in a copy, and a repair recovers them', async () => {
      const { directory, sources } = await wikiWithAFrozenMerger();
      for (const file of sources) rmSync(join(directory, 'objects/pack', file));
      const late = await openWriter(directory, { placement, host: hostAhead(2 * DAY) });
      expect(await late.storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
      await late.storage.repair();
      expect((await late.storage.check()).problems).toEqual([]);
      expect(Object.keys(nativeView(directory).pages)).toHaveLength(3);
    });

    async function wikiWithAFrozenMerger() {
      const directory = await newWiki({ shared: placement === 'shared' });
      const { put, storage } = await openWriter(directory, { placement });
      for (const page of ['One.md', 'Two.md', 'Three.md']) await put(page, page);
      await storage.settle();
      await storage.close();
      const sources = readdirSync(join(directory, 'objects/pack'));
      const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'rename' && path.endsWith('.idx'));
      const merging = (await openWriter(directory, { placement, fs })).storage.tidy();
      await frozen;
      return { directory, sources, merging, thaw };
    }
  },
);

describe.each(['local', 'shared'] as const)('a pack without an index of a %s wiki', (placement) => {
  const wiki = () => newWiki({ shared: placement === 'shared' });
  const later = (directory: string) => openWriter(directory, { placement, host: hostAhead(2 * DAY) });

  it('stays while its writer is frozen, who then commits', async () => {
    const directory = await wiki();
    await (await openWriter(directory, { placement })).put('One.md', 'one');
    const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'rename' && path.endsWith('.idx'));
    const slow = await openWriter(directory, { placement, fs });
    const writing = slow.put('Slow.md', 'slow');
    await frozen;
    expect(await (await later(directory)).storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
    thaw();
    expect(await writing).toMatchObject({ kind: 'committed', replays: 0 });
    await slow.storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Slow.md': 'slow' });
  });

  it('stays if a power cut hid its index, and the chain names its commit', async () => {
    const directory = await wiki();
    const { put, storage } = await openWriter(directory, { placement });
    for (const page of ['One.md', 'Two.md', 'Three.md']) await put(page, page);
    await storage.settle();
    const second = nativeView(directory).commits[1];
    await storage.close();
    const index = join(directory, 'objects/pack', `pack-${second}.idx`);
    renameSync(index, `${index}.tmp`);
    await (await later(directory)).storage.tidy();
    const { storage: repairer } = await later(directory);
    await repairer.repair();
    await repairer.settle();
    expect(Object.keys(nativeView(directory).pages)).toEqual(['One.md', 'Three.md', 'Two.md']);
  });

  it('stays in a wiki without a commit', async () => {
    const directory = await wiki();
    const { storage } = await openWriter(directory, { placement });
    await storage.tidy();
    for (const ending of ['pack', 'idx.tmp']) {
      writeFileSync(join(directory, 'objects/pack', `pack-${'1'.repeat(40)}.${ending}`), 'PACK');
    }
    await (await later(directory)).storage.tidy();
    expect(await storage.head()).toBeNull();
  });

  it.each(['idx', 'keep'])(
    'stays if it has a file .%s, and only the name of an index was left',
    async (ending) => {
      const directory = await wiki();
      const { put, storage } = await openWriter(directory, { placement });
      for (const page of ['One.md', 'Two.md']) await put(page, page);
      await storage.tidy();
      await storage.close();
      deleteRetired(directory);
      const [live] = packFiles(directory);
      const kept = ending === 'idx' ? live : join(directory, 'objects/pack', `pack-${'1'.repeat(40)}.pack`);
      if (ending === 'keep') {
        copyFileSync(live, kept);
        writeFileSync(kept.replace(/pack$/, 'keep'), 'mine');
      }
      writeFileSync(kept.replace(/pack$/, 'idx.tmp'), '');
      expect(await (await later(directory)).storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
      expect(existsSync(kept)).toBe(true);
      expect(Object.keys(nativeView(directory).pages)).toEqual(['One.md', 'Two.md']);
    },
  );
});

function unfinished(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.idx.tmp'));
}
