import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseScope, type ScopeSetting, wikiName } from '@pagetree/wiki/contract';
import { type EmbeddingsConfig, readEmbeddings } from './embeddings/config.ts';

/**
 * The place of the wikis. `problems` lists faults of the set-up, each a sentence; if there are any, every
 * call answers with them.
 */
export interface WikiPlace {
  /** The directory of wikis, if they are on this machine. */
  directory: string;
  /** The place of the wikis on AWS, if they are there. */
  aws: AwsConfig | null;
  /** The default wiki, used when a call names none; null leaves the choice to the directory. */
  wiki: string | null;
  /** The provider of vectors for searches in a directory of this machine; null for a search by words alone. */
  embeddings: EmbeddingsConfig | null;
  problems: string[];
}

/** A function by name or ARN, with an optional `:alias`; or the stack whose outputs name it. */
export type AwsConfig = { function: string } | { stack: string };

/** The command-line options for the place of the wikis. */
export interface PlaceOptions {
  dir?: string;
  wiki?: string;
  connect?: string;
}

/** The command-line options for the visible folders. */
export interface ScopeOptions {
  scope?: string;
  'write-scope'?: string;
}

/** The sources of a configuration. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  platform: string;
  home: string;
  workingDirectory: string;
}

/** Reads the environment, for all commands. */
export function processSurroundings(): Surroundings {
  return {
    env: process.env,
    platform: process.platform,
    home: homedir(),
    workingDirectory: callersDirectory(process.env, process.cwd()),
  };
}

/**
 * The directory to which relative paths refer. A package manager changes to the directory of the package
 * before it runs a script, and passes the caller's directory in INIT_CWD. That counts only if it ran our own
 * script: a client started by npm passes on the INIT_CWD of its own start.
 */
export function callersDirectory(env: Surroundings['env'], workingDirectory: string): string {
  return (isPackageScript(env) && env.INIT_CWD) || workingDirectory;
}

/** True if a package manager runs a script of this repository that people start. */
export function isPackageScript(env: Surroundings['env']): boolean {
  const { npm_lifecycle_event: script = '', npm_package_name: name } = env;
  return ['mcp', 'serve'].includes(script) && name === 'pagetree-monorepo';
}

/** How people start the two servers where this process was started. */
export interface CommandNames {
  mcp: string;
  serve: string;
}

export function commandNames(env: Surroundings['env']): CommandNames {
  return isPackageScript(env)
    ? { mcp: 'npx -y pnpm@12 mcp', serve: 'npx -y pnpm@12 serve' }
    : { mcp: 'pagetree', serve: 'pagetree serve' };
}

/** Never throws: `problems` reports faults, because a server that does not start cannot report anything. */
export function readPlace(options: PlaceOptions, surroundings: Surroundings): WikiPlace {
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
  return {
    aws: readAws(options, surroundings, problems),
    directory: directory === null ? dataDirectory(surroundings) : absolute(directory, surroundings),
    wiki,
    embeddings: readEmbeddings(embeddingsSettings(surroundings), problems),
    problems,
  };
}

/**
 * Separate from the rest because a mistake in it stops the start: otherwise hidden pages would be shown. So
 * only the blank settings that clients pass count as not given; a blank option is a mistake.
 */
export function readScope(options: ScopeOptions, { env }: Pick<Surroundings, 'env'>): ScopeSetting {
  const given = (text = '') => (text.trim() === '' || /^\$\{[^}]*\}$/.test(text) ? null : text);
  return parseScope(
    options.scope ?? given(env.PAGETREE_SCOPE),
    options['write-scope'] ?? given(env.PAGETREE_WRITE_SCOPE),
  );
}

function embeddingsSettings({ env }: Surroundings) {
  return {
    address: setting(env.PAGETREE_EMBEDDINGS_URL),
    model: setting(env.PAGETREE_EMBEDDINGS_MODEL),
    key: setting(env.PAGETREE_EMBEDDINGS_KEY),
  };
}

/** Either of the two takes precedence over the directory. */
function readAws(options: PlaceOptions, { env }: Surroundings, problems: string[]): AwsConfig | null {
  const connect = setting(options.connect);
  if (options.connect !== undefined && connect === null) {
    // A shell variable that is not set. The wikis of this machine would look like those of the team.
    problems.push(
      `--connect is ${JSON.stringify(options.connect)}, but must name a stack or a function. For the wikis of this machine, leave --connect out.`,
    );
    return null;
  }
  // A stack has no colon in its name, and an ARN of its own.
  if (connect !== null) return isFunction(connect) ? { function: connect } : { stack: connect };
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
 * An ARN of a function, in full or from the account on, or its name with an alias, such as
 * `Pagetree-reader:live`.
 */
function isFunction(text: string): boolean {
  return /^(arn:[\w-]+:lambda:|\d{12}:function:)/.test(text) || /^[\w-]+:[\w$-]+$/.test(text);
}

/**
 * The first value that is set. Clients pass a setting that was left blank as an empty text or, in bundles, as
 * the literal name of the setting.
 */
export function setting(...values: (string | undefined)[]): string | null {
  const said = values.find((value) => value !== undefined && value.trim() !== '' && !value.startsWith('${'));
  return said ?? null;
}

/** Expands `~`, because no shell does it if a client's settings file names the directory. */
export function absolute(directory: string, { home, workingDirectory }: Surroundings): string {
  if (directory === '~') return home;
  if (/^~[/\\]/.test(directory)) return join(home, directory.slice(2));
  return resolve(workingDirectory, directory);
}

/** The directory where programs keep a user's data on this platform. */
export function dataDirectory({ env, platform, home }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Pagetree');
  if (platform === 'win32') return join(setting(env.APPDATA) ?? join(home, 'AppData', 'Roaming'), 'Pagetree');
  return join(setting(env.XDG_DATA_HOME) ?? join(home, '.local', 'share'), 'pagetree');
}
