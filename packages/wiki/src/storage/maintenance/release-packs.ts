import { dirname, join } from 'node:path';
import type { CommitChain } from '../chain/chain.ts';
import type { ChainLink } from '../chain/chain-link.ts';
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
  /** A link of the chain whose commit the branch ref reaches. */
  reached: ChainLink;
}

/**
 * Leaves to native git the packs that processes kept from it which died before they could do so. Others go on linking
 * meanwhile, and the ref may lag behind them: what comes after `reached` is looked for last of all, and stays.
 */
export async function releasePacks(parts: ReleaseParts): Promise<void> {
  const { fs, layout, chain, reached } = parts;
  try {
    await syncDirectory(fs, dirname(layout.refFile));
    const linked = await linkedOf(parts, await keptCommits(parts));
    const later = new Set((await chain.follow(reached)).map(({ commit }) => commit));
    for (const commit of linked) {
      if (!later.has(commit)) await removeFile(fs, keepPath(layout, commit));
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Releasing packs', layout.packs);
  }
}

/** The commits whose packs are kept by a file of ours. */
async function keptCommits({ fs, layout }: ReleaseParts): Promise<Oid[]> {
  const commits: Oid[] = [];
  for (const file of await fs.readdir(layout.packs)) {
    const commit = /^pack-([0-9a-f]{40})\.keep$/.exec(file)?.[1];
    if (commit && (await isOurs(fs, keepPath(layout, commit)))) commits.push(commit);
  }
  return commits;
}

function keepPath(layout: Layout, commit: Oid): string {
  return join(layout.packs, `pack-${commit}.keep`);
}

/** Ours are empty or a process's record; people and git write a reason into theirs. */
async function isOurs(fs: FileSystem, path: string): Promise<boolean> {
  const text = await readTextFile(fs, path);
  return text === '' || (text !== null && parseRecord(text) !== null);
}

/** Those in the chain, and those in the history with which it began. */
async function linkedOf(parts: ReleaseParts, commits: readonly Oid[]): Promise<Oid[]> {
  const linked: Oid[] = [];
  let ancestors: ReadonlySet<Oid> | null = null;
  for (const commit of commits) {
    if (await isBeforeTheChain(parts, commit)) ancestors ??= await ancestorsOf(parts);
    if (ancestors?.has(commit) || (await isInChain(parts, commit))) linked.push(commit);
  }
  return linked;
}

async function isInChain({ chain, reached }: ReleaseParts, commit: Oid): Promise<boolean> {
  return commit === reached.commit || chain.hasSuccessor(commit);
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
  const ancestors = new Set([reached.commit]);
  for (const commit of ancestors) {
    // What is lost is for a check to tell.
    for (const parent of (await readCommit(objects, commit))?.parents ?? []) ancestors.add(parent);
  }
  return ancestors;
}
