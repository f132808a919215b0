import { realpath } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { setting } from '@pagetree/backends/config';
import { cloneOf, type Surroundings, startCommand } from '../config.ts';
import type { Options } from '../options.ts';
import type { ServerStart } from './clients.ts';
import { keptProgram } from './kept-program.ts';

/** The settings of the server in a client's entry. */
export interface Served {
  /** `Name <email>`; null leaves it to git's configuration. */
  author: string | null;
  /** Absolute; null if a team's wikis are on AWS. */
  directory: string | null;
  wiki: string | null;
  /** Absolute. */
  files: readonly string[];
}

/**
 * How a client is to start the server: with the variables that it would not pass on, and with everything that this
 * process would use by itself, because a client may start it with another home or another directory.
 */
export async function serverStart(
  served: Served,
  options: Options,
  surroundings: Surroundings,
): Promise<ServerStart> {
  const { env } = surroundings;
  const given: Options = {
    ...(served.directory === null ? {} : { dir: served.directory }),
    ...optional('wiki', served.wiki),
    ...optional('connect', setting(options.connect)),
    ...(served.files.length === 0 ? {} : { files: [...served.files] }),
    ...optional('tools', setting(options.tools, env.PAGETREE_TOOLS)),
    ...optional('except-tools', setting(options['except-tools'], env.PAGETREE_EXCEPT_TOOLS)),
    ...optional('scope', options.scope ?? setting(env.PAGETREE_SCOPE)),
    ...optional('write-scope', options['write-scope'] ?? setting(env.PAGETREE_WRITE_SCOPE)),
  };
  const [node = 'node', script = ''] = process.argv;
  const kept = keptProgram(surroundings)?.script ?? script;
  const [program = '', ...args] = startCommand(given, surroundings, [node, kept]);
  const command = program === process.execPath ? await lastingNode(program, script, surroundings) : program;
  const variables = served.directory === null ? ['PAGETREE_FUNCTION', 'AWS_REGION', 'AWS_PROFILE'] : [];
  const passed = variables.flatMap((name) => {
    const value = setting(env[name]);
    return value === null ? [] : [[name, value]];
  });
  const author = served.author === null ? [] : [['PAGETREE_AUTHOR', served.author]];
  return { command, args, env: Object.fromEntries([...author, ...passed]) };
}

/** The sentence that says which value a client would read as a variable of its own; null if none. */
export function findVariable({ command, args, env }: ServerStart): string | null {
  const values = [command, ...args, ...Object.values(env)];
  const found = values.find((value) => /\$\{|\$\w|\{(env|file):/.test(value));
  if (found === undefined) return null;
  return `${JSON.stringify(found)} would not reach the server as it is: clients put variables in place of such names. Choose another value.`;
}

/**
 * A path of this Node that stays when Node is updated. Package managers install every version in a folder of its own
 * and have a link that leads to the newest.
 */
async function lastingNode(node: string, script: string, { env, platform }: Surroundings): Promise<string> {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const program = platform === 'win32' ? 'node.exe' : 'node';
  const found = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute);
  // Some are made for one shell, or for a project.
  const folders = found.filter((folder) => !/node_modules|_npx|multishells/.test(folder));
  // A clone has one of its own, if the machine's cannot run it.
  const clone = cloneOf(script, env);
  if (clone !== null) folders.push(join(clone, 'start', 'node_modules', 'node', 'bin'));
  for (const folder of folders) {
    const candidate = join(folder, program);
    const leadsTo = await realpath(candidate).catch(() => null);
    if (leadsTo === node) return candidate;
  }
  return node;
}

function optional<Name extends keyof Options>(
  name: Name,
  value: string | null,
): Partial<Record<Name, string>> {
  return value === null ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
}
