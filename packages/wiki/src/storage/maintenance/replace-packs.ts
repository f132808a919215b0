import { join } from 'node:path';
import { isThere, makeDirectory, removeFile } from '../files/directories.ts';
import { syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { type Host, randomName } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import { landPack } from '../objects/land-pack.ts';
import { mergePacks } from '../objects/merge-packs.ts';
import type { PackDirectoryOptions } from '../objects/pack-directory.ts';
import type { SourceEntry } from '../objects/pack-source.ts';
import type { ObjectReader } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import type { DamagedPack } from './damaged-packs.ts';
import { salvagePack } from './salvage-pack.ts';
import { readingStored } from './stored-objects.ts';

export interface ReplacePacksParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  /** Keeps a pack from native git, where git works beside us. */
  makeKeep: PackDirectoryOptions['makeKeep'];
  objects: { replacePacks(name: string, replaced: readonly string[]): Promise<void> };
}

/**
 * Copies what can be read of each damaged pack into a new one and then sets the damaged one aside, out of git's
 * sight: native git refuses much of its work beside a pack that is damaged. One that somebody may still finish stays, as
 * git takes no notice of it. Nothing is deleted, and what was kept from git stays so: the branch may not reach it yet.
 */
export async function replaceDamagedPacks(
  { fs, host, layout, makeKeep, objects }: ReplacePacksParts,
  damaged: readonly DamagedPack[],
): Promise<void> {
  for (const { name, mayGoOn } of damaged) {
    const path = join(layout.packs, `pack-${name}`);
    try {
      const kept = await isThere(fs, `${path}.keep`);
      const left = await readingStored(fs, layout.gitDirectory, (stored) =>
        landAllButTheLast(path, kept, stored),
      );
      await land(left, kept, ...(mayGoOn ? [] : [name]));
      if (!mayGoOn) await setAside(name);
    } catch (error) {
      // Another repair was faster.
      if (errorName(error) !== 'ENOENT') throw fileSystemFailure(error, 'Replacing a damaged pack', path);
    }
  }

  /** What can be read is landed as soon as it is much; answers what is left. */
  async function landAllButTheLast(
    path: string,
    kept: boolean,
    stored: ObjectReader,
  ): Promise<SourceEntry[]> {
    let copies: SourceEntry[] = [];
    let bytes = 0;
    for await (const entry of salvagePack(fs, path, stored)) {
      copies.push(entry);
      bytes += entry.content.length;
      if (bytes < BATCH_BYTES) continue;
      await land(copies, kept);
      [copies, bytes] = [[], 0];
    }
    return copies;
  }

  async function land(copies: readonly SourceEntry[], kept: boolean, ...replaced: string[]): Promise<void> {
    if (copies.length === 0) return;
    const name = `${randomName(host)}${randomName(host)}`.slice(0, 40);
    // First of all, as a writer does.
    if (kept) await makeKeep?.(join(layout.packs, `pack-${name}.keep`));
    await landPack(fs, layout.packs, name, await mergePacks([copies]));
    await syncDirectory(fs, layout.packs);
    await objects.replacePacks(name, replaced);
  }

  /** The index first: without it a pack is none. An index over several packs would name one that is gone. */
  async function setAside(name: string): Promise<void> {
    await makeDirectory(fs, layout.damaged);
    await removeFile(fs, join(layout.packs, 'multi-pack-index'));
    for (const ending of ['idx', 'pack', 'keep', 'rev', 'bitmap']) {
      const file = `pack-${name}.${ending}`;
      try {
        await fs.rename(join(layout.packs, file), join(layout.damaged, file));
      } catch (error) {
        if (errorName(error) !== 'ENOENT') throw error;
      }
    }
    await syncDirectory(fs, layout.packs);
  }
}

/** Of what is in memory at once. */
const BATCH_BYTES = 16 * 1024 * 1024;
