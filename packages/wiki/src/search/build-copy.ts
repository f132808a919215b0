import { throwIfCancelled } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { Repository } from '../core/ports.ts';
import { buildIndex } from './build.ts';
import { isReachable } from './catch-up.ts';
import type { Pacer } from './pacer.ts';
import type { CopySource } from './sqlite/copy-source.ts';
import { countCommits, unfinishedCommit } from './sqlite/index-state.ts';
import type { WorkingCopy } from './sqlite/working-copy.ts';
import type { WaitingCallers } from './wait-for-index.ts';

interface Building {
  repository: Repository;
  source: CopySource;
  callers: WaitingCallers;
  pacer: Pacer;
  /** Ends the build after the piece that is kept. */
  closing: AbortSignal;
}

/**
 * Builds the index in a copy for the commit that its build began for, or else for `commit`. Returns false if that is no
 * use.
 */
export async function buildCopy(
  copy: WorkingCopy,
  commit: Oid,
  { repository, source, callers, pacer, closing }: Building,
): Promise<boolean> {
  const begunFor = unfinishedCommit(copy.database);
  const isUsable =
    begunFor === null ? countCommits(copy.database) === 0 : await isReachable(repository, begunFor);
  if (!isUsable) return false;
  callers.reportBuilding(0, 0, 'Reading commits');
  try {
    await buildIndex(copy.database, repository, begunFor ?? commit, {
      pacer,
      pieceMs: source.pieceMs,
      progress: callers.reportBuilding,
      keep: async () => {
        await source.keep(copy, { isLast: false });
        throwIfCancelled(closing);
      },
    });
    await source.built(copy);
  } finally {
    callers.endBuilding();
  }
  return true;
}
