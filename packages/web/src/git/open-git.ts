import type { Author, Scope, Wiki } from '@pagetree/wiki/contract';
import type { Endpoint } from '../site/view-tools.ts';
import { isEqualSecret, refuseBrowsers, secretOf, unauthorized } from './credentials.ts';
import { createGitServer } from './git-server.ts';
import { Refusal } from './refusal.ts';

export interface GitOptions {
  wiki: Wiki;
  scope: Scope | null;
  /** The person who runs the server. */
  author: Author;
  isReadOnly: boolean;
  /** The accepted values of the `Host` header, without a token. */
  hosts: readonly string[];
  /** The secret that each request must carry; null if programs of this machine alone are served, without one. */
  token: string | null;
  /** The version of Pagetree. */
  version: string;
  log(line: string): void;
}

/** Serves native git to this machine, or to all who have the token, as the person who runs the server. */
export function openGit({
  wiki,
  scope,
  author,
  isReadOnly,
  hosts,
  token,
  ...options
}: GitOptions): Pick<Endpoint, 'fetch'> {
  const server = createGitServer(options);
  const caller = { wiki, call: { caller: { author, agent: null }, scope: scope ?? undefined } };
  const pushRefusal = () => (isReadOnly ? READ_ONLY : null);
  return {
    async fetch(request, _sent, until) {
      try {
        refuseBrowsers(request);
        admit(request, { hosts, token });
      } catch (error) {
        if (error instanceof Refusal) return error.response();
        throw error;
      }
      return server.fetch(request, { ...caller, pushRefusal, until });
    },
  };
}

function admit(request: Request, { hosts, token }: Pick<GitOptions, 'hosts' | 'token'>): void {
  if (token !== null) {
    if (isEqualSecret(secretOf(request) ?? '', token)) return;
    throw unauthorized('This server needs its token as the password, with any user name.');
  }
  const host = request.headers.get('host')?.toLowerCase() ?? '';
  if (!hosts.includes(host)) throw new Refusal(421, 'Nothing is served here for this host.');
}

const READ_ONLY = 'Nothing can be pushed here: this server was started with --read-only.';
