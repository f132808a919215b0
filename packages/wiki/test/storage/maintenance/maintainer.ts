import { helpInARace } from './helper.ts';

/** Maintains the wiki again and again, without a pause. */
export interface MaintainerReport {
  rounds: number;
  /** Packs that went into larger ones. */
  merged: number;
  garbagePacksRemoved: number;
}

const report: MaintainerReport = { rounds: 0, merged: 0, garbagePacksRemoved: 0 };

await helpInARace(
  2 ** 24,
  async (storage) => {
    const done = await storage.maintain();
    report.rounds += 1;
    report.merged += Math.max(0, done.packsBefore - done.packs);
    report.garbagePacksRemoved += done.garbagePacksRemoved;
  },
  () => report,
);
