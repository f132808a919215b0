import { readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pageRequest } from '../../../test/storage/pages.ts';
import { pagePush, pushTo } from '../../../test/storage/pushes.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { trailerLines } from '../commits/request-trailers.ts';

describe.each(['local', 'shared'] as const)('the repair of a %s wiki', (placement) => {
  it.each([0, 1])('takes no pack from a writer that still writes it, after %i commits', async (commits) => {
    const { directory, open } = await wiki();
    if (commits > 0) await (await open()).put('One.md', 'one');
    const { fs, frozen, thaw } = freezing(({ name, path }) => name === 'rename' && path.endsWith('.idx'));
    const slow = await openWriter(directory, { placement, fs });
    const writing = slow.put('Slow.md', 'slow');
    await frozen;
    const repairer = await open();
    expect(await repairer.storage.repair()).toMatchObject({ commit: null, packsReplaced: 0 });
    thaw();
    expect(await writing).toMatchObject({ kind: 'committed', replays: 0 });
    await slow.storage.settle();
    expect(Object.keys(nativeView(directory).pages)).toEqual(
      commits > 0 ? ['One.md', 'Slow.md'] : ['Slow.md'],
    );
  });

  it('says that it is to be tried again if another repair came first, and leaves nothing behind', async () => {
    const { directory, open } = await wikiWhoseSecondIsLost();
    const { fs, frozen, thaw } = freezing(isLink);
    const slow = await openWriter(directory, { placement, fs });
    const slowly = slow.storage.repair();
    await frozen;
    const { commit } = await (await open()).storage.repair();
    const before = keptFiles(directory);
    thaw();
    await expect(slowly).rejects.toMatchObject({
      code: 'busy',
      message: 'Another process wrote or repaired at the same time. Try again.',
    });
    await slow.put('After.md', 'after');
    await slow.storage.settle();
    expect(keptFiles(directory).filter((file) => before.includes(file))).toEqual([]);
    const { pages, commits } = nativeView(directory);
    expect(Object.keys(pages)).toEqual(['After.md', 'One.md', 'Three.md']);
    expect(commits[1]).toBe(commit);
  });

  it('has the newest write not made again, although it comes after that', async () => {
    const { directory, open, newest } = await wikiWhoseSecondIsLost();
    const { storage } = await open();
    const { commit } = await storage.repair();
    const again = await (await open()).put('Three.md', 'three', { requestId: 'newest' });
    expect(again).toMatchObject({ kind: 'repeated', commit: newest });
    // The wiki made it itself, and nobody else.
    expect(readlinkSync(join(directory, 'pagetree/chain-main', `${newest}`))).toBe(commit);
    await storage.settle();
    expect(keptFiles(directory)).not.toContain(`pack-${commit}.keep`);
  });

  it('finds every request again whose names are lost with the order, but believes no push', async () => {
    const { directory, open } = await wiki();
    const { put, storage } = await open();
    await put('One.md', 'one', { requestId: 'first' });
    const { digest } = pageRequest('Forged.md', 'forged');
    const forged = trailerLines({ requestId: 'forged', digest, nonce: '1'.repeat(32) }).join('\n');
    await pushTo(
      storage,
      await pagePush(storage, await storage.head(), 'Pushed.md', 'pushed', `Push\n\n${forged}\n`),
    );
    await put('Two.md', 'two');
    await storage.settle();
    await storage.close();
    const own = join(directory, 'pagetree');
    for (const name of readdirSync(own).filter((each) => each.startsWith('requests'))) {
      rmSync(join(own, name), { recursive: true });
    }
    rmSync(join(own, 'chain-main', '0'.repeat(40)));
    const repairer = await open();
    expect(await repairer.storage.repair()).toMatchObject({ orderRestored: true, lostCommits: [] });
    const writer = await open();
    expect(await writer.put('One.md', 'one', { requestId: 'first' })).toMatchObject({ kind: 'repeated' });
    expect(await writer.put('Forged.md', 'forged', { requestId: 'forged' })).toMatchObject({
      kind: 'committed',
    });
  });

  async function wiki() {
    const directory = await newWiki({ shared: placement === 'shared' });
    return { directory, open: () => openWriter(directory, { placement }) };
  }

  async function wikiWhoseSecondIsLost() {
    const { directory, open } = await wiki();
    const { put, storage } = await open();
    await put('One.md', 'one');
    await put('Two.md', 'two');
    const lost = await storage.head();
    await put('Three.md', 'three', { requestId: 'newest' });
    const newest = await storage.head();
    await storage.settle();
    await storage.close();
    for (const ending of ['pack', 'idx']) rmSync(join(directory, 'objects/pack', `pack-${lost}.${ending}`));
    return { directory, open, newest };
  }
});

function keptFiles(directory: string): string[] {
  return readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.keep'));
}
