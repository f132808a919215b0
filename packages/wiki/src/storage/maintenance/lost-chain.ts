import { dirname, join } from 'node:path';
import { isOid } from '../chain/chain-link.ts';
import { refreshDirectory } from '../files/directories.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { predecessorOf, readNamingCommit } from './naming-commit.ts';
import { originOf } from './origin.ts';
import { endOfChain, listOtherChains } from './other-chains.ts';
import { readCommit } from './stored-commit.ts';

export interface LostChainParts {
  fs: FileSystem;
  layout: Layout;
  objects: ObjectReader;
}

/**
 * Whether a chain was begun here and is lost. Whoever began anew would begin with what the ref names, null where it
 * names nothing; but the ref may lag, and acknowledged writes come after it. A clone has no chain and may well begin
 * anew: it is to have what its ref reaches, though git copies packs of later commits along with the others.
 */
export async function hasChainLeftTraces(parts: LostChainParts, ref: Oid | null): Promise<boolean> {
  try {
    const isBegun = await hasTraces(parts, ref);
    if (isBegun) await forgetAbsence(parts);
    return isBegun;
  } catch (error) {
    throw fileSystemFailure(error, 'Looking whether the chain was lost', parts.layout.chain);
  }
}

/**
 * An NFS client remembers for half a minute that the chain's directory, or the one above it, was not there; another
 * process may have made both since. Whoever looks at the chain again is to see them.
 */
async function forgetAbsence({ fs, layout }: LostChainParts): Promise<void> {
  for (const directory of [layout.gitDirectory, dirname(layout.chain)]) await refreshDirectory(fs, directory);
}

async function hasTraces(parts: LostChainParts, ref: Oid | null): Promise<boolean> {
  const { fs, layout } = parts;
  if ((await list(fs, layout.requests)).length > 0) return true;
  // Without the first name: a copy or a repair that did not come to its end.
  if ((await list(fs, layout.chain)).some(isOid)) return true;
  const otherChains = await listOtherChains(fs, layout);
  const origin = await originOf(fs, layout);
  if (origin === 'clone') return false;
  // A wiki is made with the directory.
  if (origin === 'wiki' && ref !== null && otherChains.length === 0) {
    if (!(await refreshDirectory(fs, layout.chain))) return true;
  }
  return hasPacksOfAChain(parts, ref, otherChains);
}

/** A writer names its pack by a commit whose predecessor the chain had. */
async function hasPacksOfAChain(
  { fs, layout, objects }: LostChainParts,
  ref: Oid | null,
  otherChains: readonly string[],
): Promise<boolean> {
  const found: { commit: Oid; predecessor: Oid }[] = [];
  // What lies on one of these is an attempt that came to nothing before the branch went on under this name.
  const otherEnds = await Promise.all(otherChains.map((chain) => endOfChain(fs, chain)));
  for (const file of await list(fs, layout.packs)) {
    const name = /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1];
    // A history that was brought in whole lies in a pack of its newest commit's name.
    if (name === undefined || name === ref) continue;
    const commit = await readNamingCommit(fs, join(layout.packs, file), name);
    const predecessor = commit?.request && commit.parents.length > 0 ? predecessorOf(commit) : null;
    if (predecessor === null || otherEnds.includes(predecessor)) continue;
    if (await isNamed(fs, otherChains, predecessor)) continue;
    found.push({ commit: name, predecessor });
  }
  if (found.length === 0 || ref === null) return found.length > 0;
  const reached = await reachedFrom(objects, ref);
  return found.some(({ commit, predecessor }) => {
    // What lost its race to a commit that the ref reaches was never in the chain.
    const hasLost = predecessor !== ref && reached.has(predecessor);
    return !reached.has(commit) && !hasLost;
  });
}

async function isNamed(fs: FileSystem, chains: readonly string[], commit: Oid): Promise<boolean> {
  for (const chain of chains) {
    try {
      await fs.lstat(join(chain, commit));
      return true;
    } catch (error) {
      if (errorName(error) !== 'ENOENT') throw error;
    }
  }
  return false;
}

/** A commit and all its ancestors, up to those that are lost. */
async function reachedFrom(objects: ObjectReader, ref: Oid): Promise<Set<Oid>> {
  const reached = new Set<Oid>();
  const waiting = [ref];
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    if (reached.has(commit)) continue;
    const text = await readCommit(objects, commit);
    if (text === null) continue;
    reached.add(commit);
    waiting.push(...text.parents);
  }
  return reached;
}

async function list(fs: FileSystem, directory: string): Promise<string[]> {
  try {
    return await fs.readdir(directory);
  } catch (error) {
    if (errorName(error) !== 'ENOENT') throw error;
    return [];
  }
}
