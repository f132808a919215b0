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
 * meanwhile, and the ref may lag behind them: what comes after `reached` is looked for last of all, and stays. What a
 * repair copied may be of any commits, and stays while there is anything after it.
 */
export async function releasePacks(parts: ReleaseParts): Promise<void> {
  const { fs, layout, chain, reached } = parts;
  try {
    await syncDirectory(fs, dirname(layout.refFile));
    const { commits, copies } = await keptPacks(parts);
    const linked = await linkedOf(parts, commits);
    const later = new Set((await chain.follow(reached)).map(({ commit }) => commit));
    for (const name of [...linked, ...(later.size === 0 ? copies : [])]) {
      if (!later.has(name)) await removeFile(fs, keepPath(layout, name));
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Releasing packs', layout.packs);
  }
}

/**
 * The packs that are kept by a file of ours: the commits that they are named by, and the names of copies. Ours are a
 * process's record, or empty beside a commit's pack; people and git write a reason into theirs, or nothing.
 */
async function keptPacks({ fs, layout }: ReleaseParts): Promise<{ commits: Oid[]; copies: string[] }> {
  const commits: Oid[] = [];
  const copies: string[] = [];
  const files = new Set(await fs.readdir(layout.packs));
  for (const file of files) {
    const name = /^pack-([0-9a-f]{40})\.keep$/.exec(file)?.[1];
    const text = name === undefined ? null : await readTextFile(fs, keepPath(layout, name));
    if (name === undefined || text === null) continue;
    if (text !== '' && parseRecord(text) === null) continue;
    // One that has no index yet is just being written.
    const isCopy =
      text !== '' &&
      files.has(`pack-${name}.idx`) &&
      (await readNamingCommit(fs, packPath(layout, name), name)) === undefined;
    (isCopy ? copies : commits).push(name);
  }
  return { commits, copies };
}

function keepPath(layout: Layout, name: string): string {
  return join(layout.packs, `pack-${name}.keep`);
}

function packPath(layout: Layout, name: string): string {
  return join(layout.packs, `pack-${name}.pack`);
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
  const text = await readNamingCommit(parts.fs, packPath(parts.layout, commit), commit);
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
