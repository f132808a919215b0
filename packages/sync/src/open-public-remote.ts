import type { RemoteSettings } from '@pagetree/wiki/contract';
import { type ReadSecret, readSecretToken } from './credentials/read-secret.ts';
import { ownerInSecretName, parseTokenSource } from './credentials/token-source.ts';
import type { OpenedRemote } from './syncing.ts';
import type { AskCredentials } from './transport/http/http-calls.ts';
import { openHttpRemote } from './transport/http/open-http-remote.ts';
import { RemoteFailure, type RemoteFailureReason } from './transport/remote-failure.ts';
import { type HttpUrl, parseRemoteUrl } from './transport/remote-url.ts';

export interface PublicSurroundings {
  /** The beginning of the names of all secrets, as `pagetree/Pagetree`. */
  secretsUnder: string;
  readSecret: ReadSecret;
  /** Calls servers of the public Internet alone. */
  fetch: typeof globalThis.fetch;
  /** The name and version of this program, as `pagetree/1.2.3`. */
  agentName: string;
}

/**
 * The remote of a wiki, from a place that has no git, no ssh and no files, and whose network and rights are not those of
 * the people who set remotes: by HTTPS alone. Throws RemoteFailure for another remote.
 */
export function openPublicRemote(
  { url: text, token_from }: RemoteSettings,
  wiki: string,
  around: PublicSurroundings,
): OpenedRemote {
  const url = parseRemoteUrl(text);
  if (typeof url === 'string')
    throw new RemoteFailure('unsupported', { remote: 'in the settings', words: url });
  const { shown } = url;
  if (url.kind !== 'http' || url.url.protocol !== 'https:')
    throw new RemoteFailure('unsupported', { remote: shown, reason: 'https_only' });
  const credentials = credentialsOf(token_from, { url, wiki }, around);
  const { agentName, fetch } = around;
  return { shown, remote: openHttpRemote({ url, credentials, agentName, fetch }) };
}

function credentialsOf(
  tokenFrom: string | null,
  { url: { url, shown }, wiki }: { url: HttpUrl; wiki: string },
  { secretsUnder, readSecret }: PublicSurroundings,
): AskCredentials {
  const refused = (reason: RemoteFailureReason) =>
    new RemoteFailure('unauthorized', { remote: shown, reason });
  const source = parseTokenSource(tokenFrom);
  switch (source.kind) {
    case 'git':
      return async () => null;
    case 'file':
      throw refused('token_elsewhere');
    case 'secret':
      if (source.name !== `${secretsUnder}/${ownerInSecretName(wiki, url)}`) throw refused('other_secret');
      return readSecretToken(source.name, readSecret, shown);
  }
}
