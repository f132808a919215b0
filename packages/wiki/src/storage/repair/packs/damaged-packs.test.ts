import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryLength, packOf, type RawEntry, repeatingDelta } from '../../../../test/git-input/bundles.ts';
import { git } from '../../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../../test/storage/file-systems/intercepted-file-system.ts';
import { newWiki, openWriter } from '../../../../test/storage/writers.ts';
import type { Oid } from '../../../formats/oid.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { Run } from '../../maintenance/run.ts';
import { findDamagedPacks, isNeeded } from './damaged-packs.ts';

describe('a pack of a chained commit that has no index', () => {
  it('is not damaged if a merger died between its index and its pack', async () => {
    const { directory, commits, storage, path } = await wiki();
    const leftover = `${path(commits[1])}.pack`;
    copyFileSync(leftover, `${directory}/leftover`);
    await storage.tidy();
    renameSync(`${directory}/leftover`, leftover);

    expect((await storage.check()).problems).toEqual([]);
    expect(await storage.repair()).toMatchObject({ packsReplaced: 0, commit: null });
  });

  it('is not damaged if its writer made the index after the packs were listed', async () => {
    const { directory, commits, path } = await wiki();
    const index = `${path(commits[2])}.idx`;
    renameSync(index, `${index}.tmp`);
    let listed = false;
    const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
      const result = await perform();
      if (call.name === 'readdir' && !listed) {
        listed = true;
        renameSync(`${index}.tmp`, index);
      }
      return result;
    });
    const options = { fs, directory: join(directory, 'objects/pack'), isChained: async () => true };
    expect(await findDamagedPacks(options, Run.toItsEnd())).toEqual([]);
    expect(listed).toBe(true);
  });

  it('is not damaged if another pack holds all its objects, even those too large to be read', async () => {
    const { directory } = await wiki();
    const base: RawEntry = { kind: 'blob', content: Buffer.alloc(60_000, 'x') };
    const content = repeatingDelta(60_000, 1_700);
    const pack = packOf([base, { kind: 'offset_delta', content, distance: entryLength(base) }]);
    const packs = join(directory, 'objects/pack');
    const [whole, unfinished] = ['1', '2'].map((digit) => digit.repeat(40)) as [Oid, Oid];
    for (const name of [whole, unfinished]) writeFileSync(join(packs, `pack-${name}.pack`), pack);
    const needed = () => isNeeded(nodeFileSystem, packs, unfinished, false);
    expect(await needed()).toBe(true);
    git(directory, ['index-pack', join(packs, `pack-${whole}.pack`)]);
    expect(await needed()).toBe(false);
  });

  it('is damaged if no other pack holds its objects, although this process has read it before', async () => {
    const { commits, storage, path } = await wiki();
    await storage.read(commits[2] ?? '');
    rmSync(`${path(commits[2])}.idx`);
    expect((await storage.check()).problems).toContainEqual(
      expect.objectContaining({ text: expect.stringMatching(/its index is missing\.$/) }),
    );
  });

  it('is damaged if an interrupted repair copied only its commit', async () => {
    const { directory, commits, storage, path } = await wiki();
    const { content } = await storage.read(commits[2] ?? '');
    git(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], content);
    rmSync(`${path(commits[2])}.idx`);
    expect((await storage.check()).problems).toContainEqual(
      expect.objectContaining({ text: expect.stringMatching(/its index is missing\.$/) }),
    );
    expect(await storage.repair()).toMatchObject({ packsReplaced: 1, commit: null });
  });

  /** On a shared mount, where a merger takes packs away at once. */
  async function wiki() {
    const directory = await newWiki({ shared: true });
    const { put, storage } = await openWriter(directory, { placement: 'shared' });
    const commits: Oid[] = [];
    for (const page of ['A.md', 'B.md', 'C.md']) {
      const outcome = await put(page, page);
      if (outcome.kind === 'committed') commits.push(outcome.commit);
    }
    await storage.settle();
    return {
      directory,
      commits,
      storage,
      path: (commit: Oid | undefined) => join(directory, 'objects/pack', `pack-${commit}`),
    };
  }
});
