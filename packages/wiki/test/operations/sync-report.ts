import type { SyncReport } from '../../src/contract/operations/remotes.ts';

/** The report of a sync after which the wiki and its remote were the same. */
export const SYNC_REPORT: SyncReport = {
  ...{ state: 'in_step', words: 'Both are in step.', at: 0, in_step_at: 0, next_at: null },
  ...{ failures: 0, branch: null, tip: null },
};
