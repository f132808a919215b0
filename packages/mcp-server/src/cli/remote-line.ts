import { parseRemoteFolder } from '@pagetree/wiki/contract';
import type { Options } from './options.ts';

/** `pagetree remote ...`, parsed. */
export type RemoteCommand = {
  kind: 'remote';
  action: RemoteAction;
  options: Options;
};

export type RemoteAction =
  | {
      name: 'add';
      url: string;
      mode: RemoteMode;
      branch: string | null;
      /** Undefined for the whole repository. */
      folder?: string | undefined;
      everyMs: number;
      tokenFile: string | null;
      /** The name of a secret of AWS Secrets Manager. */
      tokenSecret: string | null;
      letAgentsSync: boolean;
    }
  | { name: 'status' | 'sync' | 'remove' };

export type RemoteMode = (typeof MODES)[number];

/** Parses what follows `remote`; a string is the sentence that explains why it cannot be parsed. */
export function parseRemoteLine(words: readonly string[], options: Options): RemoteCommand | string {
  const [name, url, ...others] = words;
  if (name === 'status' || name === 'sync' || name === 'remove') {
    if (url !== undefined) return `Unexpected argument '${url}'`;
    const stray = (
      ['mode', 'branch', 'folder', 'every', 'token-file', 'token-secret', 'let-agents-sync'] as const
    ).find((option) => options[option] !== undefined);
    return stray === undefined
      ? { kind: 'remote', action: { name }, options }
      : `Option '--${stray}' is for 'remote add' alone`;
  }
  if (name !== 'add') return 'remote takes one of add, status, sync, remove';
  if (url === undefined) return 'remote add needs the address of a git repository';
  if (others[0] !== undefined) return `Unexpected argument '${others[0]}'`;
  return addition(url, options);
}

function addition(url: string, options: Options): RemoteCommand | string {
  const mode = MODES.find((each) => each === (options.mode ?? 'two-way'));
  if (mode === undefined) return `'--mode' takes one of ${MODES.join(', ')}`;
  const everyMs = millisecondsOf(options.every ?? '5m');
  if (everyMs === null) return "'--every' takes a time such as 30s, 5m or 2h, from 10 seconds to a day";
  const branch = options.branch ?? null;
  // Git takes a branch of this name for HEAD itself.
  if (branch !== null && (branch === 'HEAD' || !BRANCH.test(branch)))
    return `'${branch}' is no name of a branch`;
  const folder = options.folder === undefined ? undefined : parseRemoteFolder(options.folder);
  if (folder === null)
    return `'${options.folder}' is no folder of a repository: write it from its root, as docs/`;
  const tokenFile = options['token-file'] ?? null;
  const tokenSecret = options['token-secret'] ?? null;
  if (tokenFile !== null && tokenSecret !== null)
    return "Options '--token-file' and '--token-secret' exclude each other";
  const letAgentsSync = options['let-agents-sync'] === true;
  return {
    kind: 'remote',
    action: { name: 'add', url, mode, branch, folder, everyMs, tokenFile, tokenSecret, letAgentsSync },
    options,
  };
}

const MODES = ['two-way', 'pull', 'push'] as const;

function millisecondsOf(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  if (count === undefined) return null;
  const milliseconds = Number(count) * (UNITS[unit] ?? 0);
  return milliseconds >= MIN_EVERY_MS && milliseconds <= MAX_EVERY_MS ? milliseconds : null;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };
const MIN_EVERY_MS = 10_000;
const MAX_EVERY_MS = 24 * 3_600_000;
/** Stricter than git: https://git-scm.com/docs/git-check-ref-format */
const BRANCH = /^(?!.*(?:\.\.|\/\/|@\{|\.lock(?:\/|$)|\/$|\.$|\/\.))(?![/.-])[^\s~^:?*[\\\p{Cc}]{1,200}$/u;
