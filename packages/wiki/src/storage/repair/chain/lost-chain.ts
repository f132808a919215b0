import { dirname, join } from 'node:path';
import type { Oid } from '../../../formats/oid.ts';
import { isOid } from '../../commits/chain-link.ts';
import { requestOf } from '../../commits/request-trailers.ts';
import { refreshDirectory } from '../../files/directories.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { namesIn } from '../../files/unless-gone.ts';
import type { Layout } from '../../layout.ts';
import { OutOfTime, type Run } from '../../maintenance/run.ts';
import type { ObjectReader } from '../../storage.ts';
import { fileSystemFailure } from '../../storage-error.ts';
import { readCommit } from '../stored-commit.ts';
import type { CommitBook } from './commit-book.ts';
import { predecessorOf, readNamingCommit } from './naming-commit.ts';
import { originOf } from './origin.ts';
import { endOfChain, listOtherChains } from './other-chains.ts';

export interface LostChainParts extends LostChainReader {
  fs: FileSystem;
  layout: Layout;
}

export interface LostChainReader {
  /** The parents of a commit, or null if it is lost. */
  parentsOf(commit: Oid): Promise<readonly Oid[] | null>;
  /**
   * The commit after which a writer's pack was made: it is named after its own commit. Null if it is none, and
   * undefined if it cannot be read or has another name.
   */
  packPredecessor(path: string, name: Oid): Promise<Oid | null | undefined>;
}

/** Reads everything anew. */
export function readingAnew(fs: FileSystem, objects: ObjectReader): LostChainReader {
  return {
    parentsOf: async (commit) => (await readCommit(objects, commit))?.parents ?? null,
    async packPredecessor(path, name) {
      const commit = await readNamingCommit(fs, path, name);
      const isWriters = commit !== undefined && requestOf(commit) !== null && commit.parents.length > 0;
      return isWriters ? predecessorOf(commit) : commit && null;
    },
  };
}

/** Reads each commit and pack once in a run. Throws OutOfTime. */
export function readingOnce(reader: LostChainReader, run: Run, book: CommitBook): LostChainReader {
  const predecessors = run.slot<Record<Oid, Oid | null>>('predecessors of packs', {}).value;
  return {
    parentsOf: async (commit) => (await book.read(commit))?.parents ?? null,
    async packPredecessor(path, name) {
      const known = predecessors[name];
      if (known !== undefined) return known;
      const predecessor = await reader.packPredecessor(path, name);
      // A pack that cannot be read may still be being written.
      if (predecessor === undefined) return undefined;
      predecessors[name] = predecessor;
      await run.step();
      return predecessor;
    },
  };
}

/**
 * True if a chain was begun here and is lost. A new chain would begin with the commit that the ref names, or
 * with none if it names none. But the ref may lag behind acknowledged writes. A clone has no chain and may
 * begin a new one: its history is what its ref reaches, though git copies packs of later commits along with
 * the others.
 */
export async function hasChainLeftTraces(parts: LostChainParts, ref: Oid | null): Promise<boolean> {
  try {
    const isBegun = await hasTraces(parts, ref);
    if (isBegun) await forgetAbsence(parts);
    return isBegun;
  } catch (error) {
    if (error instanceof OutOfTime) throw error;
    throw fileSystemFailure(error, 'Looking whether the chain was lost', parts.layout.chain);
  }
}

/**
 * An NFS client remembers for half a minute that the chain's directory, or the one above it, was missing.
 * Another process may have made both since. The next look at the chain must see them.
 */
async function forgetAbsence({ fs, layout }: LostChainParts): Promise<void> {
  for (const directory of [layout.gitDirectory, dirname(layout.chain)]) await refreshDirectory(fs, directory);
}

async function hasTraces(parts: LostChainParts, ref: Oid | null): Promise<boolean> {
  const { fs, layout } = parts;
  if ((await namesIn(fs, layout.requests)).length > 0) return true;
  // Without the first name: left by an unfinished copy or repair.
  if ((await namesIn(fs, layout.chain)).some(isOid)) return true;
  const otherChains = await listOtherChains(fs, layout);
  const origin = await originOf(fs, layout);
  if (origin === 'clone') return false;
  // A new wiki has this directory from the start.
  if (origin === 'wiki' && ref !== null && otherChains.length === 0) {
    if (!(await refreshDirectory(fs, layout.chain))) return true;
  }
  return hasPacksOfAChain(parts, ref, otherChains);
}

/**
 * True if there are packs of a chain: a writer names its pack after a commit whose predecessor the chain had.
 */
async function hasPacksOfAChain(
  { fs, layout, parentsOf, packPredecessor }: LostChainParts,
  ref: Oid | null,
  otherChains: readonly string[],
): Promise<boolean> {
  const packs: { commit: Oid; predecessor: Oid }[] = [];
  // A commit on top of one of these is an attempt that was never linked, from before the branch went on under
  // this name.
  const otherEnds = await Promise.all(otherChains.map((chain) => endOfChain(fs, chain)));
  for (const file of await namesIn(fs, layout.packs)) {
    const name = /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1];
    // A history that was imported whole lies in a pack that is named after its newest commit.
    if (name === undefined || name === ref) continue;
    const predecessor = (await packPredecessor(join(layout.packs, file), name)) ?? null;
    if (predecessor !== null && !otherEnds.includes(predecessor)) packs.push({ commit: name, predecessor });
  }
  const namedElsewhere = new Set((await Promise.all(otherChains.map((chain) => namesIn(fs, chain)))).flat());
  const found = packs.filter(({ predecessor }) => !namedElsewhere.has(predecessor));
  if (found.length === 0 || ref === null) return found.length > 0;
  const reached = await reachedFrom(parentsOf, ref);
  return found.some(({ commit, predecessor }) => {
    // A commit that lost its race to a commit that the ref reaches was never in the chain.
    const hasLost = predecessor !== ref && reached.has(predecessor);
    return !reached.has(commit) && !hasLost;
  });
}

/** A commit and all its ancestors, up to lost ones. */
async function reachedFrom(parentsOf: LostChainReader['parentsOf'], ref: Oid): Promise<Set<Oid>> {
  const reached = new Set<Oid>();
  const waiting = [ref];
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    if (reached.has(commit)) continue;
    const parents = await parentsOf(commit);
    if (parents === null) continue;
    reached.add(commit);
    waiting.push(...parents);
  }
  return reached;
}
