import type { Oid } from '../../contract/ids.ts';
import { liesIn } from '../../contract/scope.ts';
import type { CommitInfo } from '../commit-info.ts';
import type { Index } from '../index-port.ts';
import { pagePathOf, treePathOf } from '../paths/page-path.ts';
import type { FileChange, Snapshot } from '../ports.ts';
import type { Session } from '../session.ts';

/**
 * Finds the tree path at which an edit is taken back: where its page lies without the undone commits. Moves by others
 * are followed. The edits of a page that an undone commit added are not: undoing them all would delete a page that
 * somebody else moved.
 */
export function followMoves(
  { index, call: { scope } }: Session,
  base: Snapshot,
  commits: readonly CommitInfo[],
): (change: FileChange, commit: Oid) => Promise<string> {
  const undone = new Set(commits.map(({ oid }) => oid));
  const found = new Map<string, ReadonlyMap<string, string>>();
  return async ({ path, before, after }, commit) => {
    const page = pagePathOf(path);
    if (base.commit === null || page === null || before === null || after === null) return path;
    const last = await lastPathOf(index, base.commit, page, commit);
    if (last === null) return path;
    const places = found.get(last) ?? (await placesOf(index, base.commit, last, undone));
    found.set(last, places);
    const place = treePathOf(places.get(keyOf(commit, page)) ?? page);
    return scope === undefined || liesIn(scope.write, place) ? place : path;
  };
}

/** The path to which the moves after the commit lead; null if there was none. It may be that of another page. */
async function lastPathOf(index: Index, base: Oid, path: string, since: Oid): Promise<string | null> {
  let last = await index.moveAfter(base, path, since);
  for (let moves = 1; last !== null && moves < MAX_MOVES; moves += 1) {
    const next = await index.moveAfter(base, last.movedTo, last.commit);
    if (next === null) return last.movedTo;
    last = next;
  }
  return null;
}

const MAX_MOVES = 20;

/**
 * The path at which each change of a page is taken back, by the commit and the path that the page had in it. Empty if an
 * undone commit added the page.
 */
async function placesOf(
  index: Index,
  base: Oid,
  path: string,
  undone: ReadonlySet<Oid>,
): Promise<ReadonlyMap<string, string>> {
  const { entries } = await index.history({
    commit: base,
    path,
    offset: 0,
    limit: MAX_CHANGES,
    pagesMost: 0,
  });
  const gone = entries.findIndex(({ version }) => version === null);
  // Before that, another page lay at the path.
  const changes = gone === -1 ? entries : entries.slice(0, gone);
  const places = new Map<string, string>();
  const first = changes.at(-1);
  if (first === undefined || (first.origin === null && undone.has(first.commit.oid))) return places;
  let place = path;
  for (const { commit, path: at, origin } of changes) {
    places.set(keyOf(commit.oid, at ?? path), place);
    if (origin !== null && undone.has(commit.oid)) place = origin;
  }
  return places;
}

/** The edits of a page that changed more often stay at their path. */
const MAX_CHANGES = 1_000;

function keyOf(commit: Oid, path: string): string {
  return `${commit} ${path}`;
}
