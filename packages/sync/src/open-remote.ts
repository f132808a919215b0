import type { RemoteSettings } from '@pagetree/wiki/contract';
import { askGit } from './credentials/ask-git.ts';
import { readFileToken } from './credentials/read-token.ts';
import { parseTokenSource } from './credentials/token-source.ts';
import type { OpenedRemote } from './syncing.ts';
import { openCommandRemote } from './transport/command/open-command-remote.ts';
import { openHttpRemote } from './transport/http/open-http-remote.ts';
import { RemoteFailure } from './transport/remote-failure.ts';
import { parseRemoteUrl } from './transport/remote-url.ts';

export interface RemoteSurroundings {
  /** The environment for git and ssh. */
  env: Readonly<Record<string, string | undefined>>;
  readFile(path: string): Promise<string>;
  /** The name and version of this program, as `pagetree/1.2.3`. */
  agentName: string;
}

/** The remote of a wiki. Its login comes from the file that the settings name, else from git's own credential helpers. */
export function openRemote(
  { url, token_from }: RemoteSettings,
  { env, agentName, readFile }: RemoteSurroundings,
): OpenedRemote {
  const parsed = parseRemoteUrl(url);
  if (typeof parsed === 'string')
    throw new RemoteFailure('unsupported', { remote: 'in the settings', words: parsed });
  const { shown } = parsed;
  if (parsed.kind !== 'http') return { shown, remote: openCommandRemote({ url: parsed, agentName, env }) };
  const source = parseTokenSource(token_from);
  if (source.kind === 'secret')
    throw new RemoteFailure('unauthorized', { remote: shown, reason: 'token_on_aws' });
  const credentials =
    source.kind === 'git' ? askGit(parsed.url, env) : readFileToken(() => readFile(source.path), shown);
  return { shown, remote: openHttpRemote({ url: parsed, credentials, agentName, fetch }) };
}
