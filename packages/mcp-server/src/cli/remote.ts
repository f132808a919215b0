import { resolve } from 'node:path';
import { readTokenFile } from '@pagetree/backends/token-file';
import { openRemote, type RemoteSurroundings } from '@pagetree/sync/open-remote';
import { parseRemoteUrl, type RemoteUrl } from '@pagetree/sync/remote-url';
import { Syncing } from '@pagetree/sync/syncing';
import { ownerInSecretName, parseTokenSource, tokenInSecret } from '@pagetree/sync/token-source';
import {
  type Author,
  type Call,
  callOperation,
  describeRemote,
  nextAtTerminal,
  type RemoteSettings,
  type Scope,
  type SyncReport,
  toWikiError,
  type Wiki,
} from '@pagetree/wiki/contract';
import type { RemoteAction } from './remote-line.ts';

export interface RemoteCommandParts extends Omit<RemoteSurroundings, 'readFile'> {
  wiki: Wiki;
  /** True if a function serves the wiki. */
  isOnAws: boolean;
  /** The name of the wiki; null for the default one. */
  name: string | null;
  author: Author;
  scope: Scope | null;
  workingDirectory: string;
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  random(): number;
}

/** The result of a command: a sentence for the person, who may see everything. */
export interface Said {
  done: boolean;
  said: string;
}

/** Adds, shows, uses or removes the repository with which a wiki is kept in sync. */
export async function runRemote(action: RemoteAction, parts: RemoteCommandParts): Promise<Said> {
  try {
    return await run(action, parts);
  } catch (error) {
    if (parts.signal.aborted)
      return { done: false, said: 'The sync was ended. Nothing is lost: the next one goes on.' };
    const { text, code, cause } = toWikiError(error);
    const because = code === 'internal' && cause !== undefined ? ` (${String(cause)})` : '';
    return { done: false, said: `${text.happened}${because} ${text.now} ${nextAtTerminal(text)}` };
  }
}

async function run(action: RemoteAction, parts: RemoteCommandParts): Promise<Said> {
  const { wiki, name, author, scope, signal } = parts;
  const call: Call = { caller: { author, agent: null }, scope: scope ?? undefined, signal };
  const syncing = new Syncing({
    ...parts,
    call,
    open: (settings) => openRemote(settings, { ...parts, readFile: readTokenFile }),
  });
  const set = (remote: RemoteSettings | null) =>
    callOperation(wiki, 'set_remote', { remote, ...(name !== null && { wiki: name }) }, call);
  const attempt = async (settings: RemoteSettings, before: SyncReport | null): Promise<Said> => {
    // This machine may not be allowed to read the secret, and need not be.
    if (parseTokenSource(settings.token_from).kind === 'secret')
      return { done: true, said: (await syncing.leave(settings, before)).words };
    const { report } = await syncing.attempt(settings, before, { stop: signal });
    return { done: report.state === 'in_step', said: report.words };
  };
  // Damaged settings can be replaced and removed.
  const found = await syncing.remote().catch((error: unknown) => {
    if (action.name === 'remove' || action.name === 'add') return null;
    throw error;
  });
  switch (action.name) {
    case 'add': {
      const settings = settingsOf(action, parts);
      if (typeof settings === 'string') return { done: false, said: settings };
      await set(settings);
      return attempt(settings, lastMeeting(found, settings));
    }
    case 'remove': {
      const { changed } = (await set(null)) as { changed: boolean };
      return {
        done: changed,
        said: changed ? 'The remote is removed. Both sides keep what they have.' : NONE,
      };
    }
    case 'status':
      return { done: true, said: found === null ? NONE : describe(found, await syncing.head()) };
    case 'sync':
      if (found === null) return { done: false, said: NONE };
      return attempt(found.settings, found.report);
  }
}

function settingsOf(
  {
    url,
    mode,
    branch,
    folder,
    everyMs,
    tokenFile,
    tokenSecret,
    letAgentsSync,
  }: RemoteAction & { name: 'add' },
  { workingDirectory, isOnAws, name }: RemoteCommandParts,
): RemoteSettings | string {
  // As git takes it: what begins with a dot is a folder.
  const given = /^\.{1,2}(?:$|[\\/])/.test(url) ? resolve(workingDirectory, url) : url;
  const parsed = parseRemoteUrl(given);
  if (typeof parsed === 'string')
    return `${parsed} Nothing was changed. A token goes into a file: --token-file.`;
  const refusal = tokenSecret === null ? null : refusalOf(tokenSecret, parsed, { isOnAws, name });
  if (refusal !== null) return `${refusal} Nothing was changed.`;
  const tokenPath = tokenFile === null ? null : resolve(workingDirectory, tokenFile);
  return {
    url: given,
    mode,
    branch: branch === null ? null : `refs/heads/${branch.replace(/^refs\/heads\//, '')}`,
    every_ms: everyMs,
    token_from: tokenSecret === null ? tokenPath : tokenInSecret(tokenSecret),
    ...(folder !== undefined && { folder }),
    ...(letAgentsSync && { agents_may_sync: true }),
  };
}

/** The reason why a secret cannot be that of a remote; null if it can. The function on AWS knows its stack, and checks again. */
function refusalOf(
  secret: string,
  remote: RemoteUrl,
  { isOnAws, name }: Pick<RemoteCommandParts, 'isOnAws' | 'name'>,
): string | null {
  if (!isOnAws)
    return '--token-secret is for a wiki on AWS, named by --connect. On this machine use --token-file.';
  if (remote.kind !== 'http' || remote.url.protocol !== 'https:')
    return 'A wiki on AWS is synced by addresses that begin with https:// alone.';
  const [first, stack, wiki, host] = secret.split('/');
  const owner = ownerInSecretName(name ?? wiki ?? '', remote.url);
  if (first === 'pagetree' && stack && secret === `pagetree/${stack}/${owner}` && host) return null;
  const wanted = ownerInSecretName(name ?? 'WIKI', remote.url);
  return `A secret for this remote is named pagetree/STACK/${wanted}, with the name of the stack: everybody who may set a remote could else send any token to any server.`;
}

/** The last commit that both sides had: so that a fetch names it, also from another address of the repository. */
function lastMeeting(
  found: { settings: RemoteSettings; report: SyncReport | null } | null,
  { url, folder }: RemoteSettings,
): SyncReport | null {
  const report = found?.report ?? null;
  if (found === null || report === null || found.settings.folder !== folder) return null;
  // Another repository need not have the commits that stand for those of the wiki.
  if (folder !== undefined && found.settings.url !== url) return null;
  return { ...report, branch: null, failures: 0, in_step_at: null };
}

function describe(
  { settings, report }: { settings: RemoteSettings; report: SyncReport | null },
  head: string | null,
): string {
  const { mode, branch, every_ms, token_from, agents_may_sync } = settings;
  const lines = [
    `Remote: ${describeRemote(settings)}`,
    `Mode: ${mode}, every ${every_ms / 1_000} s`,
    `Branch: ${branch ?? report?.branch ?? 'the default one'}`,
    ...tokenLine(token_from),
    ...(agents_may_sync === true ? ['Agents may ask for a sync.'] : []),
  ];
  if (report === null) return [...lines, 'State: no sync yet.'].join('\n');
  const inStep = report.in_step_at === null ? 'never' : timeOf(report.in_step_at);
  lines.push(`State: ${report.state}, at ${timeOf(report.at)}; in step last: ${inStep}`, report.words);
  if (report.state === 'in_step' && mode !== 'pull' && head !== report.tip)
    lines.push('The wiki has newer commits since then: the next sync pushes them.');
  if (report.failures > 0 && report.next_at !== null)
    lines.push(`Failed ${report.failures} times in a row; the next attempt is at ${timeOf(report.next_at)}.`);
  return lines.join('\n');
}

function tokenLine(tokenFrom: string | null): string[] {
  const source = parseTokenSource(tokenFrom);
  if (source.kind === 'git') return [];
  return [
    source.kind === 'file'
      ? `Token: in ${source.path}`
      : `Token: in the secret ${source.name} of AWS Secrets Manager`,
  ];
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const NONE = 'This wiki has no remote. Add one with `remote add URL`.';
