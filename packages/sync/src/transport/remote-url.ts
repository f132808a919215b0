import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The address of a remote. `shown` holds no user and may go into any message. */
export type RemoteUrl = HttpUrl | SshUrl | FileUrl;

export interface HttpUrl {
  kind: 'http';
  shown: string;
  /** Without a slash at its end. */
  url: URL;
}

export interface SshUrl {
  kind: 'ssh';
  shown: string;
  user: string | null;
  host: string;
  port: number | null;
  path: string;
}

export interface FileUrl {
  kind: 'file';
  shown: string;
  path: string;
}

/**
 * Reads an address as `git clone` takes it, or returns a sentence that says why it cannot be used. The sentence repeats
 * nothing of the address, which may hold a password.
 */
export function parseRemoteUrl(text: string): RemoteUrl | string {
  if (text.length > MAX_URL_LENGTH) return `The address of a remote may have ${MAX_URL_LENGTH} characters.`;
  if (CONTROL.test(text)) return 'The address of a remote may not have control characters.';
  if (text === '' || text.trim() !== text)
    return 'The address of a remote may not begin or end with a space.';
  if (text.startsWith('-'))
    return 'The address of a remote may not begin with a hyphen: git would take it for an option.';
  if (/^[a-z0-9+.-]+::/i.test(text)) return `Remote helpers cannot be used here. ${ALLOWED}`;
  if (/^[a-z]:[\\/]/i.test(text) || isAbsolute(text)) return { kind: 'file', shown: text, path: text };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'https' || scheme === 'http') return parseHttp(text);
  if (scheme === 'ssh') return parseSsh(text);
  if (scheme === 'file') return parseFile(text);
  if (scheme !== undefined) return `This kind of address cannot be used. ${ALLOWED}`;
  return parseScpLike(text);
}

const ALLOWED = 'Use https://, ssh://, user@host:path, file:// or the full path of a folder.';
const MAX_URL_LENGTH = 2_000;
/** Also what ends a line in some programs, and what cannot be seen: the address is shown to people. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function parseHttp(text: string): HttpUrl | string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '') return 'The address of the remote cannot be read.';
  if (url.username !== '' || url.password !== '')
    return 'The address of a remote may not hold a user or a password.';
  if (url.search !== '' || url.hash !== '')
    return 'The address of a remote may not have a query or a fragment.';
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    return 'Only a server on this machine may be used by http://. Use https://.';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { kind: 'http', shown: url.href.replace(/\/$/, ''), url };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function parseSsh(text: string): SshUrl | string {
  const [, login, host = '', port, rest = ''] = SSH_URL.exec(text) ?? [];
  const path = decoded(rest);
  if (path === null) return 'The address of the remote cannot be read. Use ssh://user@host/path.';
  return sshUrl({ login, host, port, path: path.startsWith('/~') ? path.slice(1) : path });
}

const SSH_URL = /^ssh:\/\/(?:([^@/]*)@)?(\[[0-9a-f:.]+\]|[^:/@]+)(?::(\d{1,5}))?(\/.+)$/i;

function parseScpLike(text: string): SshUrl | string {
  const [, login, host = '', path] = SCP_LIKE.exec(text) ?? [];
  if (path === undefined) return `This is no address of a remote: name a folder by its full path. ${ALLOWED}`;
  return sshUrl({ login, host, port: undefined, path });
}

const SCP_LIKE = /^(?:([^@/:]*)@)?(\[[0-9a-f:.]+\]|[^@/:]+):(.+)$/i;

interface SshParts {
  login: string | undefined;
  host: string;
  port: string | undefined;
  path: string;
}

function sshUrl({ login, host, port, path }: SshParts): SshUrl | string {
  if (login?.includes(':'))
    return 'The address of a remote may not hold a password: ssh takes a key of its own.';
  if (login !== undefined && !SSH_NAME.test(login))
    return 'The user in the address of the remote cannot be read.';
  if (!SSH_HOST.test(host)) return 'The host in the address of the remote cannot be read.';
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return 'The port of the remote is not a port.';
  if (path.startsWith('-'))
    return 'The path of a remote may not begin with a hyphen: git would take it for an option.';
  const bare = host.replaceAll(/[[\]]/g, '');
  const at = port === undefined ? host : `${host}:${port}`;
  const shown = `ssh://${at}${path.startsWith('/') ? '' : '/'}${path}`;
  return {
    kind: 'ssh',
    shown,
    user: login ?? null,
    host: bare,
    port: port === undefined ? null : Number(port),
    path,
  };
}

const SSH_NAME = /^[a-z0-9_][a-z0-9_.+-]*$/i;
const SSH_HOST = /^(?:[a-z0-9_][a-z0-9_.-]*|\[[0-9a-f:.]+\])$/i;

function parseFile(text: string): FileUrl | string {
  try {
    const url = new URL(text);
    if (url.search !== '' || url.hash !== '')
      return 'The address of a remote may not have a query or a fragment.';
    const path = fileURLToPath(url);
    if (!CONTROL.test(path)) return { kind: 'file', shown: path, path };
  } catch {
    // It names another machine, or cannot be decoded.
  }
  return 'The address of the remote cannot be read. Use file:///path, or the full path of a folder.';
}

function decoded(path: string): string | null {
  try {
    const plain = decodeURIComponent(path);
    return plain === '' || CONTROL.test(plain) ? null : plain;
  } catch {
    return null;
  }
}
