import { dirname, join } from 'node:path';
import type { CommitChain } from '../chain/chain.ts';
import { removeFile } from '../files/directories.ts';
import { syncDirectory } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import { parseRecord } from '../files/process-lock.ts';
import { readTextFile } from '../files/text-file.ts';
import type { Layout } from '../layout.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { predecessorOf, readNamingCommit } from './naming-commit.ts';
import { readCommit } from './stored-commit.ts';

export interface ReleaseParts {
  fs: FileSystem;
  layout: Layout;
  chain: CommitChain;
  objects: ObjectReader;
  /** A commit of the chain that the branch ref reaches. */
  reached: Oid;
}

/** Leaves to native git the packs that processes kept from it which died before they could do so. */
export async function releasePacks(parts: ReleaseParts): Promise<void> {
  const { fs, layout } = parts;
  try {
    await syncDirectory(fs, dirname(layout.refFile));
    let ancestors: ReadonlySet<Oid> | null = null;
    for (const file of await fs.readdir(layout.packs)) {
      const commit = /^pack-([0-9a-f]{40})\.keep$/.exec(file)?.[1];
      const path = join(layout.packs, file);
      if (!commit || !(await isOurs(fs, path))) continue;
      if (await isBeforeTheChain(parts, commit)) ancestors ??= await ancestorsOf(parts);
      if (ancestors?.has(commit) || (await isInChain(parts, commit))) await removeFile(fs, path);
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Releasing packs', layout.packs);
  }
}

/** Ours are empty or a process's record; people and git write a reason into theirs. */
async function isOurs(fs: FileSystem, path: string): Promise<boolean> {
  const text = await readTextFile(fs, path);
  return text === '' || (text !== null && parseRecord(text) !== null);
}

async function isInChain({ chain, reached }: ReleaseParts, commit: Oid): Promise<boolean> {
  return commit === reached || chain.hasSuccessor(commit);
}

/** A clone on the same machine brings such packs along; its chain begins after their commits. */
async function isBeforeTheChain(parts: ReleaseParts, commit: Oid): Promise<boolean> {
  if (await isInChain(parts, commit)) return false;
  const text = await readNamingCommit(parts.fs, join(parts.layout.packs, `pack-${commit}.pack`), commit);
  if (text === undefined) return false;
  const predecessor = predecessorOf(text);
  return predecessor === null || !(await isInChain(parts, predecessor));
}

async function ancestorsOf({ objects, reached }: ReleaseParts): Promise<ReadonlySet<Oid>> {
  const ancestors = new Set([reached]);
  for (const commit of ancestors) {
    // What is lost is for a check to tell.
    for (const parent of (await readCommit(objects, commit))?.parents ?? []) ancestors.add(parent);
  }
  return ancestors;
}
