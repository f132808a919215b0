import type { RemoteSettings, SyncReport } from '@pagetree/wiki/contract';
import { pause } from './pause.ts';
import type { Syncing } from './syncing.ts';

export interface DueParts {
  syncing: Syncing;
  /** Ends it: what is under way is given up. */
  signal: AbortSignal;
  /** The longest time of an attempt; the usual one if absent. */
  deadlineMs?: number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Between 0 and 1. */
  random(): number;
}

export interface Found {
  settings: RemoteSettings;
  report: SyncReport | null;
}

/**
 * Makes one attempt if it is time for one, or if the wiki has a commit that the remote lacks. Null if there was none.
 * `found` is what `Syncing.remote` answered.
 */
export async function syncIfDue(parts: DueParts, found: Found): Promise<SyncReport | null> {
  const { syncing, signal, deadlineMs, random } = parts;
  let due: Found = found;
  if (!isTime(parts, found.report)) {
    if (!(await hasNews(syncing, found))) return null;
    // Commits often come in bursts, and another process may be about to push the same one.
    await pause(SETTLE_MS * (1 + random()), signal);
    const again = await syncing.remote();
    if (again === null || signal.aborted || !(await hasNews(syncing, again))) return null;
    due = again;
  }
  return (await syncing.attempt(due.settings, due.report, { stop: signal, deadlineMs })).report;
}

/** False if it is certainly not time for an attempt. `isChanged`: the wiki has a commit after the one of the report. */
export function mayBeDue(parts: Pick<DueParts, 'now'>, found: Found, isChanged: boolean): boolean {
  return isTime(parts, found.report) || (isChanged && pushesNews(found));
}

function isTime({ now }: Pick<DueParts, 'now'>, report: SyncReport | null): boolean {
  if (report?.next_at == null) return true;
  const leftMs = report.next_at - now();
  // The clock was put back.
  return leftMs <= 0 || now() < report.at;
}

/** True if the wiki has a commit that the remote lacks. */
async function hasNews(syncing: Syncing, found: Found): Promise<boolean> {
  return pushesNews(found) && (await syncing.head()) !== found.report?.tip;
}

/** News do not count while attempts fail: these come at longer intervals. */
function pushesNews({ settings, report }: Found): boolean {
  return settings.mode !== 'pull' && report?.state === 'in_step';
}

const SETTLE_MS = 150;
