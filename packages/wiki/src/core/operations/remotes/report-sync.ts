import type { Input, Output } from '../../../contract/operations.ts';
import type { Session } from '../../session.ts';
import { reportWith, settingsOf } from './stored-remote.ts';

export async function reportSync(
  { repository: { remote } }: Session,
  { url, report }: Input<'report_sync'>,
): Promise<Output<'report_sync'>> {
  if ((await settingsOf(remote))?.url !== url) return { recorded: false };
  await remote.keepReport(reportWith(url, report));
  return { recorded: true };
}
