import { join } from 'node:path';
import type { CommitChain } from '../chain/chain.ts';
import { removeFile } from '../files/directories.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { readNamingCommit } from './naming-commit.ts';

export interface GarbageOptions {
  fs: FileSystem;
  /** `objects/pack`. */
  directory: string;
  chain: CommitChain;
  /** Whether nobody but Pagetree works here. */
  shared: boolean;
}

/**
 * Removes packs of attempts that were never linked, and answers how many. The pack of a commit goes only where
 * its parent's name leads to another commit. No age makes that safe: a writer that is frozen for a month may
 * thaw and link its commit. Where native git works beside us only the `.keep` goes: a `git gc` may have left
 * another commit's object nowhere but in this pack, as it was kept.
 */
export async function removeGarbagePacks({ fs, directory, chain, shared }: GarbageOptions): Promise<number> {
  let removed = 0;
  try {
    const files = new Set(await fs.readdir(directory));
    const names = [...files].flatMap((file) => /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1] ?? []);
    for (const name of names) {
      if (!shared && !files.has(`pack-${name}.keep`)) continue;
      if (!(await isGarbage(fs, directory, chain, name))) continue;
      for (const ending of shared ? ['idx', 'idx.tmp', 'pack'] : ['keep']) {
        await removeFile(fs, join(directory, `pack-${name}.${ending}`));
      }
      removed += 1;
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Removing packs of attempts that came to nothing', directory);
  }
  return removed;
}

async function isGarbage(fs: FileSystem, directory: string, chain: CommitChain, name: Oid): Promise<boolean> {
  if ((await chain.successor(name)) !== null) return false;
  const commit = await readNamingCommit(fs, join(directory, `pack-${name}.pack`), name);
  if (commit === undefined) return false;
  const linked = await chain.successor(commit.parents[0] ?? null);
  return linked !== null && linked !== name;
}
