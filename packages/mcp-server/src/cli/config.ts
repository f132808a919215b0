import { delimiter, join } from 'node:path';
import { type AuthorSources, type ChosenAuthor, chooseAuthor } from '@pagetree/backends/author';
import { readAuthorSources } from '@pagetree/backends/author-sources';
import {
  absolute,
  isPackageScript,
  type Surroundings as PlaceSurroundings,
  processSurroundings as placeSurroundings,
  readPlace,
  readScope,
  setting,
  type WikiPlace,
} from '@pagetree/backends/config';
import packageJson from '../../package.json' with { type: 'json' };
import { selectTools, type ToolSelection } from '../mcp/tool-selection.ts';
import type { Options } from './options.ts';

/** The configuration of this process. */
export interface Config extends WikiPlace, Pick<ChosenAuthor, 'author' | 'missingIdentity'> {}

/** The sources of a configuration. */
export interface Surroundings extends PlaceSurroundings {
  authorSources: () => Promise<AuthorSources>;
}

export function processSurroundings(): Surroundings {
  return {
    ...placeSurroundings(),
    authorSources: readAuthorSources,
  };
}

/** The command that starts this server again, from anywhere: paths in it are absolute. */
export function startCommand(
  options: Options,
  surroundings: Surroundings,
  [node = 'node', script = ''] = process.argv,
): string[] {
  const given = Object.entries(options).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => {
      const isPath = name === 'dir' || name === 'files';
      return [`--${name}`, isPath ? absolute(String(each), surroundings) : String(each)];
    }),
  );
  return [...startOf(node, script, surroundings), ...given];
}

/** Without npx where that is possible: it takes longer to start than the server does, and asks the registry. */
function startOf(node: string, script: string, { env, platform }: Surroundings): string[] {
  const clone = cloneOf(script, env);
  // It installs by itself what it needs, as after an update.
  if (clone !== null) return [node, join(clone, 'start', 'mcp.mjs')];
  if (!isInCache(script)) return [node, script];
  // Programs of npm are scripts, which only the command interpreter of Windows starts.
  return [...(platform === 'win32' ? ['cmd', '/c'] : []), 'npx', '-y', packageJson.name];
}

/** The clone of this repository that runs, by its package script or by one of its files; null if none does. */
export function cloneOf(script: string, env: Surroundings['env']): string | null {
  if (isPackageScript(env)) return process.cwd();
  return (
    /^(.+)[\\/](?:start[\\/]mcp\.mjs|packages[\\/]mcp-server[\\/]src[\\/]main\.ts)$/.exec(script)?.[1] ?? null
  );
}

/** True for a script that may be gone by the next start, as it lies in the cache of npx or of the like of pnpm, Yarn or Bun. */
export function isInCache(script: string): boolean {
  return /[\\/](_npx|dlx|dlx-\d+|bunx-[^\\/]+)[\\/]/.test(script);
}

/**
 * Separate from the rest because a mistake in it stops the start: otherwise a withheld tool would be offered.
 */
export function readToolSelection(
  options: Pick<Options, 'tools' | 'except-tools'>,
  { env }: Pick<Surroundings, 'env'>,
): ToolSelection {
  return selectTools(
    setting(options.tools, env.PAGETREE_TOOLS),
    setting(options['except-tools'], env.PAGETREE_EXCEPT_TOOLS),
  );
}

/** The directories whose files tools may read and write; none unless they are named. */
export function readFileDirectories(
  options: Pick<Options, 'files'>,
  surroundings: PlaceSurroundings,
): string[] {
  const given = options.files ?? (surroundings.env.PAGETREE_FILES ?? '').split(delimiter);
  return given.flatMap((directory) => {
    const named = setting(directory);
    return named === null ? [] : [absolute(named, surroundings)];
  });
}

/** Never throws: `problems` reports faults, because a server that does not start cannot report anything. */
export async function readConfig(options: Options, surroundings: Surroundings): Promise<Config> {
  const place = readPlace(options, surroundings);
  const given = setting(surroundings.env.PAGETREE_AUTHOR);
  const { author, problem, missingIdentity } = chooseAuthor(given, await surroundings.authorSources());
  if (problem !== null) place.problems.push(problem);
  return { ...place, author, missingIdentity };
}

/** The settings of a command with which a person works in a wiki, or the sentence that says what is wrong with them. */
export async function readPerson(options: Options) {
  const surroundings = processSurroundings();
  const setting = readScope(options, surroundings);
  if (setting.kind === 'mistake') return setting.sentence;
  const config = await readConfig(options, surroundings);
  if (config.problems.length > 0) return config.problems.join(' ');
  return { surroundings, config, scope: setting.scope };
}
