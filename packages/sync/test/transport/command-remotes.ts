import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../../../wiki/test/native-git.ts';
import { openCommandRemote } from '../../src/transport/command/open-command-remote.ts';
import type { RemoteLimits } from '../../src/transport/remote.ts';
import { parseRemoteUrl } from '../../src/transport/remote-url.ts';

export function commandRemote(
  url: string,
  { env = {}, limits = {} }: { env?: Record<string, string>; limits?: Partial<RemoteLimits> } = {},
) {
  const parsed = parseRemoteUrl(url);
  if (typeof parsed === 'string' || parsed.kind === 'http')
    throw new Error(`${url} is not for a command: ${parsed}`);
  const isolated = { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  return openCommandRemote({
    url: parsed,
    agentName: 'pagetree/1.2.3',
    env: { ...process.env, ...isolated, ...env },
    limits,
  });
}

/** A stand-in for ssh: notes its arguments, and runs the command on this machine after `before`. */
export function standInForSsh(before = ''): { program: string; log: string } {
  const directory = temporaryDirectory();
  const program = join(directory, 'ssh');
  const log = join(directory, 'arguments');
  const lines = [
    '#!/bin/sh',
    `printf '%s\\n' "$@" >> '${log}'`,
    before,
    'for last; do :; done',
    'exec sh -c "$last"',
  ];
  writeFileSync(program, `${lines.join('\n')}\n`);
  chmodSync(program, 0o755);
  return { program, log };
}
