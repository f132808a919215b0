import type { SyncReport } from '@pagetree/wiki/contract';
import { pause } from './pause.ts';
import { type DueParts, syncIfDue } from './sync-if-due.ts';

export interface KeepParts extends DueParts {
  /** The wait between two looks at the wiki. */
  lookEveryMs: number;
  /** Reports that the state of the sync changed. */
  changed(report: SyncReport): void;
  /** Reports that the wiki could not be asked, once until it can be. */
  failed(error: unknown): void;
}

/**
 * Keeps a wiki in sync with its remote, if it has one, until the signal comes: soon after a commit of the wiki, and else as
 * often as the settings say. Other processes may do the same: each asks what the others reported, and all their steps
 * may happen twice.
 */
export async function keepInSync(parts: KeepParts): Promise<void> {
  const { signal, failed } = parts;
  let state: string | null = null;
  let failures = 0;
  while (!signal.aborted) {
    let waitMs = NO_REMOTE_MS;
    try {
      const found = await parts.syncing.remote();
      if (found !== null) {
        waitMs = parts.lookEveryMs;
        const report = await syncIfDue(parts, found);
        if (report !== null && report.state !== state) parts.changed(report);
        state = report?.state ?? state;
      }
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      if (failures === 0) failed(error);
      waitMs = Math.min(FIRST_WAIT_MS * 2 ** failures, MAX_WAIT_MS);
      failures += 1;
    }
    await pause(waitMs, signal);
  }
}

const NO_REMOTE_MS = 5_000;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
