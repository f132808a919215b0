import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Configuration } from './configuration.ts';
import { ConfigurationError, readConfiguration } from './read-configuration.ts';

const USAGE = `Usage: pnpm synth | deploy:aws | diff:aws | destroy:aws | bootstrap:aws [--configuration FILE] [--yes] [-- options of cdk]

--configuration FILE   instead of packages/infra/pagetree.json
--yes                  destroy without asking
`;

const COMMANDS = ['synth', 'deploy', 'diff', 'destroy', 'bootstrap'] as const;
type Command = (typeof COMMANDS)[number];

/** What cdk is told besides. `destroy` has asked already. */
const EXTRA: Readonly<Partial<Record<Command, string[]>>> = { synth: ['--quiet'], destroy: ['--force'] };

const HERE = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code. The configuration is checked before anything else is done. */
async function main(args: readonly string[]): Promise<number> {
  const options = read(args);
  if (typeof options === 'string') return complain(`${options}\n\n${USAGE}`);
  const { command, file, yes, rest } = options;
  let configuration: Configuration;
  try {
    configuration = readConfiguration(file);
  } catch (error) {
    if (error instanceof ConfigurationError) return complain(`${error.message}\n`);
    throw error;
  }
  if (command === 'destroy' && !yes && !(await agreed(configuration)))
    return complain('Nothing was deleted.\n');
  const built = run([fileURLToPath(new URL('../../wiki-lambda/build.ts', import.meta.url))]);
  if (built !== 0) return complain("The function's bundle could not be built, so nothing else was done.\n");
  return run([
    fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk')),
    command,
    '--no-notices',
    '--context',
    `configuration=${file}`,
    ...(EXTRA[command] ?? []),
    ...rest,
  ]);
}

interface Options {
  command: Command;
  file: string;
  yes: boolean;
  rest: string[];
}

/** @returns what is wrong, where it is a string. */
function read(args: readonly string[]): Options | string {
  const end = args.indexOf('--');
  const ours = end < 0 ? args : args.slice(0, end);
  try {
    const { values, positionals } = parseArgs({
      args: [...ours],
      options: { configuration: { type: 'string' }, yes: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [name, extra] = positionals;
    const command = COMMANDS.find((each) => each === name);
    if (!command || extra !== undefined) return `${JSON.stringify(extra ?? name ?? '')} is not a command.`;
    return {
      command,
      file: values.configuration
        ? resolve(values.configuration)
        : fileURLToPath(new URL('../pagetree.json', import.meta.url)),
      yes: values.yes,
      rest: end < 0 ? [] : args.slice(end + 1),
    };
  } catch (error) {
    // parseArgs says in a sentence what it does not understand.
    return error instanceof Error ? error.message : String(error);
  }
}

async function agreed(configuration: Configuration): Promise<boolean> {
  process.stderr.write(`${consequences(configuration)}\n`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const closed = once(terminal, 'close').then(() => '');
    const answer = await Promise.race([terminal.question("Type the stack's name to go on: "), closed]);
    return answer.trim() === configuration.stackName;
  } finally {
    terminal.close();
  }
}

function consequences({ stackName, region, fileSystem }: Configuration): string {
  const deleted = `This deletes the stack ${stackName} in ${region}: functions, network, policies, logs, alarms and dashboard.`;
  return fileSystem.removal === 'retain'
    ? `${deleted}\nIt keeps the file system with all wikis, which goes on costing what is stored, and its backups. docs/deploy.md says how to reach them again, and how to delete them.`
    : `${deleted}\nIT DELETES ALL WIKIS, as fileSystem.removal is "delete". It keeps the backups of the file system until they are 35 days old.`;
}

/** Runs a program of Node. @returns its exit code. */
function run(args: readonly string[]): number {
  return spawnSync(process.execPath, args, { cwd: HERE, stdio: 'inherit' }).status ?? 1;
}

function complain(text: string): 1 {
  process.stderr.write(text);
  return 1;
}
