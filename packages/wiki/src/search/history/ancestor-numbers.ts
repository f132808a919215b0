import type { Oid } from '../../contract/ids.ts';
import type { IndexDatabase } from '../sqlite/index-database.ts';
import { inLogOrder } from './log-order.ts';
import { readPlaced } from './record-history.ts';

/**
 * The numbers of a commit and its ancestors, newest first: first the `loose` ones, then all from `below` down
 * to 1.
 */
export interface HistoryOrder {
  loose: readonly number[];
  below: number;
}

/** Throws if the index does not have the commit. Costs nothing if history is one line. */
export function historyOrder(database: IndexDatabase, commit: Oid): HistoryOrder {
  const loose: number[] = [];
  for (const { commit: placed, cut } of inLogOrder(commit, (oid) => readPlaced(database, oid))) {
    if (cut && placed.cut) return { loose, below: placed.number };
    loose.push(placed.number);
  }
  return { loose, below: 0 };
}
