import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chooseAuthor } from '@pagetree/backends/author';
import { readAuthorSources } from '@pagetree/backends/author-sources';
import type { Backend } from '@pagetree/backends/backend';
import { type BackgroundSync, syncInBackground } from '@pagetree/backends/background-sync';
import {
  absolute,
  commandNames,
  processSurroundings,
  readPlace,
  readScope,
  type Surroundings,
  setting,
} from '@pagetree/backends/config';
import { endProcess } from '@pagetree/backends/end-process';
import { openBackend } from '@pagetree/backends/open-backend';
import { readFileDirectories, readToolSelection } from '@pagetree/mcp-server/config';
import { readingOnly } from '@pagetree/mcp-server/tool-selection';
import { type Author, nextAtTerminal, toWikiError } from '@pagetree/wiki/contract';
import packageJson from '../package.json' with { type: 'json' };
import { AccessFile } from './cli/access-file.ts';
import type { SiteAssets } from './cli/assets/site-assets.ts';
import { type CommandLine, parseCommandLine, type ServeOptions, usage } from './cli/command-line.ts';
import { runExport } from './cli/export/run-export.ts';
import { lateEndpoint, readToken } from './cli/mcp.ts';
import { openBrowser } from './cli/open-browser.ts';
import { quickClones } from './cli/quick-clones.ts';
import { type Serving, serveSite } from './cli/serve.ts';
import { SqliteRecords } from './cli/sqlite-records.ts';
import { readTeam, type TeamSettings } from './cli/team-settings.ts';
import { lateGit } from './git/late-git.ts';
import { createSite, type Site } from './site/site.ts';

/** The time that requests and the wiki have to end after a signal. */
const END_MS = 9_000;

const VERSIONS = { pagetree: packageJson.version, node: process.version };

const log = (line: string) => process.stderr.write(`pagetree: ${line}\n`);

/** Shows the pages in the browser, or exports them, as the arguments say. */
export async function runProgram(args: readonly string[], assets: SiteAssets): Promise<void> {
  const surroundings = processSurroundings();
  const commandLine = parseCommandLine(args);
  if (commandLine.kind === 'help') process.stdout.write(usage(commandNames(surroundings.env)));
  else if (commandLine.kind === 'mistake') refuseToStart(commandLine.sentence);
  else if (commandLine.kind === 'export') await exportPages(commandLine, surroundings, assets);
  else await serve(commandLine.options, surroundings, assets);
}

async function serve(options: ServeOptions, surroundings: Surroundings, assets: SiteAssets): Promise<void> {
  const team = await readTeam(options, surroundings);
  if (team.kind === 'mistake') return refuseToStart(team.sentence);
  if (team.kind === 'team') await serveTeam(team.settings, options, surroundings, assets);
  else await serveAlone(options, surroundings, assets);
}

/** Serves a person on this machine, or agents with a token. */
async function serveAlone(
  { port, open, listen, ...options }: ServeOptions,
  surroundings: Surroundings,
  assets: SiteAssets,
): Promise<void> {
  const scoped = readScope(options, surroundings);
  if (scoped.kind === 'mistake') return refuseToStart(scoped.sentence);
  const place = readPlace(options, surroundings);
  const chosen = chooseAuthor(setting(surroundings.env.PAGETREE_AUTHOR), await readAuthorSources());
  if (chosen.problem !== null) place.problems.push(chosen.problem);
  const isReadOnly = options['read-only'] === true;
  const author = isReadOnly ? null : chosen.author;
  const chosenTools = readToolSelection(options, surroundings);
  const selection = isReadOnly ? readingOnly(chosenTools) : chosenTools;
  if (selection.kind === 'mistake') return refuseToStart(selection.sentence);
  const tokenFile = setting(options['token-file']);
  const tokenPath = tokenFile === null ? null : absolute(tokenFile, surroundings);
  const secret = await readToken(tokenPath, surroundings);
  if (secret.kind === 'mistake') return refuseToStart(secret.sentence);
  const backend = openBackend(place, VERSIONS, { makes: 'default wiki' });
  const pages = await pagesOf(assets);
  const { scope } = scoped;
  const { token } = secret;
  const serving = await startServing({ port, host: listen }, backend, (bound) => {
    const hosts = [`127.0.0.1:${bound}`, `localhost:${bound}`];
    const files = readFileDirectories(options, surroundings);
    const agents = { backend, selection, files, scope, hosts, token, log };
    return createSite({
      ...pages,
      wiki: backend.wiki,
      scope,
      author,
      hosts,
      isForAgentsAlone: token !== null,
      mcp: lateEndpoint({ ...agents, author: chosen.author }),
      git: quickClones(
        lateGit({
          ...{ wiki: backend.wiki, scope, author: chosen.author, isReadOnly, hosts, token, log },
          version: packageJson.version,
        }),
      ),
    });
  });
  if (serving === null) return;
  const address = `http://127.0.0.1:${serving.port}/`;
  process.stdout.write(`${address}\n`);
  log(`${token === null ? 'shows' : 'serves'} the wikis in ${backend.place}; Ctrl-C ends it`);
  log(
    author === null
      ? 'nothing can be changed there'
      : `changes there are by ${author.name} <${author.email}>`,
  );
  log(`agents connect to ${address}mcp${token === null ? '' : ', with the token'}`);
  log(`git clones ${address}WIKI.git${token === null ? '' : ', with the token as the password'}`);
  if (author !== null && chosen.missingIdentity !== null) log(chosen.missingIdentity);
  await sayProblem(backend, place.wiki);
  if (open) openBrowser(address, surroundings.platform);
  const sync = isReadOnly ? null : syncOf(backend, chosen.author, surroundings);
  await untilStopped(serving, backend, sync);
}

/** Serves people who log in. */
async function serveTeam(
  settings: TeamSettings,
  { port, listen, ...options }: ServeOptions,
  surroundings: Surroundings,
  assets: SiteAssets,
): Promise<void> {
  const rules = await AccessFile.open(settings.access, log);
  if (rules.kind === 'mistake') return refuseToStart(rules.sentence);
  const place = readPlace(options, surroundings);
  const backend = openBackend(place, VERSIONS, { makes: 'default wiki' });
  const pages = await pagesOf(assets);
  const auditLog = (line: string) => process.stderr.write(`${line}\n`);
  const records = await openRecords(place.directory);
  if (typeof records === 'string') return refuseToStart(records);
  const parts = {
    ...pages,
    backend,
    defaultWiki: place.wiki,
    settings,
    rules: rules.file,
    records,
    auditLog,
  };
  // Loaded here: without a login nobody needs it.
  const { openTeam } = await import('./cli/open-team.ts');
  const serving = await startServing({ port, host: listen }, backend, () => openTeam(parts));
  if (serving === null) return;
  process.stdout.write(`${settings.origin}/\n`);
  log(`shows the wikis in ${backend.place} to people who log in at ${settings.issuer}; Ctrl-C ends it`);
  log(`the proxy for ${settings.origin} leads to port ${serving.port} here, with its Host header as it came`);
  await sayProblem(backend, place.wiki);
  const { author } = chooseAuthor(setting(surroundings.env.PAGETREE_AUTHOR), await readAuthorSources());
  await untilStopped(serving, backend, syncOf(backend, author, surroundings));
}

function syncOf(backend: Backend, author: Author, { env }: Surroundings): BackgroundSync {
  return syncInBackground(backend, { author, env, version: packageJson.version, log });
}

/** The records of people and their tokens, beside the wikis; or the sentence that says why they cannot be opened. */
async function openRecords(directory: string): Promise<SqliteRecords | string> {
  const file = join(directory, '.pagetree', 'records.sqlite');
  try {
    return await SqliteRecords.open(file, Date.now);
  } catch (error) {
    return `The tokens of people cannot be kept in ${file}: ${error instanceof Error ? error.message : String(error)}.`;
  }
}

/** The parts that every site has, for each person. */
async function pagesOf(assets: SiteAssets) {
  return {
    ...(await assets.served()),
    build: `${packageJson.version.replaceAll('.', '-')}-${Date.now().toString(36)}`,
    log,
    pause: (milliseconds: number, signal: AbortSignal) => pause(milliseconds, undefined, { signal }),
  };
}

/** Null if the port cannot be opened, which is then said. */
async function startServing(
  at: { port: number; host: string | undefined },
  backend: Backend,
  siteAt: (port: number) => Site,
): Promise<Serving | null> {
  try {
    return await serveSite(at, siteAt);
  } catch (error) {
    await backend.close();
    refuseToStart(cannotListen(error, at.port));
    return null;
  }
}

async function untilStopped(serving: Serving, backend: Backend, sync: BackgroundSync | null): Promise<void> {
  await stopSignal();
  const ended = await Promise.race([end(serving, backend, sync).then(() => true), pause(END_MS, false)]);
  if (!ended) log(`stopped with work unfinished after ${END_MS / 1_000} s`);
  endProcess(ended ? 0 : 1);
}

async function exportPages(
  { place, options }: CommandLine & { kind: 'export' },
  surroundings: Surroundings,
  assets: SiteAssets,
): Promise<void> {
  const scoped = readScope(options, surroundings);
  if (scoped.kind === 'mistake') return refuseToStart(scoped.sentence);
  const wikiPlace = readPlace(options, surroundings);
  const backend = openBackend(wikiPlace, VERSIONS, { makes: 'record' });
  const stop = new AbortController();
  void stopSignal().then(() => stop.abort());
  const report = await runExport({
    ...{ backend, place, log, assets, scope: scoped.scope, name: wikiPlace.wiki },
    from: surroundings.workingDirectory,
    signal: stop.signal,
  });
  await backend.close().catch(() => {});
  if (report !== null) process.stdout.write(`${report}\n`);
  endProcess(report === null ? 1 : 0);
}

async function end(serving: Serving, backend: Backend, sync: BackgroundSync | null): Promise<void> {
  await Promise.all([serving.close(), sync?.end()]);
  await backend.close().catch(() => {});
}

/** Reports at once the problem that every page would show. */
async function sayProblem({ wiki }: Backend, name: string | null): Promise<void> {
  const caller = { author: { name: 'A visitor', email: '' }, agent: 'pagetree-web' };
  try {
    await wiki.wiki_status(name === null ? {} : { wiki: name }, { caller });
  } catch (error) {
    const { text } = toWikiError(error);
    log(`${text.happened} ${nextAtTerminal(text)}`);
  }
}

function refuseToStart(sentence: string): void {
  log(sentence);
  process.exitCode = 2;
}

function cannotListen(error: unknown, port: number): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return `Port ${port} is taken, perhaps by another \`serve\`. Choose another one, as --port ${port + 1}.`;
  }
  return `Port ${port} cannot be opened: ${error instanceof Error ? error.message : String(error)}.`;
}

/** A second signal finds no listener and ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => resolve());
  });
}
