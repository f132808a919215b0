import { join } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import { removeFile } from '../files/directories.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import { retiredPacks } from '../packs/merging/retired-packs.ts';
import { predecessorOf, readNamingCommit } from '../repair/chain/naming-commit.ts';
import { listOtherChains } from '../repair/chain/other-chains.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { removeUnfinishedPacks } from './unfinished-packs.ts';

export interface GarbageOptions {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  chain: CommitChain;
  /** True if only Pagetree writes here. */
  shared: boolean;
}

/**
 * Removes packs of attempts that were never linked and packs that a merger left behind. Returns how many. A
 * commit's pack is removed only if the name at which the commit would be linked leads to another commit. Age
 * alone never makes it safe: a writer that is frozen for a month may thaw and link its commit. If native git
 * works beside us, only the `.keep` is removed: while the pack was kept, a `git gc` may have left another
 * commit's object in this pack alone.
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
    // A commit that this chain passed by may be in another chain.
    if ((await listOtherChains(fs, layout)).length > 0) return 0;
    const files = new Set(await fs.readdir(directory));
    const names = [...files].flatMap((file) => /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1] ?? []);
    const retired = new Set(retiredPacks(files).map(({ name }) => name));
    for (const name of names) {
      if (retired.has(name)) continue;
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
  // In a clone the chain begins with the newest commit, and the first commit of all lies behind it.
  if (predecessor === null) return false;
  const linked = await chain.successor(predecessor);
  if (linked === null || linked === name) return false;
  // Read the end last, as others link meanwhile: from here on nobody can link the commit any more.
  const end = await chain.refresh();
  return name !== end?.commit && (await chain.successor(name)) === null;
}
