import { execFile } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';
import {
  absolute,
  isPackageScript,
  type Surroundings as PlaceSurroundings,
  processSurroundings as placeSurroundings,
  readPlace,
  setting,
  type WikiPlace,
} from '@pagetree/backends/config';
import type { Author } from '@pagetree/wiki/contract';
import packageJson from '../../package.json' with { type: 'json' };
import { selectTools, type ToolSelection } from '../mcp/tool-selection.ts';
import { type AuthorSources, describeMissingIdentity, guessAuthor, parseAuthor } from './author.ts';
import type { Options } from './command-line.ts';

/** The configuration of this process. */
export interface Config extends WikiPlace {
  author: Author;
  /**
   * The author settings that git's configuration lacks, with the setting to use; null if an author was given.
   */
  missingIdentity: string | null;
}

/** The sources of a configuration. */
export interface Surroundings extends PlaceSurroundings {
  authorSources: () => Promise<AuthorSources>;
}

export function processSurroundings(): Surroundings {
  return {
    ...placeSurroundings(),
    authorSources: async () => ({ git: await readGitIdentity(), user: systemUser(), host: hostname() }),
  };
}

/** The command that starts this server again, from anywhere: paths in it are absolute. */
export function startCommand(options: Options, surroundings: Surroundings): string[] {
  const [node = 'node', script = ''] = process.argv;
  const byNpx = npxArguments(script, surroundings);
  // Programs of npm are scripts, which only the command interpreter of Windows starts.
  const npx = surroundings.platform === 'win32' ? ['cmd', '/c', 'npx'] : ['npx'];
  const start = byNpx === null ? [node, script] : [...npx, '-y', ...byNpx];
  const given = Object.entries(options).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => {
      const isPath = name === 'dir' || name === 'files';
      return [`--${name}`, isPath ? absolute(String(each), surroundings) : String(each)];
    }),
  );
  return [...start, ...given];
}

/** For a script that npx has to find again, as its own path may be gone by the next start. */
function npxArguments(script: string, { env }: Surroundings): string[] | null {
  if (isPackageScript(env)) return ['pnpm@12', '-C', process.cwd(), 'mcp'];
  return /[\\/]_npx[\\/]/.test(script) ? [packageJson.name] : null;
}

/**
 * Separate from the rest because a mistake in it stops the start: otherwise a withheld tool would be offered.
 */
export function readToolSelection(options: Options, { env }: Pick<Surroundings, 'env'>): ToolSelection {
  return selectTools(
    setting(options.tools, env.PAGETREE_TOOLS),
    setting(options['except-tools'], env.PAGETREE_EXCEPT_TOOLS),
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

/** Never throws: `problems` reports faults, because a server that does not start cannot report anything. */
export async function readConfig(options: Options, surroundings: Surroundings): Promise<Config> {
  const place = readPlace(options, surroundings);
  const givenAuthor = setting(surroundings.env.PAGETREE_AUTHOR);
  const parsedAuthor = givenAuthor === null ? null : parseAuthor(givenAuthor);
  if (givenAuthor !== null && parsedAuthor === null) {
    place.problems.push(
      `PAGETREE_AUTHOR is ${JSON.stringify(givenAuthor)}, but must read like "Ada Lovelace <ada@example.org>".`,
    );
  }
  const sources = await surroundings.authorSources();
  return {
    ...place,
    author: parsedAuthor ?? guessAuthor(sources),
    missingIdentity: givenAuthor === null ? describeMissingIdentity(sources) : null,
  };
}

async function readGitIdentity(): Promise<AuthorSources['git']> {
  const query = ['config', '--null', '--get-regexp', '^user\\.(name|email)$'];
  try {
    const { stdout } = await promisify(execFile)('git', query, { timeout: 3_000, windowsHide: true });
    const entries = stdout.split('\0');
    return { name: lastValue(entries, 'user.name'), email: lastValue(entries, 'user.email') };
  } catch {
    // No git, nothing configured, or a broken configuration: git is one source of three, and the next one is
    // used.
    return { name: null, email: null };
  }
}

/** If a setting occurs in several of git's files, the last one counts. */
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
