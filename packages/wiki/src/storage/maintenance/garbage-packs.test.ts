import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';

// The ordinary case, packs that a merge replaced, is in tidy.test.ts.
describe.each(['local', 'shared'] as const)('the tidying of a repaired %s wiki', (placement) => {
  it('keeps the packs of a repair if it is tidied before the next write', async () => {
    const { directory, open } = await wikiWhoseNewestIsLost();
    const { storage } = await open();
    const { commit } = await storage.repair();
    expect(await (await open()).storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
    const reader = await open();
    expect(await reader.storage.head()).toBe(commit);
    expect((await reader.storage.check()).problems).toEqual([]);
    expect(nativeView(directory).pages).toEqual({ 'One.md': 'one', 'Two.md': 'two' });
  });

  it('keeps packs that a repair is about to link, and removes those that it can no longer link', async () => {
    const { directory, open } = await wikiWhoseNewestIsLost();
    const { fs, frozen } = freezing(isLink);
    void (await openWriter(directory, { placement, fs })).storage.repair().catch(() => undefined);
    await frozen;
    const repairer = await open();
    expect(await repairer.storage.tidy()).toMatchObject({ garbagePacksRemoved: 0 });
    await repairer.storage.repair();
    const left = placement === 'local' ? 1 : 0;
    expect(await repairer.storage.tidy()).toMatchObject({ garbagePacksRemoved: left });
    expect((await repairer.storage.check()).problems).toEqual([]);
  });

  async function wikiWhoseNewestIsLost() {
    const directory = await newWiki({ shared: placement === 'shared' });
    const open = () => openWriter(directory, { placement });
    const { put, storage } = await open();
    await put('One.md', 'one');
    await put('Two.md', 'two');
    await put('Lost.md', 'lost');
    const lost = await storage.head();
    await storage.close();
    for (const ending of ['pack', 'idx']) rmSync(join(directory, 'objects/pack', `pack-${lost}.${ending}`));
    return { directory, open };
  }
});
