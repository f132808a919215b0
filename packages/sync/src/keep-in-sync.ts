import type { RemoteSettings, SyncReport } from '@pagetree/wiki/contract';
import { pause } from './pause.ts';
import type { Syncing } from './syncing.ts';

export interface KeepParts {
  syncing: Syncing;
  /** The wait between two looks at the wiki. */
  lookEveryMs: number;
  /** Ends it after what is under way. */
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** Between 0 and 1. */
  random(): number;
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

interface Found {
  settings: RemoteSettings;
  report: SyncReport | null;
}

async function syncIfDue(parts: KeepParts, found: Found): Promise<SyncReport | null> {
  const { syncing, signal, random } = parts;
  let due: Found = found;
  if (!isTime(parts, found.report)) {
    if (!(await hasNews(syncing, found))) return null;
    // Commits often come in bursts, and another process may be about to push the same one.
    await pause(SETTLE_MS * (1 + random()), signal);
    const again = await syncing.remote();
    if (again === null || signal.aborted || !(await hasNews(syncing, again))) return null;
    due = again;
  }
  return (await syncing.attempt(due.settings, due.report, { stop: signal })).report;
}

function isTime({ now }: KeepParts, report: SyncReport | null): boolean {
  if (report?.next_at == null) return true;
  const leftMs = report.next_at - now();
  // The clock was put back.
  return leftMs <= 0 || now() < report.at;
}

/** True if the wiki has a commit that the remote lacks. Does not count while attempts fail: they come at longer intervals. */
async function hasNews(syncing: Syncing, { settings, report }: Found): Promise<boolean> {
  if (settings.mode === 'pull' || report?.state !== 'in_step') return false;
  return (await syncing.head()) !== report.tip;
}

const NO_REMOTE_MS = 5_000;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const SETTLE_MS = 150;
