import { join } from 'node:path';
import { isThere, makeDirectory, removeFile } from '../../files/directories.ts';
import { syncDirectory } from '../../files/durable-file.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { type Host, randomName } from '../../files/host.ts';
import { isMissing, unlessMissing } from '../../files/unless-gone.ts';
import type { Layout } from '../../layout.ts';
import { OutOfTime, type Run } from '../../maintenance/run.ts';
import { landPack } from '../../packs/land-pack.ts';
import { mergePacks } from '../../packs/merging/combine-packs.ts';
import type { SourceEntry } from '../../packs/merging/pack-source.ts';
import type { PackDirectoryOptions } from '../../packs/pack-directory.ts';
import type { ObjectReader } from '../../storage.ts';
import { fileSystemFailure } from '../../storage-error.ts';
import type { DamagedPack } from './damaged-packs.ts';
import { beginSalvage, compressedEntry, type SalvageProgress, salvagePack } from './salvage-pack.ts';
import { readingStored } from './stored-objects.ts';

export interface ReplacePacksParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  /** Keeps a pack from native git, if git works beside us. */
  makeKeep: PackDirectoryOptions['makeKeep'];
  objects: { replacePacks(name: string, replaced: readonly string[]): Promise<void> };
}

/**
 * Copies everything readable from each damaged pack into a new one, then moves the damaged pack where git
 * does not see it: native git refuses many operations beside a damaged pack. A pack that a process may still
 * finish stays, as git ignores it. Nothing is deleted. Packs that were kept from git stay kept: the branch
 * may not reach them yet.
 */
export async function replaceDamagedPacks(
  { fs, host, layout, makeKeep, objects }: ReplacePacksParts,
  damaged: readonly DamagedPack[],
  run: Run,
): Promise<void> {
  const replaced = run.slot<string[]>('replaced packs', []).value;
  for (const pack of damaged) {
    if (replaced.includes(pack.name)) continue;
    await replace(pack);
    replaced.push(pack.name);
    await run.step();
  }

  async function replace({ name, mayGoOn }: DamagedPack): Promise<void> {
    const path = join(layout.packs, `pack-${name}`);
    try {
      const kept = await isThere(fs, `${path}.keep`);
      const left = await readingStored(fs, layout.gitDirectory, (stored) =>
        landAllButTheLast(name, kept, stored),
      );
      await land(left, kept, ...(mayGoOn ? [] : [name]));
      if (!mayGoOn) await setAside(name);
    } catch (error) {
      if (error instanceof OutOfTime) throw error;
      // Another repair did it first.
      if (!isMissing(error)) throw fileSystemFailure(error, 'Replacing a damaged pack', path);
    }
  }

  /** Lands the readable objects whenever there are many of them or the time is over. Returns the rest. */
  async function landAllButTheLast(
    name: string,
    kept: boolean,
    stored: ObjectReader,
  ): Promise<SourceEntry[]> {
    const landed = run.slot<{ name: string; progress: SalvageProgress } | null>('salvage', null);
    const before = landed.value?.name === name ? landed.value.progress : undefined;
    const progress = before ?? beginSalvage();
    let copies: SourceEntry[] = [];
    let bytes = 0;
    const landCopies = async () => {
      await land(copies, kept);
      landed.value = { name, progress: structuredClone(progress) };
      [copies, bytes] = [[], 0];
    };
    for await (const object of salvagePack(fs, join(layout.packs, `pack-${name}`), stored, progress)) {
      if (object) copies.push(compressedEntry(object));
      bytes += object?.content.length ?? 0;
      if (bytes >= BATCH_BYTES || run.isOver()) await landCopies();
      await run.step();
    }
    return copies;
  }

  async function land(copies: readonly SourceEntry[], kept: boolean, ...replaced: string[]): Promise<void> {
    if (copies.length === 0) return;
    const name = `${randomName(host)}${randomName(host)}`.slice(0, 40);
    // Done first, as a writer does.
    if (kept) await makeKeep?.(join(layout.packs, `pack-${name}.keep`));
    await landPack(fs, layout.packs, name, await mergePacks([copies]));
    await syncDirectory(fs, layout.packs);
    await objects.replacePacks(name, replaced);
  }

  /**
   * Moves the index first: without it git ignores the pack. An index over several packs would name one that
   * is gone.
   */
  async function setAside(name: string): Promise<void> {
    await makeDirectory(fs, layout.damaged);
    await removeFile(fs, join(layout.packs, 'multi-pack-index'));
    for (const ending of ['idx', 'pack', 'keep', 'rev', 'bitmap']) {
      const file = `pack-${name}.${ending}`;
      await unlessMissing(() => fs.rename(join(layout.packs, file), join(layout.damaged, file)));
    }
    await syncDirectory(fs, layout.packs);
  }
}

/** The number of bytes in memory at once, copied in one step. */
const BATCH_BYTES = 4 * 1024 * 1024;
