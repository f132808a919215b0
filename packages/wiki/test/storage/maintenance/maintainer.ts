import { StorageError } from '../../../src/storage/storage-error.ts';
import { helpInARace } from './helper.ts';

/** Maintains the wiki again and again, without a pause. */
export interface MaintainerReport {
  rounds: number;
  /** Packs that went into larger ones. */
  merged: number;
  garbagePacksRemoved: number;
  /** Rounds that ended with `busy`: a frozen process held the lock of the branch. */
  busy: number;
}

const report: MaintainerReport = { rounds: 0, merged: 0, garbagePacksRemoved: 0, busy: 0 };

await helpInARace(
  2 ** 24,
  async (storage) => {
    const done = await storage.tidy().catch((error: unknown) => {
      if (!(error instanceof StorageError) || error.code !== 'busy') throw error;
      report.busy += 1;
    });
    if (!done) return;
    report.rounds += 1;
    report.merged += Math.max(0, done.packsBefore - done.packs);
    report.garbagePacksRemoved += done.garbagePacksRemoved;
  },
  () => report,
);
