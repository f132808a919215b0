import { execFile } from 'node:child_process';
import { homedir, hostname, userInfo } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Author, wikiName } from '@pagetree/wiki/contract';
import { type AuthorSources, guessAuthor, parseAuthor } from './author.ts';
import type { Options } from './command-line.ts';
import { parseScope, type ScopeSetting } from './scope.ts';
import { selectTools, type ToolSelection } from './tool-selection.ts';

/** How this process is to serve. `problems` are set-ups that do not work, each a sentence; then only they are served. */
export interface Config {
  /** The directory of wikis, where they are on this machine. */
  directory: string;
  /** Where they are on AWS instead. */
  aws: AwsConfig | null;
  /** The wiki that calls mean which name none; null leaves the choice to the directory. */
  wiki: string | null;
  author: Author;
  problems: string[];
}

/** A function by name or ARN, with `:alias` where one is meant; or the stack whose outputs name it. */
export type AwsConfig = { function: string } | { stack: string };

/** What a configuration is read from. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  home: string;
  workingDirectory: string;
  authorSources: () => Promise<AuthorSources>;
}

/** The one place that reads the environment. */
export function processSurroundings(): Surroundings {
  return {
    env: process.env,
    platform: process.platform,
    home: homedir(),
    workingDirectory: process.cwd(),
    authorSources: async () => ({ git: await readGitIdentity(), user: systemUser(), host: hostname() }),
  };
}

/** The command that starts this server again, from anywhere. */
export function startCommand(): string[] {
  const [node = 'node', script = '', ...options] = process.argv;
  const isPackageScript = process.env.npm_lifecycle_event === 'mcp';
  const start = isPackageScript ? ['npx', '-y', 'pnpm@12', '-C', process.cwd(), 'mcp'] : [node, script];
  return [...start, ...options];
}

/** Apart from the rest because a mistake in it stops the start: a tool that was to be kept back would be offered. */
export function readToolSelection(options: Options, { env }: Pick<Surroundings, 'env'>): ToolSelection {
  return selectTools(
    setting(options.tools, env.PAGETREE_TOOLS),
    setting(options['except-tools'], env.PAGETREE_EXCEPT_TOOLS),
  );
}

/**
 * Apart from the rest for the same reason: pages that were to be kept back would be shown. So only what clients pass
 * for a blank setting counts as not given; an option that is blank is a mistake.
 */
export function readScope(options: Options, { env }: Pick<Surroundings, 'env'>): ScopeSetting {
  const given = (text = '') => (text.trim() === '' || /^\$\{[^}]*\}$/.test(text) ? null : text);
  return parseScope(
    options.scope ?? given(env.PAGETREE_SCOPE),
    options['write-scope'] ?? given(env.PAGETREE_WRITE_SCOPE),
  );
}

/** The directories whose files tools may read and write; none unless they are named. */
export function readFileDirectories(options: Options, surroundings: Surroundings): string[] {
  const given = options.files ?? (surroundings.env.PAGETREE_FILES ?? '').split(delimiter);
  return given.flatMap((directory) => {
    const named = setting(directory);
    return named === null ? [] : [absolute(named, surroundings)];
  });
}

/** Never throws: what is wrong is told by `problems`, because a server that does not start can tell nobody. */
export async function readConfig(options: Options, surroundings: Surroundings): Promise<Config> {
  const problems: string[] = [];
  const wiki = setting(options.wiki, surroundings.env.PAGETREE_WIKI);
  if (wiki !== null && !wikiName.safeParse(wiki).success) {
    problems.push(
      `The wiki is set to ${JSON.stringify(wiki)} (--wiki or PAGETREE_WIKI), but a wiki's name is 1 to 64 of a-z, 0-9 and "-".`,
    );
  }
  const directory = setting(options.dir, surroundings.env.PAGETREE_DIR);
  if (directory?.includes('\0'))
    problems.push('The directory (--dir or PAGETREE_DIR) has a NUL character in it.');
  const givenAuthor = setting(surroundings.env.PAGETREE_AUTHOR);
  const parsedAuthor = givenAuthor === null ? null : parseAuthor(givenAuthor);
  if (givenAuthor !== null && parsedAuthor === null) {
    problems.push(
      `PAGETREE_AUTHOR is ${JSON.stringify(givenAuthor)}, but must read like "Ada Lovelace <ada@example.org>".`,
    );
  }
  return {
    aws: readAws(options, surroundings, problems),
    directory: directory === null ? dataDirectory(surroundings) : absolute(directory, surroundings),
    wiki,
    author: parsedAuthor ?? guessAuthor(await surroundings.authorSources()),
    problems,
  };
}

/** Either of the two beats the directory. */
function readAws(options: Options, { env }: Surroundings, problems: string[]): AwsConfig | null {
  const stack = setting(options.connect);
  if (stack !== null) return { stack };
  const name = setting(env.PAGETREE_FUNCTION);
  if (name === null) return null;
  if (!/^[\w:$-]{1,170}$/.test(name)) {
    problems.push(
      `PAGETREE_FUNCTION is ${JSON.stringify(name)}, but must be a function's name or ARN, with ":alias" where one is meant.`,
    );
  }
  return { function: name };
}

/**
 * The first value that says something. Clients pass a setting that was left blank as an empty text or, in bundles,
 * as the literal name of the setting.
 */
function setting(...values: (string | undefined)[]): string | null {
  const said = values.find((value) => value !== undefined && value.trim() !== '' && !value.startsWith('${'));
  return said ?? null;
}

/** `~` is expanded because no shell does it where a client's settings file names the directory. */
function absolute(directory: string, { home, workingDirectory }: Surroundings): string {
  if (directory === '~') return home;
  if (/^~[/\\]/.test(directory)) return join(home, directory.slice(2));
  return resolve(workingDirectory, directory);
}

/** Where programs keep a user's data on this platform. */
function dataDirectory({ env, platform, home }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Pagetree');
  if (platform === 'win32') return join(setting(env.APPDATA) ?? join(home, 'AppData', 'Roaming'), 'Pagetree');
  return join(setting(env.XDG_DATA_HOME) ?? join(home, '.local', 'share'), 'pagetree');
}

async function readGitIdentity(): Promise<AuthorSources['git']> {
  const query = ['config', '--null', '--get-regexp', '^user\\.(name|email)$'];
  try {
    const { stdout } = await promisify(execFile)('git', query, { timeout: 3_000, windowsHide: true });
    const entries = stdout.split('\0');
    return { name: lastValue(entries, 'user.name'), email: lastValue(entries, 'user.email') };
  } catch {
    // No git, nothing configured, or a broken configuration: git is one source of three, and the next one is asked.
    return { name: null, email: null };
  }
}

/** Where a setting stands in several of git's files, the last one counts. */
function lastValue(entries: string[], name: string): string | null {
  return entries.findLast((entry) => entry.startsWith(`${name}\n`))?.slice(name.length + 1) ?? null;
}

function systemUser(): string | null {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the system's list, as in containers.
    return null;
  }
}
