import { join } from 'node:path';
import type { CommitChain } from '../chain/chain.ts';
import { removeFile } from '../files/directories.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { predecessorOf, readNamingCommit } from './naming-commit.ts';
import { listOtherChains } from './other-chains.ts';
import { removeUnfinishedPacks } from './unfinished-packs.ts';

export interface GarbageOptions {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  chain: CommitChain;
  /** Whether nobody but Pagetree works here. */
  shared: boolean;
}

/**
 * Removes packs that came to nothing, and answers how many: those of attempts that were never linked, and those that a
 * merger left behind. The pack of a commit goes only where the name that it would be linked at leads to another commit.
 * No age makes that safe: a writer that is frozen for a month may thaw and link its commit. Where native git works
 * beside us only the `.keep` goes: a `git gc` may have left another commit's object nowhere but in this pack, as it was
 * kept.
 */
export async function removeGarbagePacks({
  fs,
  host,
  layout,
  chain,
  shared,
}: GarbageOptions): Promise<number> {
  const directory = layout.packs;
  let removed = 0;
  try {
    // What this chain passed by may be in another.
    if ((await listOtherChains(fs, layout)).length > 0) return 0;
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
    const before = host.now() - UNFINISHED_AGE;
    removed += await removeUnfinishedPacks({ fs, directory, files, chain, before });
  } catch (error) {
    throw fileSystemFailure(error, 'Removing packs of attempts that came to nothing', directory);
  }
  return removed;
}

/** In milliseconds. */
const UNFINISHED_AGE = 24 * 60 * 60 * 1000;

async function isGarbage(fs: FileSystem, directory: string, chain: CommitChain, name: Oid): Promise<boolean> {
  if ((await chain.successor(name)) !== null) return false;
  const commit = await readNamingCommit(fs, join(directory, `pack-${name}.pack`), name);
  if (commit === undefined) return false;
  const predecessor = predecessorOf(commit);
  // In a clone the chain begins with the newest commit, and the first of all lies behind it.
  if (predecessor === null) return false;
  const linked = await chain.successor(predecessor);
  if (linked === null || linked === name) return false;
  // Last of all, as others go on linking meanwhile: from here on nobody can link it any more.
  const end = await chain.refresh();
  return name !== end?.commit && (await chain.successor(name)) === null;
}
