import type { Oid } from '../../contract/ids.ts';
import type { Index } from '../index-port.ts';
import type { Snapshot } from '../ports.ts';
import { findPage } from './find-page.ts';

/**
 * The path now of the page that had `path` after the commit `since`; null if it was deleted. Another page may
 * have taken its old path, so each move is looked up, not the page that is there.
 */
export async function presentPath(
  index: Index,
  head: Snapshot,
  { path, since }: { path: string; since: Oid },
): Promise<string | null> {
  let place = { path, since };
  for (let moves = 0; head.commit !== null && moves < MAX_MOVES; moves += 1) {
    const move = await index.moveAfter(head.commit, place.path, place.since);
    if (move === null) break;
    place = { path: move.movedTo, since: move.commit };
  }
  return (await findPage(head, place.path)) === null ? null : place.path;
}

/** Bounds the work. Each move comes after the one before, so the walk ends by itself. */
const MAX_MOVES = 1_000;
