import type { Oid } from '../../contract/ids.ts';
import type { NamedConflict } from '../../core/index-port.ts';
import { liesInFolders } from '../sqlite/folders-condition.ts';
import type { IndexDatabase, Row } from '../sqlite/index-database.ts';
import { oidOf } from '../sqlite/oid-bytes.ts';
import { type HistoryOrder, historyOrder } from './ancestor-numbers.ts';

/** The conflicts that are open as of `commit`, which the index must have. It may be ahead of it. */
export function queryConflicts(
  database: IndexDatabase,
  commit: Oid,
  folders: readonly string[] = [''],
): NamedConflict[] {
  const rows = database.all(
    `${SELECT_MARKS} WHERE ${liesInFolders('paths.path')} ORDER BY paths.path`,
    JSON.stringify(folders),
  );
  return rows.length === 0 ? [] : openAmong(database, commit, rows);
}

/** The merge that left a conflict of a page open as of `commit`. */
export function queryConflict(database: IndexDatabase, commit: Oid, path: string): Oid | null {
  const rows = database.all(`${SELECT_MARKS} WHERE paths.path = ?`, path);
  // For nearly all pages that is all.
  return rows.length === 0 ? null : (openAmong(database, commit, rows)[0]?.merge ?? null);
}

const SELECT_MARKS = `SELECT paths.path AS name, marks.path, marks.oid, opens, number FROM conflict_marks AS marks
  JOIN paths ON paths.id = marks.path JOIN commits ON commits.oid = marks.oid`;

function openAmong(database: IndexDatabase, commit: Oid, rows: readonly Row[]): NamedConflict[] {
  const order = historyOrder(database, commit);
  const orders = new Map<Oid, HistoryOrder>();
  const orderAt = (oid: Oid) => {
    const known = orders.get(oid) ?? historyOrder(database, oid);
    orders.set(oid, known);
    return known;
  };
  const present = rows.filter(({ number }) => contains(order, Number(number)));
  return [...Map.groupBy(present, ({ name }) => String(name))].flatMap(([path, marks]) => {
    const merge = marks
      .filter(({ opens }) => opens === 1)
      .sort((one, other) => placeIn(order, one) - placeIn(order, other))[0];
    if (merge === undefined) return [];
    const number = Number(merge.number);
    const isSettled = marks.some(({ opens, oid }) => opens === 0 && contains(orderAt(oidOf(oid)), number));
    if (isSettled || isChangedSince(database, order, orderAt(oidOf(merge.oid)), Number(merge.path)))
      return [];
    return [{ path, merge: oidOf(merge.oid) }];
  });
}

/**
 * True if a commit that the merge does not reach changed the page. Numbers alone do not say so: with a wrong clock, the
 * commit that was merged can have a higher one than the merge.
 */
function isChangedSince(
  database: IndexDatabase,
  order: HistoryOrder,
  before: HistoryOrder,
  path: number,
): boolean {
  const touches = database.all(
    'SELECT number FROM touches WHERE path = ? AND number > ?',
    path,
    before.below,
  );
  return touches.some(({ number }) => contains(order, Number(number)) && !contains(before, Number(number)));
}

function contains({ loose, below }: HistoryOrder, number: number): boolean {
  return number <= below || loose.includes(number);
}

/** The newest first. */
function placeIn({ loose }: HistoryOrder, { number }: Row): number {
  const place = loose.indexOf(Number(number));
  return place === -1 ? Number.MAX_SAFE_INTEGER - Number(number) : place;
}
