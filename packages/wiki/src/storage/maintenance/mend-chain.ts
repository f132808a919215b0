import type { CommitChain } from '../chain/chain.ts';
import { type ChainEnd, FIRST_NAME, isOid } from '../chain/chain-link.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import { type CommitText, parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { newestCommits } from './newest-commits.ts';
import { isLost } from './soundness.ts';

export interface ChainMendParts {
  fs: FileSystem;
  layout: Layout;
  chain: CommitChain;
  objects: ObjectReader;
}

/** The names of the chain to which it does not lead from its beginning, null for the beginning. */
export async function namesBeyondGaps({
  fs,
  layout,
  chain,
}: Omit<ChainMendParts, 'objects'>): Promise<Oid[]> {
  const reached = new Set([FIRST_NAME, ...(await chain.follow(null)).map(({ commit }) => commit)]);
  try {
    return (await fs.readdir(layout.chain)).filter((name) => isOid(name) && !reached.has(name));
  } catch (error) {
    if (errorName(error) === 'ENOENT') return [];
    throw fileSystemFailure(error, 'Listing the chain', layout.chain);
  }
}

/**
 * Makes the names that a copy or a damage lost, as the commits tell by their parents which came after which. `ref`
 * is what the branch ref names. Answers whether there was something to do.
 */
export async function mendChain(parts: ChainMendParts, ref: Oid | null): Promise<boolean> {
  const { chain } = parts;
  let mended = false;
  for (;;) {
    const beyond = await namesBeyondGaps(parts);
    if (beyond.length === 0) break;
    mended = true;
    await closeAGap(parts, beyond);
  }
  if ((await chain.follow(null)).length > 0) return mended;
  const lines = await newestCommits(parts, ref);
  for (const newest of lines) {
    await linkBackFrom(parts, newest, new Set(), (await chain.follow(null)).at(-1) ?? null);
  }
  return mended || lines.length > 0;
}

/** Joins one piece of the chain to what lies before it. */
async function closeAGap(parts: ChainMendParts, beyond: readonly Oid[]): Promise<void> {
  const { chain } = parts;
  const links = await chain.follow(null);
  const successors = await Promise.all(beyond.map((name) => chain.successor(name)));
  const starts = beyond.filter((name) => !successors.includes(name));
  const ends = new Set([
    ...links.slice(-1).map(({ commit }) => commit),
    ...successors.filter((oid) => oid !== null),
  ]);
  for (const start of starts) if (await linkBackFrom(parts, start, ends)) return;
  // Commits between them are lost, so that nothing tells more than that these came later.
  const [start] = starts;
  if (start === undefined) throw forked();
  await linkBackFrom(parts, start, ends, links.at(-1) ?? null);
}

/**
 * Links a commit and its ancestors, up to one in `ends` or to the first of all. Where an ancestor is lost, those after
 * it come after `beforeLoss`; without that nothing is done, and the answer is false. The last name is made first: until
 * the first one is made nobody meets any of them.
 */
async function linkBackFrom(
  { chain, objects }: ChainMendParts,
  start: Oid,
  ends: ReadonlySet<Oid>,
  beforeLoss?: ChainEnd,
): Promise<boolean> {
  const path: { commit: Oid; adopted: boolean }[] = [];
  let end: ChainEnd | undefined;
  for (let commit = start; end === undefined; ) {
    const text = await readCommit(objects, commit);
    if (text === null && beforeLoss === undefined) return false;
    if (text !== null || path.length === 0)
      path.push({ commit, adopted: text !== null && text.request === null });
    const parent = text?.parents[0];
    if (text === null) end = beforeLoss;
    else if (parent === undefined) end = null;
    else if (ends.has(parent)) end = { parent: null, commit: parent, adopted: false };
    else commit = parent;
  }
  for (const [at, { commit, adopted }] of path.entries()) {
    const before = path[at + 1];
    const previous = before ? { parent: null, ...before } : (end ?? null);
    if (!(await chain.append(previous, commit, adopted))) throw forked();
  }
  return true;
}

/** Null where it is lost. */
export async function readCommit(objects: ObjectReader, commit: Oid): Promise<CommitText | null> {
  try {
    return parseCommit((await objects.read(commit)).content);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}

function forked(): StorageError {
  const message =
    'The chain leads in two directions, as it was written beyond a gap. Restore the wiki from a clone.';
  return new StorageError('corrupt_chain', message);
}
