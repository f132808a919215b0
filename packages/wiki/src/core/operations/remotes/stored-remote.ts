import * as z from 'zod';
import { toWikiError, WikiError } from '../../../contract/errors.ts';
import {
  describeRemote,
  type RemoteSettings,
  remoteSettings,
  type ShownSync,
  type SyncReport,
  syncReport,
} from '../../../contract/operations/remotes.ts';
import type { KeptRemote } from '../../remote-port.ts';

/** Throws `invalid_input` if the settings are damaged. */
export async function settingsOf(remote: Pick<KeptRemote, 'settings'>): Promise<RemoteSettings | null> {
  const kept = remoteSettings()
    .nullable()
    .safeParse(await remote.settings());
  if (kept.success) return kept.data;
  throw new WikiError('invalid_input', {
    happened: 'The settings of the remote are damaged.',
    now: 'The wiki is not in sync with any remote.',
    next: 'Remove the remote, and add it again.',
  });
}

/** The report of the last sync with this remote. A damaged report counts as none. */
export async function reportOf(
  remote: Pick<KeptRemote, 'report'>,
  settings: RemoteSettings,
): Promise<SyncReport | null> {
  const kept = keptReport().safeParse(await remote.report()).data;
  return kept !== undefined && isReportFor(settings, kept) ? kept.report : null;
}

/** False for the report of a process that has other settings. */
export function isReportFor(
  { url, folder }: RemoteSettings,
  { url: reported, report }: { url: string; report: SyncReport },
): boolean {
  return reported === url && report.projection?.folder === folder;
}

/** For wiki_status: the last sync, and why the wiki is not in step with its remote, or may not be, in plain words. */
export async function statusOfSync(
  remote: KeptRemote,
  { backend, now }: { backend: string; now: number },
): Promise<{ sync: ShownSync | null; problems: string[] }> {
  try {
    const settings = await settingsOf(remote);
    if (settings === null) return { sync: null, problems: [] };
    const report = await reportOf(remote, settings);
    const sync = shownSyncOf(settings, report);
    if (report === null) return { sync, problems: [] };
    const problems =
      report.state === 'in_step' ? [] : [`Sync with ${describeRemote(settings)}: ${report.words}`];
    // On other machines the server that is asked syncs by itself.
    if (backend === 'lambda' && report.next_at !== null && now - report.next_at > MAX_LATE_MS)
      problems.push(nobodySyncs(settings.url, report.at));
    return { sync, problems };
  } catch (error) {
    const { text } = toWikiError(error);
    return { sync: null, problems: [`${text.happened} ${text.now} ${text.next}`] };
  }
}

/** The remote and the last sync without what concerns its owner alone, such as the place of the token. */
export function shownSyncOf(settings: RemoteSettings, report: SyncReport | null): ShownSync {
  return {
    remote: describeRemote(settings),
    state: report?.state ?? 'not_synced',
    words: report?.words ?? 'No sync was made yet. The first one begins by itself.',
    at: timeOf(report?.at),
    in_step_at: timeOf(report?.in_step_at),
    next_at: timeOf(report?.next_at),
    agents_may_sync: settings.agents_may_sync === true,
  };
}

function timeOf(milliseconds: number | null | undefined): string | null {
  return milliseconds == null ? null : new Date(milliseconds).toISOString();
}

function nobodySyncs(url: string, at: number): string {
  return `Nobody has looked at ${url} since ${new Date(at).toISOString()}. A wiki on AWS is kept in sync by a function of its stack, with "sync": true in pagetree.json, or by \`remote sync\` from another machine. If the stack has that function, look in its log.`;
}

/** Longer than a round of the function that syncs may take. */
const MAX_LATE_MS = 20 * 60_000;

export function reportWith(url: string, report: SyncReport): object {
  return { url, report };
}

const keptReport = () => z.object({ url: z.string(), report: syncReport() });
