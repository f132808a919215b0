import { join } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import { commitsBeside, readIfThere } from '../commits/history.ts';
import { removeFile } from '../files/directories.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import type { BranchRef } from '../native-git/branch-ref.ts';
import type { ExternalRefs } from '../native-git/external-refs.ts';
import { retiredPacks } from '../packs/merging/retired-packs.ts';
import { predecessorOf, readNamingCommit } from '../repair/chain/naming-commit.ts';
import { listOtherChains } from '../repair/chain/other-chains.ts';
import type { ObjectReader } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { removeUnfinishedPacks } from './unfinished-packs.ts';

export interface GarbageOptions {
  fs: FileSystem;
  host: Host;
  layout: Layout;
  chain: CommitChain;
  /** True if only Pagetree writes here. */
  shared: boolean;
  objects: ObjectReader;
  ref: BranchRef;
  externalRefs: ExternalRefs;
}

/**
 * Removes packs of attempts that were never linked and packs that a merger left behind. Returns how many. A
 * commit's pack is removed only if the name at which the commit would be linked leads to another commit. Age
 * alone never makes it safe: a writer that is frozen for a month may thaw and link its commit. If native git
 * works beside us, only the `.keep` is removed: while the pack was kept, a `git gc` may have left another
 * commit's object in this pack alone. If only Pagetree writes here, what a ref reaches stays: its name in the chain was
 * lost and made again for another commit, and a repair brings it in or has done so.
 */
export async function removeGarbagePacks(options: GarbageOptions): Promise<number> {
  const { fs, host, layout, chain, shared } = options;
  let besideChain: ReadonlySet<Oid> | null = null;
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
      if (shared) besideChain ??= await commitsBesideChain(options);
      if (besideChain?.has(name)) continue;
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

/** The commits that refs reach and the chain does not name. */
async function commitsBesideChain({ chain, objects, ref, externalRefs }: GarbageOptions): Promise<Set<Oid>> {
  const beside = new Set<Oid>();
  const end = await chain.refresh();
  const first = await chain.successor(null);
  if (end === null || first === null) return beside;
  const read = async (commit: Oid) => {
    const isKnown = commit === end.commit || beside.has(commit) || (await chain.hasSuccessor(commit));
    return isKnown ? null : readIfThere(objects, commit);
  };
  const value = await ref.read();
  const named = [...(value.kind === 'commit' ? [value.commit] : []), ...(await externalRefs.list())];
  for (const from of named) {
    const found: Oid[] = [];
    for await (const { oid } of commitsBeside(objects, { from, beside: first, read })) found.push(oid);
    for (const oid of found) beside.add(oid);
  }
  return beside;
}

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
