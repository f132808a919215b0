import type { Oid } from '../contract/ids.ts';
import { inLogOrder } from './commit-order.ts';
import type { IndexDatabase } from './index-database.ts';
import { readPlaced } from './write-history.ts';

/** The numbers of a commit and its ancestors, newest first: those that are `loose`, then all from `below` down to 1. */
export interface HistoryOrder {
  loose: readonly number[];
  below: number;
}

/** Throws where the index does not know the commit. Costs nothing where history is one line. */
export function historyOrder(database: IndexDatabase, commit: Oid): HistoryOrder {
  const loose: number[] = [];
  for (const { commit: placed, cut } of inLogOrder(commit, (oid) => readPlaced(database, oid))) {
    if (cut && placed.cut) return { loose, below: placed.number };
    loose.push(placed.number);
  }
  return { loose, below: 0 };
}
