import type { Input, Output } from '../../../contract/operations.ts';
import type { Session } from '../../session.ts';
import { reportOf, settingsOf } from './stored-remote.ts';

export async function getRemote(
  { repository }: Session,
  _input: Input<'get_remote'>,
): Promise<Output<'get_remote'>> {
  const remote = await settingsOf(repository.remote);
  return { remote, report: remote === null ? null : await reportOf(repository.remote, remote) };
}
