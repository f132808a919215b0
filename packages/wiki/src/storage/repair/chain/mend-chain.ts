import type { Oid } from '../../../formats/oid.ts';
import type { CommitChain } from '../../commits/chain.ts';
import { FIRST_NAME, isOid } from '../../commits/chain-link.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { namesIn } from '../../files/unless-gone.ts';
import type { Layout } from '../../layout.ts';
import type { Run } from '../../maintenance/run.ts';
import type { ObjectReader } from '../../storage.ts';
import { fileSystemFailure } from '../../storage-error.ts';
import { readCommit } from '../stored-commit.ts';
import { readChain } from './chain-links.ts';
import { openCommitBook } from './commit-book.ts';
import { type CommitLine, commitLine } from './commit-line.ts';
import { comesAfter, joinPieces, type Piece } from './join-pieces.ts';
import { hasChainLeftTraces, readingAnew, readingOnce } from './lost-chain.ts';
import { wasMadeHere } from './made-here.ts';
import { forked, MendingPlan, type MissingNames, makeNames } from './missing-names.ts';
import { newestCommits } from './newest-commits.ts';
import { forgetStoredCommits } from './stored-commits.ts';

export interface ChainMendParts {
  fs: FileSystem;
  layout: Layout;
  chain: CommitChain;
  objects: ObjectReader;
  /** Makes the wiki's own directories if they are lost. */
  prepare(): Promise<void>;
  /** Runs work without any writer of this process in between. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** The commits that the branch ref names and has named, newest first; null for none. */
  readRefs(): Promise<readonly (Oid | null)[]>;
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
 * before making the first name. Returns whether there was anything to do. Throws OutOfTime: another call of
 * the run does not read again what was read, and does not decide again once it was decided.
 */
export async function mendChain(parts: ChainMendParts, run: Run): Promise<boolean> {
  const decided = run.slot<MissingNames | null>('missing names', null);
  // Nearly everything is read outside of the turn.
  if (decided.value === null) await planMending(parts, run);
  return parts.inTurn(async () => {
    const names = decided.value ?? (await planMending(parts, run)).keepIn(run);
    decided.value = names;
    await makeNames(parts, run, decided);
    return names.count > 0;
  });
}

async function planMending(parts: ChainMendParts, run: Run): Promise<MendingPlan> {
  const { fs, layout, chain, objects, readRefs } = parts;
  const refs = await readRefs();
  const book = openCommitBook(run, objects);
  const beyond = await namesBeyondGaps(parts, run);
  const plan = new MendingPlan(await readChain(run, chain));
  const ref = refs.find((commit) => commit !== null && !plan.named.has(commit)) ?? null;
  const lines = async function* () {
    for (const newest of await newestCommits({ fs, layout, objects, run, book }, ref)) {
      yield await commitLine(book, newest, plan.named);
    }
  };
  await joinPieces({ book, plan, lines }, await piecesBeyond(chain, beyond, run));
  const reader = readingOnce(readingAnew(fs, objects), run, book);
  if (plan.end === null && (await hasChainLeftTraces({ fs, layout, ...reader }, ref))) {
    for await (const line of lines()) plan.extend(line);
  } else if (plan.end !== null && ref !== null && !plan.named.has(ref)) {
    const line = await commitLine(book, ref, plan.named);
    const mayComeAfter = comesAfter(plan.end, line) || line.hasLost;
    if (mayComeAfter && (await wasInChain(parts, run, line))) plan.extend(line);
  }
  if (!(await book.isAnyBack())) return plan;
  // Somebody restores what was lost.
  forgetStoredCommits(run);
  return planMending(parts, run);
}

async function piecesBeyond(chain: CommitChain, names: readonly Oid[], run: Run): Promise<Piece[]> {
  const successors = await successorsOf(chain, names, run);
  const reached = new Set(successors.values());
  const pieces = [...successors.keys()]
    .filter((name) => !reached.has(name))
    .map((start) => {
      const piece: [Oid, ...Oid[]] = [start];
      for (let next = successors.get(start); next; next = successors.get(next)) piece.push(next);
      return piece;
    });
  // Some form a circle. No two of them lead to the same commit, so no piece ends in one.
  if (pieces.flat().length !== new Set([...successors.keys(), ...reached]).size) throw forked();
  return pieces;
}

/** Names of the chain never change, so each is read once in a run. */
async function successorsOf(chain: CommitChain, names: readonly Oid[], run: Run): Promise<Map<Oid, Oid>> {
  const [read, ledTo] = [run.list('names beyond'), run.list('successors beyond')];
  const successors = new Map<Oid, Oid>();
  for (const name of names) {
    const position = read.positionOf(name);
    const successor = position === null ? await chain.successor(name) : ledTo.at(position);
    if (successor === null) continue;
    successors.set(name, successor);
    if (position !== null) continue;
    if (!ledTo.add(successor)) throw forked();
    read.add(name);
    await run.step();
  }
  return successors;
}

/** True if the last names of the chain are lost and the commits were not pushed by native git. */
async function wasInChain(
  { fs, layout, objects }: ChainMendParts,
  run: Run,
  { commits }: CommitLine,
): Promise<boolean> {
  const others = run.list('made elsewhere');
  for (const { commit, adopted } of commits) {
    if (adopted || others.has(commit)) continue;
    const text = await readCommit(objects, commit);
    if (text === null) continue;
    if (await wasMadeHere(fs, layout, commit, text)) return true;
    others.add(commit);
    await run.step();
  }
  return false;
}
