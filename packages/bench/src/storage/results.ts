import type { Summary } from './samples.ts';
import type { Operation } from './workload.ts';

/** By engine and operation: what was measured, or in words why it was not. */
export type Results = Record<string, Partial<Record<Operation, Summary | string>>>;

export interface StorageReport {
  pages: number;
  /** All pages lie in one folder. */
  flat: boolean;
  /** Engines that this machine cannot run, and why. */
  absent: readonly string[];
  local: Results;
  /** `counted` without an added round trip, `delayed` with one of 1 ms. */
  nfs: { counted: Results; delayed: Results } | null;
}
