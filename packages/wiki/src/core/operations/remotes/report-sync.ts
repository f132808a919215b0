import type { Input, Output } from '../../../contract/operations.ts';
import type { Session } from '../../session.ts';
import { isReportFor, reportWith, settingsOf } from './stored-remote.ts';

export async function reportSync(
  { repository: { remote } }: Session,
  { url, report }: Input<'report_sync'>,
): Promise<Output<'report_sync'>> {
  const settings = await settingsOf(remote);
  if (settings === null || !isReportFor(settings, { url, report })) return { recorded: false };
  await remote.keepReport(reportWith(url, report));
  return { recorded: true };
}
