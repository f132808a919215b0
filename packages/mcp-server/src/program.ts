import { randomBytes } from 'node:crypto';
import type { Backend } from '@pagetree/backends/backend';
import { type BackgroundSync, syncInBackground } from '@pagetree/backends/background-sync';
import { absolute, readScope } from '@pagetree/backends/config';
import { endProcess } from '@pagetree/backends/end-process';
import { openBackend } from '@pagetree/backends/open-backend';
import packageJson from '../package.json' with { type: 'json' };
import { parseCommandLine, type SetupCommand, usage } from './cli/command-line.ts';
import {
  processSurroundings,
  readConfig,
  readFileDirectories,
  readPerson,
  readToolSelection,
  startCommand,
} from './cli/config.ts';
import { examine } from './cli/doctor.ts';
import type { Options } from './cli/options.ts';
import type { RemoteCommand } from './cli/remote-line.ts';
import { stopSignal, untilStopped } from './cli/stop-signal.ts';
import type { TransferCommand } from './cli/transfer.ts';
import { welcome } from './cli/welcome.ts';
import { servedWiki } from './local-files/served-wiki.ts';
import { describeError, lineLog } from './log.ts';
import { serveOver } from './mcp/stdio/serve-stdio.ts';
import { StdioTransport } from './mcp/stdio/stdio-transport.ts';

/** The time that running calls have to end after the client has gone or the process got a signal to stop. */
const drainMs = 9_000;

/** Between two looks of a mirror at a wiki of this machine. */
const LOOK_EVERY_MS = 250;

/** A function in Lambda that begins cold takes some seconds. */
const ADDRESS_TIMEOUT_MS = 10_000;

const versions = { pagetree: packageJson.version, node: process.version };

const log = lineLog(process.stderr);
// The process that started this one no longer reads the log.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  log(`stopped by a defect: ${describeError(error)}`);
  endProcess(1);
});

const commandLine = parseCommandLine(process.argv.slice(2));
switch (commandLine.kind) {
  case 'mistake':
    refuseToStart(commandLine.sentence);
    break;
  case 'help':
    process.stdout.write(usage);
    break;
  case 'version':
    process.stdout.write(`${packageJson.version}\n`);
    break;
  case 'doctor':
    await reportHealth(commandLine.options);
    break;
  case 'doctor of an address':
    await reportAddress(commandLine.address);
    break;
  case 'import':
  case 'export':
    if (commandLine.options.format === 'site') await exportPages(commandLine);
    else await carryPages(commandLine);
    break;
  case 'mirror':
    await keepInStep(commandLine.place, commandLine.options);
    break;
  case 'remote':
    await useRemote(commandLine);
    break;
  case 'token':
    await printToken(commandLine.file);
    break;
  case 'setup':
    await setUpClients(commandLine);
    break;
  case 'serve':
    await serveStdio(commandLine.options);
}

function refuseToStart(sentence: string): void {
  log(sentence);
  process.exitCode = 2;
}

async function reportHealth(options: Options): Promise<void> {
  const surroundings = processSurroundings();
  const selection = readToolSelection(options, surroundings);
  const scope = readScope(options, surroundings);
  const config = await readConfig(options, surroundings);
  const backend = openBackend(config, versions, { makes: 'nothing' });
  const files = readFileDirectories(options, surroundings);
  const { report, healthy } = await examine({ config, selection, scope, files, backend, versions });
  process.stdout.write(report);
  process.exitCode = healthy ? 0 : 1;
}

async function reportAddress(address: URL): Promise<void> {
  const { examineAddress } = await import('./cli/address/examine-address.ts');
  const { report, healthy } = await examineAddress(address, { timeoutMs: ADDRESS_TIMEOUT_MS, now: Date.now });
  process.stdout.write(report);
  process.exitCode = healthy ? 0 : 1;
}

async function exportPages({ place, options }: TransferCommand): Promise<void> {
  const { runWeb } = await import('./cli/web-program.ts');
  const { dir, wiki, connect, scope } = options;
  const given = Object.entries({ dir, wiki, connect, scope }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  await runWeb(['export', ...given, '--', place]);
}

async function carryPages(command: TransferCommand): Promise<void> {
  const surroundings = processSurroundings();
  const setting = readScope(command.options, surroundings);
  if (setting.kind === 'mistake') return refuseToStart(setting.sentence);
  // Loaded late: a server needs neither.
  const [{ transfer }, { openProgressDisplay }] = await Promise.all([
    import('./cli/transfer.ts'),
    import('./cli/progress-display.ts'),
  ]);
  const config = await readConfig(command.options, surroundings);
  const backend = openBackend(config, versions, {
    makes: command.kind === 'import' ? 'named wikis' : 'record',
  });
  const stop = new AbortController();
  void stopSignal().then(() => {
    stop.abort();
    // The end of the work does not wait for it.
    setTimeout(() => {
      log(`stopped with the ${command.kind} unfinished after ${drainMs / 1_000} s`);
      endProcess(1);
    }, drainMs).unref();
  });
  const transferred = await transfer(command, {
    wiki: backend.wiki,
    isRemote: backend.isRemote,
    name: config.wiki,
    author: config.author,
    scope: setting.scope,
    workingDirectory: surroundings.workingDirectory,
    display: openProgressDisplay(process.stderr, process.stderr.isTTY),
    signal: stop.signal,
    now: Date.now,
    randomBytes,
  });
  if (transferred.done) process.stdout.write(`${transferred.report}\n`);
  else log(transferred.problem);
  await closeBackend(backend);
  process.exitCode = transferred.done ? 0 : 1;
}

async function keepInStep(place: string, options: Options): Promise<void> {
  const person = await readPerson(options);
  if (typeof person === 'string') return refuseToStart(person);
  const { surroundings, config, scope } = person;
  const { mirrorFolder } = await import('./cli/mirror.ts');
  const backend = openBackend(config, versions, { makes: 'default wiki' });
  const problem = await mirrorFolder({
    folder: absolute(place, surroundings),
    wiki: backend.wiki,
    wikis: backend.isRemote ? null : config.directory,
    name: config.wiki,
    author: config.author,
    scope,
    lookEveryMs: backend.isRemote ? backend.watchEveryMs : LOOK_EVERY_MS,
    signal: untilStopped(),
    platform: surroundings.platform,
    now: Date.now,
    randomBytes,
    say: log,
  });
  if (problem !== null) log(problem);
  await closeBackend(backend);
  endProcess(problem === null ? 0 : 1);
}

async function useRemote({ action, options }: RemoteCommand): Promise<void> {
  const person = await readPerson(options);
  if (typeof person === 'string') return refuseToStart(person);
  const { surroundings, config, scope } = person;
  const { runRemote } = await import('./cli/remote.ts');
  const backend = openBackend(config, versions, { makes: action.name === 'add' ? 'default wiki' : 'record' });
  const { done, said } = await runRemote(action, {
    wiki: backend.wiki,
    isOnAws: backend.isRemote,
    name: config.wiki,
    author: config.author,
    scope,
    workingDirectory: surroundings.workingDirectory,
    env: surroundings.env,
    agentName: `pagetree/${packageJson.version}`,
    signal: untilStopped(),
    now: Date.now,
    random: Math.random,
  });
  if (done) process.stdout.write(`${said}\n`);
  else log(said);
  await closeBackend(backend);
  endProcess(done ? 0 : 1);
}

async function printToken(file: string | null): Promise<void> {
  const { makeToken } = await import('./cli/token.ts');
  const { done, said } = await makeToken(file === null ? null : absolute(file, processSurroundings()));
  if (done) process.stdout.write(`${said}\n`);
  else log(said);
  process.exitCode = done ? 0 : 1;
}

async function setUpClients(command: SetupCommand): Promise<void> {
  const surroundings = processSurroundings();
  // Loaded late: who serves needs none of them.
  const [{ setUp }, { keptProgram }, { readStart }, { thisMachine }, { openTerminal }] = await Promise.all([
    import('./cli/setup/setup.ts'),
    import('./cli/setup/kept-program.ts'),
    import('./cli/setup/read-start.ts'),
    import('./cli/setup/machine.ts'),
    import('./cli/setup/terminal.ts'),
  ]);
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  const terminal = canAsk ? openTerminal(process.stdin, process.stderr) : null;
  const done = await setUp(command, {
    machine: thisMachine(surroundings),
    terminal,
    readStart: (asked) => readStart(command.options, surroundings, asked),
    kept: keptProgram(surroundings),
    say: (text) => process.stdout.write(text),
    complain: log,
  });
  terminal?.close();
  process.exitCode = done ? 0 : 1;
}

async function serveStdio(options: Options): Promise<void> {
  const surroundings = processSurroundings();
  const selection = readToolSelection(options, surroundings);
  if (selection.kind === 'mistake') return refuseToStart(selection.sentence);
  const setting = readScope(options, surroundings);
  if (setting.kind === 'mistake') return refuseToStart(setting.sentence);
  const config = await readConfig(options, surroundings);
  const backend = openBackend(config, versions, { makes: 'default wiki' });
  const transport = new StdioTransport(process.stdin, process.stdout);
  const { author } = config;
  const directories = readFileDirectories(options, surroundings);
  const served = {
    ...servedWiki(backend, directories, selection.savesFiles),
    tools: selection.names,
    scope: setting.scope,
    version: packageJson.version,
    watchEveryMs: backend.watchEveryMs,
  };
  const host = { ...served, author, log, now: Date.now, randomBytes };
  const connection = serveOver(host, transport, () => transport.room());
  const { env } = surroundings;
  const sync = syncInBackground(backend, { author, env, version: packageJson.version, log });
  if (process.stdin.isTTY)
    process.stderr.write(await welcome(backend, config, startCommand(options, surroundings)));

  await Promise.race([transport.ended, stopSignal()]);
  transport.stopReading();
  const drained = await Promise.race([
    drain(transport, connection, backend, sync).then(() => true),
    after(drainMs),
  ]);
  if (!drained) log(`stopped with calls unanswered after ${drainMs / 1_000} s`);
  endProcess(drained ? 0 : 1);
}

async function drain(
  transport: StdioTransport,
  connection: { close(): Promise<void> },
  backend: Backend,
  sync: BackgroundSync,
): Promise<void> {
  await transport.answered();
  await sync.end();
  // Ends what the client listens to, which would abort calls that still run.
  await connection.close();
  await closeBackend(backend);
}

async function closeBackend(backend: Backend): Promise<void> {
  try {
    await backend.close();
  } catch (error) {
    // Every call has been answered: the next start finishes any remaining work.
    log(`closing: ${describeError(error)}`);
  }
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds));
}
