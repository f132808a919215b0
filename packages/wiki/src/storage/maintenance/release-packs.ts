import { dirname, join } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import type { CommitChain } from '../commits/chain.ts';
import type { ChainLink } from '../commits/chain-link.ts';
import { isAncestor } from '../commits/history.ts';
import { removeFile } from '../files/directories.ts';
import { syncDirectory } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import { parseRecord } from '../files/process-lock.ts';
import { readTextFile } from '../files/text-file.ts';
import type { Layout } from '../layout.ts';
import { type MergedPack, type PushedPack, parseMergeNote, parsePushNote } from '../packs/push-note.ts';
import { predecessorOf, readNamingCommit } from '../repair/chain/naming-commit.ts';
import { readCommit } from '../repair/stored-commit.ts';
import type { ObjectReader } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';

export interface ReleaseParts {
  fs: FileSystem;
  host: Pick<Host, 'isDead'>;
  layout: Layout;
  chain: CommitChain;
  objects: ObjectReader;
  /** A link of the chain whose commit the branch ref reaches. */
  reached: ChainLink;
}

/**
 * Leaves packs to native git that processes kept from it and then died. Other processes go on linking
 * meanwhile, and the ref may lag behind them: so the links after `reached` are read last of all, and their
 * packs stay. Copies that a repair made may belong to any commit, and stay as long as there is any link after
 * `reached`.
 */
export async function releasePacks(parts: ReleaseParts): Promise<void> {
  const { fs, layout, chain, reached } = parts;
  try {
    await syncDirectory(fs, dirname(layout.refFile));
    const { commits, copies, pushes, merges } = await keptPacks(parts);
    const linked = await linkedOf(parts, commits);
    const settled = await settledOf(parts, pushes);
    for (const merge of merges) {
      if (await isSettled(parts, merge)) await removeFile(fs, keepPath(layout, merge.name));
    }
    const later = new Set((await chain.follow(reached)).map(({ commit }) => commit));
    for (const { name, to } of settled) {
      if (!later.has(to)) await removeFile(fs, keepPath(layout, name));
    }
    for (const name of [...linked, ...(later.size === 0 ? copies : [])]) {
      if (!later.has(name)) await removeFile(fs, keepPath(layout, name));
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Releasing packs', layout.packs);
  }
}

interface KeptPacks {
  commits: Oid[];
  copies: string[];
  pushes: KeptPush[];
  merges: KeptMerge[];
}

/**
 * The packs that have a `.keep` file of ours: the commits that name them, the names of copies, pushes and merges. Our
 * `.keep` files hold a process's record or the note of a push or merge, or are empty and stand beside a commit's pack.
 * Those of people and of git hold a reason, or nothing.
 */
async function keptPacks({ fs, layout }: ReleaseParts): Promise<KeptPacks> {
  const commits: Oid[] = [];
  const copies: string[] = [];
  const pushes: KeptPush[] = [];
  const merges: KeptMerge[] = [];
  const files = new Set(await fs.readdir(layout.packs));
  for (const file of files) {
    const name = /^pack-([0-9a-f]{40})\.keep$/.exec(file)?.[1];
    const text = name === undefined ? null : await readTextFile(fs, keepPath(layout, name));
    if (name === undefined || text === null) continue;
    const push = parsePushNote(text);
    if (push !== null) pushes.push({ name, ...push });
    const merge = parseMergeNote(text);
    if (merge !== null) merges.push({ name, ...merge });
    if (text !== '' && parseRecord(text) === null) continue;
    // A pack without an index is still being written.
    const isCopy =
      text !== '' &&
      files.has(`pack-${name}.idx`) &&
      (await readNamingCommit(fs, packPath(layout, name), name)) === undefined;
    (isCopy ? copies : commits).push(name);
  }
  return { commits, copies, pushes, merges };
}

interface KeptPush extends PushedPack {
  /** The name of its pack. */
  name: string;
}

interface KeptMerge extends MergedPack {
  name: string;
}

/**
 * True if the branch ref reaches the merged commit, or if no merge rests on the pack: the process that would have linked
 * one has ended, and the chain, read after that, does not reach the commit.
 */
async function isSettled({ host, chain, objects, reached }: ReleaseParts, { merged, by }: KeptMerge) {
  if (await isAncestor(objects, merged, reached.commit)) return true;
  if (!(await host.isDead(by))) return false;
  const end = await chain.refresh();
  return end !== null && !(await isAncestor(objects, merged, end.commit));
}

/** The pushes that are in the chain, or that another commit came before: nobody can link these any more. */
async function settledOf({ chain }: ReleaseParts, pushes: readonly KeptPush[]): Promise<KeptPush[]> {
  const settled: KeptPush[] = [];
  for (const push of pushes) if ((await chain.successor(push.from)) !== null) settled.push(push);
  return settled;
}

function keepPath(layout: Layout, name: string): string {
  return join(layout.packs, `pack-${name}.keep`);
}

function packPath(layout: Layout, name: string): string {
  return join(layout.packs, `pack-${name}.pack`);
}

/** The commits that are in the chain or in the history with which it began. */
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
    // A lost commit is for a check to report.
    for (const parent of (await readCommit(objects, commit))?.parents ?? []) ancestors.add(parent);
  }
  return ancestors;
}
