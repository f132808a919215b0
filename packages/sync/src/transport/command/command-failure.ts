import {
  cleanWords,
  RemoteFailure,
  type RemoteFailureCode,
  type RemoteFailureReason,
} from '../remote-failure.ts';
import type { CommandEnd } from './command.ts';

/** The failure that a command means by its errors; null if they say nothing. */
export function failureOfCommand(end: CommandEnd, remote: string): RemoteFailure | null {
  if (end.isMissing) return new RemoteFailure('no_command', { remote });
  const words = cleanWords(end.errors);
  const status = end.status === null || end.status === 0 ? {} : { status: end.status };
  const data = { remote, ...status, ...(words && { words }) };
  const [, code, reason] = SIGNS.find(([sign]) => sign.test(end.errors)) ?? [];
  if (code !== undefined) return new RemoteFailure(code, { ...data, ...(reason && { reason }) });
  if (words === '') return null;
  return new RemoteFailure('broken', { ...data, reason: 'cut_off' });
}

/** By what ssh, git and the large hosts write. The first that is found counts. */
const SIGNS: [RegExp, RemoteFailureCode, RemoteFailureReason?][] = [
  [/could not resolve hostname/i, 'unreachable', 'dns'],
  [/host key verification failed|remote host identification has changed/i, 'unreachable', 'host_key'],
  [/permission denied \([a-z0-9,-]+\)|too many authentication failures/i, 'unauthorized', 'rejected'],
  [/connection refused/i, 'unreachable', 'connection_refused'],
  [/(connection|operation) timed out/i, 'timeout'],
  [/no route to host|network is unreachable/i, 'unreachable', 'no_route'],
  [/kex_exchange_identification|connection (reset|closed) by/i, 'unreachable', 'reset'],
  [/archived|read-only/i, 'refused'],
  [/dubious ownership|permission to .* denied|access denied|insufficient permission/i, 'forbidden'],
  [
    /does not appear to be a git repository|not a git repository|repository not found|no such file or directory/i,
    'not_found',
  ],
  [
    /project you were looking for could not be found|could not find repository|repository .* does not exist/i,
    'not_found',
  ],
  [/command not found|: not found|unknown command/i, 'no_git', 'content_type'],
  [/permission denied/i, 'forbidden'],
];
