// First, before the other modules fill the heap.
import './small-heap.ts';

import { randomBytes } from 'node:crypto';
import packageJson from '../package.json' with { type: 'json' };
import type { Backend } from './backend.ts';
import { type Options, parseCommandLine, usage } from './command-line.ts';
import {
  processSurroundings,
  readConfig,
  readFileDirectories,
  readScope,
  readToolSelection,
  startCommand,
} from './config.ts';
import { examine } from './doctor.ts';
import { openLocalFiles } from './local-files.ts';
import { describeError, lineLog } from './log.ts';
import { openBackend } from './open-backend.ts';
import { serve } from './server.ts';
import { StdioTransport } from './stdio-transport.ts';
import type { TransferCommand } from './transfer.ts';
import { welcome } from './welcome.ts';
import { withLocalFiles } from './with-local-files.ts';

/** How long calls that are under way may take to end once the client has gone or the process is told to stop. */
const drainMs = 10_000;

const versions = { pagetree: packageJson.version, node: process.version };

const log = lineLog(process.stderr);
// Whoever started us no longer reads the log: there is nobody left to tell.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => {
  log(`stopped by a defect: ${describeError(error)}`);
  process.exit(1);
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
    await tellHealth(commandLine.options);
    break;
  case 'import':
  case 'export':
    await carryPages(commandLine);
    break;
  case 'serve':
    await serveStdio(commandLine.options);
}

function refuseToStart(sentence: string): void {
  log(sentence);
  process.exitCode = 2;
}

async function tellHealth(options: Options): Promise<void> {
  const surroundings = processSurroundings();
  const selection = readToolSelection(options, surroundings);
  const scope = readScope(options, surroundings);
  const config = await readConfig(options, surroundings);
  const backend = openBackend(config, versions, { makesDefaultWiki: true });
  const files = readFileDirectories(options, surroundings);
  const { report, healthy } = await examine({ config, selection, scope, files, backend, versions });
  process.stdout.write(report);
  process.exitCode = healthy ? 0 : 1;
}

async function carryPages(command: TransferCommand): Promise<void> {
  const surroundings = processSurroundings();
  const setting = readScope(command.options, surroundings);
  if (setting.kind === 'mistake') return refuseToStart(setting.sentence);
  // Loaded late: who serves needs neither.
  const [{ transfer }, { openProgressDisplay }] = await Promise.all([
    import('./transfer.ts'),
    import('./progress-display.ts'),
  ]);
  const config = await readConfig(command.options, surroundings);
  const backend = openBackend(config, versions, { makesDefaultWiki: false });
  const stop = new AbortController();
  void toldToStop().then(() => stop.abort());
  const transferred = await transfer(command, {
    wiki: backend.wiki,
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

async function serveStdio(options: Options): Promise<void> {
  const surroundings = processSurroundings();
  const selection = readToolSelection(options, surroundings);
  if (selection.kind === 'mistake') return refuseToStart(selection.sentence);
  const setting = readScope(options, surroundings);
  if (setting.kind === 'mistake') return refuseToStart(setting.sentence);
  const config = await readConfig(options, surroundings);
  const backend = openBackend(config, versions, { makesDefaultWiki: true });
  const transport = new StdioTransport(process.stdin, process.stdout);
  const { author } = config;
  const files = openLocalFiles(readFileDirectories(options, surroundings));
  const served = {
    wiki: withLocalFiles(backend.wiki, files),
    tools: selection.names,
    scope: setting.scope,
    version: packageJson.version,
    watchEveryMs: backend.watchEveryMs,
  };
  await serve({ ...served, author, log, now: Date.now, randomBytes }, transport);
  if (process.stdin.isTTY) process.stderr.write(await welcome(backend, author, startCommand()));

  await Promise.race([transport.ended, toldToStop()]);
  transport.stopReading();
  const drained = await Promise.race([drain(transport, backend).then(() => true), after(drainMs)]);
  if (!drained) log(`stopped with calls unanswered after ${drainMs / 1_000} s`);
  process.exit(drained ? 0 : 1);
}

async function drain(transport: StdioTransport, backend: Backend): Promise<void> {
  await transport.answered();
  await closeBackend(backend);
}

async function closeBackend(backend: Backend): Promise<void> {
  try {
    await backend.close();
  } catch (error) {
    // Every call has been answered: what could not be finished is finished by the next start.
    log(`closing: ${describeError(error)}`);
  }
}

/** A second signal finds no listener and ends the process at once. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => resolve());
  });
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds));
}
