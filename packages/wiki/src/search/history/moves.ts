import type { Oid } from '../../contract/ids.ts';
import { lastPartOf } from '../../core/paths/page-path.ts';
import { likeness, type Pieces, piecesOf } from './likeness.ts';

/** A page that a commit added or removed. */
export interface Sided {
  path: string;
  blob: Oid;
}

/** The origin of an added page. */
export interface Origin {
  path: string;
  /**
   * False if the removed page moved elsewhere, to a more similar page. Its history still belongs to this one
   * as well.
   */
  moved: boolean;
}

/**
 * For each added page, the removed page that it was, by git's rules: first the same content, preferably with
 * the same name; else the most similar one, if at least half of it is the same.
 */
export async function findOrigins(
  added: readonly Sided[],
  removed: readonly Sided[],
  read: (blob: Oid) => Promise<Uint8Array>,
): Promise<Map<string, Origin>> {
  const compare = comparer(read);
  const found: { page: Sided; source: Sided; score: number }[] = [];
  for (const page of added) {
    let best: { page: Sided; source: Sided; score: number } | null = null;
    for (const source of candidates(page, added, removed)) {
      const score = (await compare(source.blob, page.blob)) + (sameName(page, source) ? sameNameBonus : 0);
      if (score >= leastAlike && score > (best?.score ?? 0)) best = { page, source, score };
    }
    if (best !== null) found.push(best);
  }
  found.sort((a, b) => b.score - a.score || (a.page.path < b.page.path ? -1 : 1));
  const taken = new Set<string>();
  const origins = new Map<string, Origin>();
  for (const { page, source } of found) {
    origins.set(page.path, { path: source.path, moved: !taken.has(source.path) });
    taken.add(source.path);
  }
  return origins;
}

const leastAlike = 0.5;
/** Decides between equals, and never lifts a page above the minimum similarity. */
const sameNameBonus = 1e-9;
/**
 * More pairs than this are not compared one by one: then only pages of the same name or content can count as
 * moved.
 */
const mostPairs = 40_000;

function candidates(page: Sided, added: readonly Sided[], removed: readonly Sided[]): readonly Sided[] {
  const same = removed.filter((source) => source.blob === page.blob);
  if (same.length > 0) return same;
  if (added.length * removed.length <= mostPairs) return removed;
  return removed.filter((source) => sameName(page, source));
}

function sameName(a: Sided, b: Sided): boolean {
  return lastPartOf(a.path) === lastPartOf(b.path);
}

function comparer(read: (blob: Oid) => Promise<Uint8Array>): (a: Oid, b: Oid) => Promise<number> {
  const pieces = new Map<Oid, Pieces>();
  const piecesFor = async (blob: Oid): Promise<Pieces> => {
    const known = pieces.get(blob) ?? piecesOf(await read(blob));
    pieces.set(blob, known);
    return known;
  };
  return async (a, b) => (a === b ? 1 : likeness(await piecesFor(a), await piecesFor(b)));
}
