import { join } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import { removeFile } from '../files/directories.ts';
import type { FileSystem } from '../files/file-system.ts';
import { unlessGone } from '../files/unless-gone.ts';
import { readNamingCommit } from '../repair/chain/naming-commit.ts';
import { isNeeded } from '../repair/packs/damaged-packs.ts';

export interface UnfinishedPackParts {
  fs: FileSystem;
  /** `objects/pack`. */
  directory: string;
  /** The files that were listed there. */
  files: ReadonlySet<string>;
  chain: CommitChain;
  /** In milliseconds since 1970. A younger pack is most likely still being written. */
  before: number;
}

/**
 * Removes packs without an index that dead processes left while merging packs. Returns how many. A frozen
 * process leaves the same files behind. So the index's temporary name is removed first, in one call, which
 * fails if the index is already in place. Without that name, a writer that thaws cannot put the index in
 * place, and then deletes none of the merged packs. Age proves nothing; it only spares processes at work.
 * Throws what the file system throws.
 */
export async function removeUnfinishedPacks(parts: UnfinishedPackParts): Promise<number> {
  const { fs, directory } = parts;
  let removed = 0;
  for (const name of await unfinishedPacks(parts)) {
    const path = join(directory, `pack-${name}`);
    const wasClaimed = await unlessGone(async () => {
      if (await isWriters(parts, name)) return false;
      // In the copy of a repository that was at work, such a pack may hold the only copy of merged objects.
      if (await isNeeded(fs, directory, name, false)) return false;
      await fs.unlink(`${path}.idx.tmp`);
      return true;
    });
    if (!wasClaimed) continue;
    await removeFile(fs, `${path}.pack`);
    removed += 1;
  }
  return removed;
}

async function unfinishedPacks({ fs, directory, files, before }: UnfinishedPackParts): Promise<string[]> {
  const names: string[] = [];
  for (const file of files) {
    const name = /^pack-([0-9a-f]{40})\.idx\.tmp$/.exec(file)?.[1];
    if (name === undefined || !files.has(`pack-${name}.pack`)) continue;
    if (files.has(`pack-${name}.idx`) || files.has(`pack-${name}.keep`)) continue;
    const status = await unlessGone(() => fs.lstat(join(directory, file)));
    if (status && status.modifiedMs < before) names.push(name);
  }
  return names;
}

/** True if its commit is in the chain or may still be linked. */
async function isWriters({ fs, directory, chain }: UnfinishedPackParts, name: Oid): Promise<boolean> {
  if ((await readNamingCommit(fs, join(directory, `pack-${name}.pack`), name)) !== undefined) return true;
  return (await chain.successor(name)) !== null || (await chain.refresh())?.commit === name;
}
