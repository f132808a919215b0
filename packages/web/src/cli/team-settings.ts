import { readFile } from 'node:fs/promises';
import { absolute, type Surroundings, setting } from '@pagetree/backends/config';
import type { ServeOptions } from './command-line.ts';

/** The settings of a login for a team. */
export interface TeamSettings {
  /** The origin of the pages in the browser. */
  origin: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The path of the file with the rules. */
  access: string;
}

export type TeamSetting =
  | { kind: 'team'; settings: TeamSettings }
  /** Nobody logs in. */
  | { kind: 'none' }
  | { kind: 'mistake'; sentence: string };

/** Reads the settings for a login, which belong together. */
export async function readTeam(
  options: Partial<ServeOptions>,
  surroundings: Surroundings,
): Promise<TeamSetting> {
  const given = TEAM_OPTIONS.filter((name) => options[name] !== undefined);
  if (given.length === 0) return { kind: 'none' };
  const missing = TEAM_OPTIONS.filter((name) => setting(options[name]) === null);
  if (missing.length > 0) {
    return mistake(`With --${given[0]} people log in, so ${listed(missing)} must be given too`);
  }
  const others = OTHER_OPTIONS.filter((name) => options[name] !== undefined && options[name] !== false);
  if (others.length > 0) {
    return mistake(
      `${listed(others)} cannot be combined with --issuer: the file of --access says who may do what`,
    );
  }
  const scopes = SCOPES.filter((name) => setting(surroundings.env[name]) !== null);
  if (scopes.length > 0) {
    return mistake(
      `${scopes.join(' and ')} cannot be combined with --issuer: the file of --access says who may do what`,
    );
  }
  const [pages, issuer] = [setting(options['public-url']) ?? '', setting(options.issuer) ?? ''];
  const url = safeUrl(pages);
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || pages.includes('@')) {
    return mistake(
      `--public-url is ${JSON.stringify(pages)}, but must be an address without a path, as https://wiki.example.org (http only on localhost, for a trial)`,
    );
  }
  const at = safeUrl(issuer);
  if (at === null || at.search !== '' || at.hash !== '' || at.username !== '') {
    return mistake(
      `--issuer is ${JSON.stringify(issuer)}, but must be its address with https, as its documentation gives it (http only on localhost, for a trial)`,
    );
  }
  const secret = await readSecret(setting(options['client-secret-file']) ?? '', surroundings);
  if (secret.kind === 'mistake') return secret;
  return {
    kind: 'team',
    settings: {
      origin: url.origin,
      issuer,
      clientId: setting(options['client-id']) ?? '',
      clientSecret: secret.secret,
      access: absolute(setting(options.access) ?? '', surroundings),
    },
  };
}

async function readSecret(
  file: string,
  surroundings: Surroundings,
): Promise<{ kind: 'secret'; secret: string } | { kind: 'mistake'; sentence: string }> {
  const path = absolute(file, surroundings);
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    return /^[\x21-\x7e]{1,1000}$/.test(secret)
      ? { kind: 'secret', secret }
      : mistake(`The file ${path} (--client-secret-file) must have the secret in it, and nothing else`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return mistake(`The file ${path} (--client-secret-file) cannot be read: ${reason}`);
  }
}

/** Null if it could be read on its way. */
function safeUrl(text: string): URL | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const isHere = ['localhost', '127.0.0.1'].includes(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isHere) ? url : null;
}

const TEAM_OPTIONS = ['public-url', 'issuer', 'client-id', 'client-secret-file', 'access'] as const;
const OTHER_OPTIONS = [
  ...(['token-file', 'scope', 'write-scope', 'read-only'] as const),
  ...(['tools', 'except-tools', 'files', 'open'] as const),
];
const SCOPES = ['PAGETREE_SCOPE', 'PAGETREE_WRITE_SCOPE'];

function listed(names: readonly string[]): string {
  return names.map((name) => `--${name}`).join(', ');
}

function mistake(what: string): { kind: 'mistake'; sentence: string } {
  return { kind: 'mistake', sentence: `${what}. Run with --help to see the options.` };
}
