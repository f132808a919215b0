import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Configuration } from './configuration/configuration.ts';
import { ConfigurationError, readConfiguration } from './configuration/read-configuration.ts';
import type { Confirmed } from './deployed-stack.ts';
import { type Deployment, prepareDeployment, protectFileSystem } from './deployment.ts';

const USAGE = `Usage: pnpm synth | deploy:aws | diff:aws | destroy:aws | bootstrap:aws [--configuration FILE] [--yes] [--new-wikis] [--restored] [-- options of cdk]

--configuration FILE   instead of packages/infra/pagetree.json
--yes                  destroy without asking
--new-wikis            deploy a new stack, which has a file system without wikis
--restored             deploy with a fileSystem.directory that holds a restored backup
--help                 show this
`;

const COMMANDS = ['synth', 'deploy', 'diff', 'destroy', 'bootstrap'] as const;
type Command = (typeof COMMANDS)[number];

/** Further arguments of cdk. `destroy` has asked already. */
const EXTRA: Readonly<Partial<Record<Command, string[]>>> = { synth: ['--quiet'], destroy: ['--force'] };

const HERE = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code. The configuration is checked before anything else is done. */
async function main(args: readonly string[]): Promise<number> {
  const options = read(args);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if ('mistake' in options) return complain(`${options.mistake}\n\n${USAGE}`);
  const { command, file, yes, confirmed, rest } = options;
  const configuration = configurationIn(file);
  if (typeof configuration === 'string') return complain(`${configuration}\n`);
  if (command === 'destroy' && !yes && !(await agreed(configuration)))
    return complain('Nothing was deleted.\n');
  if (command === 'deploy' && configuration.alarmAddress === undefined)
    process.stderr.write(
      'No alarm will reach anybody, because alarmAddress is not set in the configuration.\n',
    );
  let deployment: Deployment = { context: [] };
  if (command === 'deploy' || command === 'diff') {
    const prepared = await prepareDeployment(configuration, confirmed, rest);
    if (typeof prepared === 'string') {
      if (command === 'deploy') return complain(`${prepared}\nNothing was deployed.\n`);
      complain(`${prepared}\n`);
    } else deployment = prepared;
  }
  if (!built(configuration)) return complain('The bundles could not be built, so nothing else was done.\n');
  const status = run([
    fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk')),
    command,
    '--no-notices',
    ...['--context', `configuration=${file}`],
    ...deployment.context.flatMap((setting) => ['--context', setting]),
    ...(EXTRA[command] ?? []),
    ...rest,
  ]);
  if (status !== 0 || command !== 'deploy') return status;
  const problem = await protectFileSystem(configuration, rest);
  return problem === null ? 0 : complain(problem);
}

/** @returns The configuration, or its faults as a text. */
function configurationIn(file: string): Configuration | string {
  try {
    return readConfiguration(file);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

interface Options {
  command: Command;
  file: string;
  yes: boolean;
  confirmed: Confirmed;
  rest: string[];
}

function read(args: readonly string[]): Options | 'help' | { mistake: string } {
  const end = args.indexOf('--');
  const ours = end < 0 ? args : args.slice(0, end);
  try {
    const { values, positionals } = parseArgs({
      args: [...ours],
      options: {
        configuration: { type: 'string' },
        yes: { type: 'boolean', default: false },
        'new-wikis': { type: 'boolean', default: false },
        restored: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    });
    const [name, extra] = positionals;
    const command = COMMANDS.find((each) => each === name);
    if (!command || extra !== undefined)
      return { mistake: `${JSON.stringify(extra ?? name ?? '')} is not a command.` };
    if (values.help) return 'help';
    return {
      command,
      file: values.configuration
        ? resolve(values.configuration)
        : fileURLToPath(new URL('../pagetree.json', import.meta.url)),
      yes: values.yes,
      confirmed: { newWikis: values['new-wikis'], restored: values.restored },
      rest: end < 0 ? [] : args.slice(end + 1),
    };
  } catch (error) {
    // parseArgs says in a sentence why it cannot parse the arguments.
    return { mistake: error instanceof Error ? error.message : String(error) };
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

/** Builds the bundles of the functions. @returns false if it fails. */
function built({ web }: Configuration): boolean {
  const packages = web === undefined ? ['wiki-lambda'] : ['wiki-lambda', 'web'];
  return packages.every(
    (name) => run([fileURLToPath(new URL(`../../${name}/build.ts`, import.meta.url))]) === 0,
  );
}

/** Runs a program of Node. @returns its exit code. */
function run(args: readonly string[]): number {
  return spawnSync(process.execPath, args, { cwd: HERE, stdio: 'inherit' }).status ?? 1;
}

function complain(text: string): 1 {
  process.stderr.write(text);
  return 1;
}
