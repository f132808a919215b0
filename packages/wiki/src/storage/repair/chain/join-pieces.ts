import type { Oid } from '../../../formats/oid.ts';
import type { ChainEnd } from '../../commits/chain-link.ts';
import type { CommitBook } from './commit-book.ts';
import { type CommitLine, commitLine } from './commit-line.ts';
import { forked, type MendingPlan } from './missing-names.ts';

/** Consecutive commits: each one's name leads to the next. */
export type Piece = readonly [Oid, ...Oid[]];

interface JoiningParts {
  book: CommitBook;
  plan: MendingPlan;
  /** All lines of commits that the chain most likely held, oldest first; see newestCommits. */
  lines(): AsyncIterable<CommitLine>;
}

/** Joins the pieces, each after all pieces on which it rests. */
export async function joinPieces(
  { book, plan, lines }: JoiningParts,
  pieces: readonly Piece[],
): Promise<void> {
  const inPieces = new Set(pieces.flat());
  if (!inPieces.isDisjointFrom(plan.named)) throw forked();
  const lineBefore = (start: Oid) =>
    commitLine(book, start, { has: (commit) => inPieces.has(commit) || plan.named.has(commit) });
  const waiting: { piece: Piece; line: CommitLine }[] = [];
  for (const piece of await oldestFirst(book, pieces))
    waiting.push({ piece, line: await lineBefore(piece[0]) });
  while (waiting.length > 0) {
    const ready = waiting.filter(({ line }) => line.restsOn.isSubsetOf(plan.named));
    // If commits between them are lost, all we know is that these came later, and when they were made.
    const next =
      ready.find(({ line }) => comesAfter(plan.end, line)) ?? ready.find(({ line }) => line.hasLost);
    if (!next) throw forked();
    // A repair that was interrupted made the last names and not the first ones. The lines before them are not
    // among the ancestors if a commit in between is lost.
    if (plan.end === null && next.line.hasLost) {
      for await (const line of lines()) {
        if (line.commits.some(({ commit }) => inPieces.has(commit))) break;
        plan.extend(line);
      }
    }
    const [start, ...rest] = next.piece;
    // A piece that was joined since may contain some of these.
    plan.extend(await lineBefore(start));
    plan.goOn(rest);
    waiting.splice(waiting.indexOf(next), 1);
  }
}

/** By the first commit in each that can be read. */
async function oldestFirst(book: CommitBook, pieces: readonly Piece[]): Promise<Piece[]> {
  const dated: { piece: Piece; date: number }[] = [];
  for (const piece of pieces) dated.push({ piece, date: await dateOf(book, piece) });
  return dated.sort((a, b) => a.date - b.date).map(({ piece }) => piece);
}

async function dateOf(book: CommitBook, piece: Piece): Promise<number> {
  for (const commit of piece) {
    const booked = await book.read(commit);
    if (booked) return booked.date;
  }
  return Number.MAX_SAFE_INTEGER;
}

export function comesAfter(end: ChainEnd, { restsOn, hasLost }: CommitLine): boolean {
  return end === null ? restsOn.size === 0 && !hasLost : restsOn.has(end.commit);
}
