import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import type { Configuration } from './configuration/configuration.ts';
import { ConfigurationError, readConfiguration } from './configuration/read-configuration.ts';
import { costOf } from './cost/cost-report.ts';
import {
  type Context,
  deleteKeysOfWeb,
  examineDeployed,
  keysOfWeb,
  protectFileSystem,
  putRulesInForce,
} from './deployment.ts';
import { type Command, changesNothing, type Options, readOptions, USAGE } from './options.ts';

/** Further arguments of cdk. `destroy` has asked already. */
const EXTRA: Readonly<Partial<Record<Command, string[]>>> = { synth: ['--quiet'], destroy: ['--force'] };

const HERE = fileURLToPath(new URL('..', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

/** @returns the exit code. The configuration is checked before anything else is done. */
async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  if ('mistake' in options) return complain(`${options.mistake}\n\n${USAGE}`);
  const configuration = configurationIn(options.file);
  if (typeof configuration === 'string') return complain(`${configuration}\n`);
  switch (options.command) {
    case 'deploy':
      return deploy(options, configuration);
    case 'diff':
      return diff(options, configuration);
    case 'destroy':
      return destroy(options, configuration);
    case 'synth':
      return synth(options, configuration);
    case 'access':
      return access(options, configuration);
    default:
      return built(configuration) ? cdk(options) : notBuilt();
  }
}

/** Says what it would cost. */
function synth(options: Options, configuration: Configuration): number {
  if (!built(configuration)) return notBuilt();
  const status = cdk(options);
  if (status === 0) process.stdout.write(costOf(configuration));
  return status;
}

async function deploy(options: Options, configuration: Configuration): Promise<number> {
  if (configuration.alarmAddress === undefined)
    process.stderr.write(
      'No alarm will reach anybody, because alarmAddress is not set in the configuration.\n',
    );
  const refused = (sentence: string) => complain(`${sentence}\nNothing was deployed.\n`);
  const clientSecret = options.secretFile === null ? null : secretIn(options.secretFile);
  if (typeof clientSecret === 'object' && clientSecret !== null) return refused(clientSecret.mistake);
  const deployment = { configuration, confirmed: options.confirmed, cdkOptions: options.rest };
  const stack = await examineDeployed(deployment);
  if (typeof stack === 'string') return refused(stack);
  const keys = await keysOfWeb(deployment, { clientSecret });
  if (typeof keys === 'string') return refused(keys);
  if (!built(configuration)) return notBuilt();
  const context = { ...stack, ...keys };
  const status = cdk(options, context);
  if (status !== 0) return status;
  if (changesNothing(options)) return 0;
  // At once, also if what follows fails: until there are rules, nobody sees anything.
  const notInForce = await putRulesInForce(deployment);
  const { web } = configuration;
  if (web?.cognito && web.domain === undefined) {
    const after = await examineDeployed(deployment);
    if (typeof after === 'string') return complainOf([notInForce, `${after}\n`]);
    if (after.webAddress !== stack.webAddress) {
      process.stderr.write('Deploying once more, as the user pool has to know the address of the pages.\n');
      const again = cdk(options, { ...context, ...after });
      if (again !== 0) return complainOf([notInForce]) || again;
    }
  }
  return complainOf([notInForce, await protectFileSystem(deployment)]);
}

/** Puts the rules into force, and changes nothing else. */
async function access({ confirmed, rest }: Options, configuration: Configuration): Promise<number> {
  if (configuration.web === undefined)
    return complain('The configuration has no `web`, so there are no rules to put into force.\n');
  const problem = await putRulesInForce({ configuration, confirmed, cdkOptions: rest });
  if (problem === null) process.stdout.write('The rules of web.access are in force within five seconds.\n');
  return complainOf([problem]);
}

/** Shows a difference even if what is deployed cannot be read. */
async function diff(options: Options, configuration: Configuration): Promise<number> {
  const deployment = { configuration, confirmed: options.confirmed, cdkOptions: options.rest };
  let context: Context = {};
  for (const read of [await examineDeployed(deployment), await keysOfWeb(deployment, 'none')]) {
    if (typeof read === 'string') complain(`${read}\n`);
    else context = { ...context, ...read };
  }
  return built(configuration) ? cdk(options, context) : notBuilt();
}

async function destroy(options: Options, configuration: Configuration): Promise<number> {
  if (!options.yes && !(await agreed(configuration))) return complain('Nothing was deleted.\n');
  if (!built(configuration)) return notBuilt();
  const status = cdk(options);
  if (status !== 0) return status;
  const { confirmed, rest } = options;
  const problem = await deleteKeysOfWeb({ configuration, confirmed, cdkOptions: rest });
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

/** The secret in a file, without the end of its line. */
function secretIn(file: string): string | { mistake: string } {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    return secret === '' ? { mistake: `${file} is empty. It must hold the secret of the client.` } : secret;
  } catch (error) {
    return { mistake: `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}` };
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

function consequences({ stackName, region, fileSystem, web }: Configuration): string {
  const deleted = `This deletes the stack ${stackName} in ${region}: functions, network, policies, logs, alarms and dashboard.`;
  const accounts =
    web?.cognito === undefined
      ? ''
      : ` ${fileSystem.removal === 'retain' ? 'It keeps' : 'IT DELETES'} the user pool with the accounts.`;
  return fileSystem.removal === 'retain'
    ? `${deleted}\nIt keeps the file system with all wikis, which goes on costing what is stored, and its backups. docs/deploy.md says how to reach them again, and how to delete them.${accounts}`
    : `${deleted}\nIT DELETES ALL WIKIS, as fileSystem.removal is "delete". It keeps the backups of the file system until they are 35 days old.${accounts}`;
}

/** Builds the bundles of the functions. @returns false if it fails. */
function built({ web, sync }: Configuration): boolean {
  const packages = ['wiki-lambda', ...(web === undefined ? [] : ['web']), ...(sync ? ['sync-lambda'] : [])];
  return packages.every(
    (name) => run([fileURLToPath(new URL(`../../${name}/build.ts`, import.meta.url))]) === 0,
  );
}

/** @returns the exit code of cdk. */
function cdk({ command, file, rest }: Options, context: Context = {}): number {
  return run([
    fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk')),
    command,
    '--no-notices',
    ...Object.entries({ configuration: file, ...context }).flatMap(([name, value]) => [
      '--context',
      `${name}=${value}`,
    ]),
    ...(EXTRA[command] ?? []),
    ...rest,
  ]);
}

/** Runs a program of Node. @returns its exit code. */
function run(args: readonly string[]): number {
  return spawnSync(process.execPath, args, { cwd: HERE, stdio: 'inherit' }).status ?? 1;
}

function notBuilt(): 1 {
  return complain('The bundles could not be built, so nothing else was done.\n');
}

/** @returns the exit code. */
function complainOf(problems: readonly (string | null)[]): 0 | 1 {
  const texts = problems.filter((problem) => problem !== null);
  return texts.length === 0 ? 0 : complain(texts.join('\n'));
}

function complain(text: string): 1 {
  process.stderr.write(text);
  return 1;
}
