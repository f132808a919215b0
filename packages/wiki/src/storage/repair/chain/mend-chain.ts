import type { Oid } from '../../../formats/oid.ts';
import type { CommitChain } from '../../commits/chain.ts';
import { type ChainEnd, type ChainLink, FIRST_NAME, isOid } from '../../commits/chain-link.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { namesIn } from '../../files/unless-gone.ts';
import type { Layout } from '../../layout.ts';
import type { Run } from '../../maintenance/run.ts';
import type { ObjectReader } from '../../storage.ts';
import { fileSystemFailure, StorageError } from '../../storage-error.ts';
import { readCommit } from '../stored-commit.ts';
import { readChain } from './chain-links.ts';
import { type CommitLine, commitLine } from './commit-line.ts';
import { hasChainLeftTraces } from './lost-chain.ts';
import { wasMadeHere } from './made-here.ts';
import { newestCommits } from './newest-commits.ts';

export interface ChainMendParts {
  fs: FileSystem;
  layout: Layout;
  chain: CommitChain;
  objects: ObjectReader;
  /** Makes the wiki's own directories if they are lost. */
  prepare(): Promise<void>;
}

/** The names of the chain that cannot be reached from its beginning. Throws OutOfTime. */
export async function namesBeyondGaps(
  { fs, layout, chain }: Pick<ChainMendParts, 'fs' | 'layout' | 'chain'>,
  run: Run,
): Promise<Oid[]> {
  // Most of the chain is read before the listing, as that may take several calls.
  await readChain(run, chain);
  const names = (await listChain(fs, layout.chain)).filter(isOid);
  // Read again after it: the chain includes the links that others made meanwhile.
  await readChain(run, chain);
  const reached = run.list('chain');
  return names.filter((name) => name !== FIRST_NAME && !reached.has(name));
}

async function listChain(fs: FileSystem, directory: string): Promise<string[]> {
  try {
    return await namesIn(fs, directory);
  } catch (error) {
    throw fileSystemFailure(error, 'Listing the chain', directory);
  }
}

/**
 * Restores the names that a copy or damage lost, from the order of the commits. Reads and decides everything
 * before making the first name. Makes the last name of the order first: until all names exist, no reader
 * reaches any of them. `ref` is the target of the branch ref. Returns whether there was anything to do.
 * Throws OutOfTime.
 */
export async function mendChain(parts: ChainMendParts, run: Run, ref: Oid | null): Promise<boolean> {
  const { chain } = parts;
  const beyond = await namesBeyondGaps(parts, run);
  const plan = new MendingPlan(await readChain(run, chain));
  await joinPieces(parts, plan, await piecesBeyond(chain, beyond));
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

/** The continuation of the chain from its current end. */
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

  /** Goes on along existing names. */
  goOn(commits: readonly Oid[]): void {
    for (const commit of commits) {
      this.end = { parent: this.end?.commit ?? null, commit, adopted: false };
      this.named.add(commit);
    }
  }
}

/** Consecutive commits: each one's name leads to the next. */
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
  // Two names lead to the same commit, or some form a circle.
  if (pieces.flat().length !== new Set([...successors.keys(), ...reached]).size) throw forked();
  return pieces;
}

/** Joins the pieces, each after all pieces on which it rests. */
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
    // If commits between them are lost, all we know is that these came later.
    const next =
      ready.find(({ line }) => comesAfter(plan.end, line)) ?? ready.find(({ line }) => line.hasLost);
    if (!next) throw forked();
    const [start, ...rest] = next.piece;
    // A piece that was joined since may contain some of these.
    plan.extend(await lineBefore(start));
    plan.goOn(rest);
    waiting.splice(waiting.indexOf(next), 1);
  }
}

/** True if the last names of the chain are lost and the commits were not pushed by native git. */
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
