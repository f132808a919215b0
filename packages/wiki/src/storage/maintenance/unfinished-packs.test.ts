import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freezing, hostAhead, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';

const DAY = 24 * 3_600_000;

describe.each(['local', 'shared'] as const)(
  'a pack that a merger left without an index in a %s wiki',
  (placement) => {
    it('is removed after a day, and a merger that was only frozen then deletes nothing', async () => {
      const { directory, merging, thaw } = await wikiWithAFrozenMerger();
      const maintain = async (ahead: number) =>
        (await openWriter(directory, { placement, host: hostAhead(ahead) })).storage.tidy();
      expect(await maintain(0)).toMatchObject({ garbagePacksRemoved: 0 });
      expect(unfinished(directory)).toHaveLength(1);
      expect(await maintain(2 * DAY)).toMatchObject({ garbagePacksRemoved: 1 });
      expect(unfinished(directory)).toEqual([]);
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

function unfinished(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.idx.tmp'));
}
