import type { CommitChain } from '../chain/chain.ts';
import { type ChainEnd, type ChainLink, FIRST_NAME, isOid } from '../chain/chain-link.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import { type CommitLine, commitLine } from './commit-line.ts';
import { hasChainLeftTraces } from './lost-chain.ts';
import { wasMadeHere } from './made-here.ts';
import { newestCommits } from './newest-commits.ts';
import { readCommit } from './stored-commit.ts';

export interface ChainMendParts {
  fs: FileSystem;
  layout: Layout;
  chain: CommitChain;
  objects: ObjectReader;
  /** Makes the wiki's own directories where they are lost. */
  prepare(): Promise<void>;
}

/** The names of the chain to which it does not lead from its beginning. */
export async function namesBeyondGaps({
  fs,
  layout,
  chain,
}: Pick<ChainMendParts, 'fs' | 'layout' | 'chain'>): Promise<Oid[]> {
  // Listed first: to what others link meanwhile the chain leads when it is followed.
  const names = (await listChain(fs, layout.chain)).filter(isOid);
  const reached = new Set([FIRST_NAME, ...(await chain.follow(null)).map(({ commit }) => commit)]);
  return names.filter((name) => !reached.has(name));
}

async function listChain(fs: FileSystem, directory: string): Promise<string[]> {
  try {
    return await fs.readdir(directory);
  } catch (error) {
    if (errorName(error) === 'ENOENT') return [];
    throw fileSystemFailure(error, 'Listing the chain', directory);
  }
}

/**
 * Makes the names that a copy or a damage lost, as the commits tell which came after which. All is read and decided
 * before the first one is made; and the last one is made first: until all are there nobody meets any of them. `ref` is
 * what the branch ref names. Answers whether there was something to do.
 */
export async function mendChain(parts: ChainMendParts, ref: Oid | null): Promise<boolean> {
  const { chain } = parts;
  const links = await chain.follow(null);
  const plan = new MendingPlan(links);
  await joinPieces(parts, plan, await piecesBeyond(chain, await namesBeyondGaps(parts)));
  if (plan.end === null && (await hasChainLeftTraces(parts, ref))) {
    for (const newest of await newestCommits(parts, ref)) {
      plan.extend(await commitLine(parts.objects, newest, plan.named));
    }
  } else if (plan.end !== null && ref !== null && !plan.named.has(ref)) {
    const line = await commitLine(parts.objects, ref, plan.named);
    const mayComeAfter = comesAfter(plan.end, line) || line.hasLost;
    if (mayComeAfter && (await wasInChain(parts, line))) plan.extend(line);
  }
  await parts.prepare();
  for (const { end, commit, adopted } of plan.missing.toReversed()) {
    if (!(await chain.append(end, commit, adopted))) throw forked();
  }
  return plan.missing.length > 0;
}

/** How the chain goes on from where it ends now. */
class MendingPlan {
  end: ChainEnd;
  readonly named: Set<Oid>;
  readonly missing: { end: ChainEnd; commit: Oid; adopted: boolean }[] = [];

  constructor(links: readonly ChainLink[]) {
    this.end = links.at(-1) ?? null;
    this.named = new Set(links.map(({ commit }) => commit));
  }

  extend({ commits }: CommitLine): void {
    for (const { commit, adopted } of commits) {
      this.missing.push({ end: this.end, commit, adopted });
      this.end = { parent: this.end?.commit ?? null, commit, adopted };
      this.named.add(commit);
    }
  }

  /** Goes on along names that are there. */
  goOn(commits: readonly Oid[]): void {
    for (const commit of commits) {
      this.end = { parent: this.end?.commit ?? null, commit, adopted: false };
      this.named.add(commit);
    }
  }
}

/** Commits of which each has the name that leads to the next one. */
type Piece = readonly [Oid, ...Oid[]];

async function piecesBeyond(chain: CommitChain, names: readonly Oid[]): Promise<Piece[]> {
  const successors = new Map<Oid, Oid>();
  for (const name of names) {
    const successor = await chain.successor(name);
    if (successor !== null) successors.set(name, successor);
  }
  const reached = new Set(successors.values());
  const pieces = [...successors.keys()]
    .filter((name) => !reached.has(name))
    .map((start) => {
      const piece: [Oid, ...Oid[]] = [start];
      const met = new Set(piece);
      for (let next = successors.get(start); next; next = successors.get(next)) {
        if (met.has(next)) throw forked();
        met.add(next);
        piece.push(next);
      }
      return piece;
    });
  // Two lead to the same commit, or some in a circle.
  if (pieces.flat().length !== new Set([...successors.keys(), ...reached]).size) throw forked();
  return pieces;
}

/** One after the other, each after all that it rests on. */
async function joinPieces(
  { objects }: ChainMendParts,
  plan: MendingPlan,
  pieces: readonly Piece[],
): Promise<void> {
  const inPieces = new Set(pieces.flat());
  if (!inPieces.isDisjointFrom(plan.named)) throw forked();
  const lineBefore = (start: Oid) =>
    commitLine(objects, start, inPieces.union(plan.named).difference(new Set([start])));
  const waiting: { piece: Piece; line: CommitLine }[] = [];
  for (const piece of pieces) waiting.push({ piece, line: await lineBefore(piece[0]) });
  while (waiting.length > 0) {
    const ready = waiting.filter(({ line }) => line.restsOn.isSubsetOf(plan.named));
    // Where commits between them are lost, nothing tells more than that these came later.
    const next =
      ready.find(({ line }) => comesAfter(plan.end, line)) ?? ready.find(({ line }) => line.hasLost);
    if (!next) throw forked();
    const [start, ...rest] = next.piece;
    // A piece that was joined since may have brought some of these.
    plan.extend(await lineBefore(start));
    plan.goOn(rest);
    waiting.splice(waiting.indexOf(next), 1);
  }
}

/** Whether the last names of the chain are lost, and this is not what native git pushed. */
async function wasInChain(
  { fs, layout, objects }: ChainMendParts,
  { commits }: CommitLine,
): Promise<boolean> {
  for (const { commit, adopted } of commits) {
    const text = adopted ? null : await readCommit(objects, commit);
    if (text && (await wasMadeHere(fs, layout, commit, text))) return true;
  }
  return false;
}

function comesAfter(end: ChainEnd, { restsOn, hasLost }: CommitLine): boolean {
  return end === null ? restsOn.size === 0 && !hasLost : restsOn.has(end.commit);
}

function forked(): StorageError {
  const message =
    'The chain leads in two directions, as it was written beyond a gap. Restore the wiki from a clone.';
  return new StorageError('corrupt_chain', message);
}
