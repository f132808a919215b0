import { setTimeout } from 'node:timers/promises';
import { WikiError } from '../../../contract/errors.ts';
import type { RemoteSettings, SyncReport } from '../../../contract/operations/remotes.ts';
import type { Input, Output } from '../../../contract/operations.ts';
import type { KeptRemote } from '../../remote-port.ts';
import type { Session } from '../../session.ts';
import { reportOf, reportWith, settingsOf, shownSyncOf } from './stored-remote.ts';

/**
 * Marks a sync as due, for the process that keeps the wiki in sync, and waits for it where that process is near. Makes
 * none itself: nothing here calls other machines.
 */
export async function syncWiki(
  { repository: { name, remote }, call, host, now }: Session,
  _input: Input<'sync_wiki'>,
): Promise<Output<'sync_wiki'>> {
  const settings = await settingsOf(remote);
  if (settings === null) throw noRemote(name);
  if (settings.agents_may_sync !== true) throw notAllowed(name);
  const before = await reportOf(remote, settings);
  const shown = (report: SyncReport | null) => shownSyncOf(settings, report);
  if (isPaused(before, now())) return { progress: 'postponed', sync: shown(before) };
  await markDue(remote, settings, before, now());
  const end = now() + (host.syncWaitMs ?? 0);
  while (now() < end && !call.signal?.aborted) {
    await setTimeout(LOOK_EVERY_MS);
    const report = await reportOf(remote, settings);
    if (report !== null && report.at !== before?.at && !isAskedForAgain(report))
      return { progress: 'done', sync: shown(report) };
  }
  return { progress: 'under_way', sync: shown(before) };
}

/** True if the last sync failed and the pause after it is not over: agents cannot shorten what a remote asks for. */
function isPaused(report: SyncReport | null, now: number): boolean {
  if (report === null || report.failures === 0 || report.next_at === null) return false;
  return report.at <= now && now < report.next_at;
}

/** Leaves some seconds between two syncs, however often agents ask. Before the first report each look finds it due. */
async function markDue(
  remote: KeptRemote,
  { url }: RemoteSettings,
  report: SyncReport | null,
  now: number,
): Promise<void> {
  if (report === null || report.next_at === null || report.failures > 0) return;
  const due = report.at > now ? now : Math.max(now, report.at + MIN_PAUSE_MS);
  if (due < report.next_at) await remote.keepReport(reportWith(url, { ...report, next_at: due }));
}

/** True if the report is of a sync that was under way when the next one was asked for. */
function isAskedForAgain({ at, next_at }: SyncReport): boolean {
  return next_at !== null && next_at <= at;
}

function noRemote(wiki: string): WikiError {
  return new WikiError('not_found', {
    happened: `The wiki ${JSON.stringify(wiki)} is kept in sync with no git remote.`,
    now: 'Nothing was done.',
    next: 'Ask the person who runs the wiki to add one, with `remote add URL --let-agents-sync`.',
  });
}

function notAllowed(wiki: string): WikiError {
  return new WikiError('forbidden', {
    happened: `Agents may not ask for a sync of the wiki ${JSON.stringify(wiki)}.`,
    now: 'Nothing was done. It is synced by itself as often as its owner set.',
    next: 'Ask the person who runs the wiki to add the remote again with --let-agents-sync.',
  });
}

const LOOK_EVERY_MS = 100;
const MIN_PAUSE_MS = 5_000;
