import { join } from 'node:path';
import type { CommitChain } from '../chain/chain.ts';
import { removeFile, unlessGone } from '../files/directories.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Oid } from '../storage.ts';
import { isNeeded } from './damaged-packs.ts';
import { readNamingCommit } from './naming-commit.ts';

export interface UnfinishedPackParts {
  fs: FileSystem;
  /** `objects/pack`. */
  directory: string;
  /** What was listed there. */
  files: ReadonlySet<string>;
  chain: CommitChain;
  /** In milliseconds since 1970: what is younger is most likely just being written. */
  before: number;
}

/**
 * Removes packs without an index that somebody left who died while packs were merged, and answers how many. One who is
 * frozen leaves the same behind. So the index's temporary name goes first, in one call, which fails once the index is
 * in its place: without that name whoever thaws cannot put it there, and then deletes none of what was merged. The age
 * proves nothing; it spares those who are at work. Throws what the file system throws.
 */
export async function removeUnfinishedPacks(parts: UnfinishedPackParts): Promise<number> {
  const { fs, directory } = parts;
  let removed = 0;
  for (const name of await unfinishedPacks(parts)) {
    const path = join(directory, `pack-${name}`);
    const wasClaimed = await unlessGone(async () => {
      if (await isWriters(parts, name)) return false;
      // A copy of a repository that was at work may hold nothing else of what was merged.
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

/** Its commit is in the chain, or may still be linked. */
async function isWriters({ fs, directory, chain }: UnfinishedPackParts, name: Oid): Promise<boolean> {
  if ((await readNamingCommit(fs, join(directory, `pack-${name}.pack`), name)) !== undefined) return true;
  return (await chain.successor(name)) !== null || (await chain.refresh())?.commit === name;
}
