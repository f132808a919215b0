// @ts-check

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeTurn } from './turns.mjs';

/**
 * @typedef {'mcp' | 'serve'} Server
 * @typedef {Server | 'node'} Part
 */

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const MODULES = join(ROOT, 'node_modules');
/** The lock file of what is installed. pnpm writes it after the packages. */
const INSTALLED_LOCK = join(MODULES, '.pnpm', 'lock.yaml');
const STAMP = join(MODULES, '.pagetree-installed.json');
const IS_WINDOWS = process.platform === 'win32';
const OUR_NODE = join(ROOT, 'start', 'node_modules', 'node', 'bin', IS_WINDOWS ? 'node.exe' : 'node');

/** @type {Record<Part, { folder: string, filter: string }>} */
const PARTS = {
  mcp: { folder: 'packages/mcp-server', filter: '--filter=@pagetree/mcp-server...' },
  serve: { folder: 'packages/web', filter: '--filter=@pagetree/web...' },
  node: { folder: 'start', filter: '--filter=@pagetree/start' },
};

/**
 * Installs what one server needs, or everything, unless it is there. A start at which nothing changed reads three
 * files.
 *
 * @param {Server | 'everything'} needed
 */
export async function ensureInstalled(needed) {
  const parts = partsOf(needed);
  if (isInstalled(parts)) return;
  const endTurn = await turnToInstall();
  if (endTurn === null) return;
  // Another start may have installed it before the turn of this one came.
  const failure = isInstalled(parts) ? null : install(parts);
  endTurn();
  if (failure !== null) giveUp(failure.sentence, failure.status);
}

/**
 * The Node to run it with, and its options; null for the one that runs this.
 *
 * @param {Server | 'everything'} needed
 * @returns {{ node: string, options: string[] } | null}
 */
export function nodeFor(needed) {
  if (needed === 'everything' || !canServe(process.versions.node)) {
    return isThisNode(OUR_NODE) ? null : { node: OUR_NODE, options: [] };
  }
  if (process.features.typescript) return null;
  const options = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  return { node: process.execPath, options };
}

/**
 * True from 22.16 on: earlier ones lack the full-text search of SQLite.
 *
 * @param {string} version
 */
export function canServe(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 16);
}

/** @param {string} sentence */
export function say(sentence) {
  // Standard output belongs to JSON-RPC.
  process.stderr.write(`pagetree: ${sentence}\n`);
}

/**
 * @param {Server | 'everything'} needed
 * @returns {Part[] | null} null stands for everything, here and below.
 */
function partsOf(needed) {
  if (needed === 'everything') return null;
  return canServe(process.versions.node) ? [needed] : [needed, 'node'];
}

/** @param {Part[] | null} parts */
function isInstalled(parts) {
  const [wanted, installed] = [hashOf(join(ROOT, 'pnpm-lock.yaml')), hashOf(INSTALLED_LOCK)];
  const stamp = readStamp();
  if (installed === null || stamp?.interrupted) return false;
  // Also after `pnpm install` by hand. An install of less writes a smaller file.
  if (wanted === installed) return true;
  if (stamp?.wanted !== wanted || stamp.installed !== installed) return false;
  return stamp.parts === null || (parts?.every((part) => stamp.parts?.includes(part)) ?? false);
}

/** @returns {{ interrupted?: true, wanted?: string, installed?: string, parts: Part[] | null } | null} */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    // Missing, or torn by a crash.
    return null;
  }
}

/** @param {string} file */
function hashOf(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex');
  } catch {
    return null;
  }
}

/** @returns {Promise<(() => void) | null>} null if nothing can be written here, but something is installed. */
async function turnToInstall() {
  try {
    return await takeTurn(join(ROOT, '.installing'), () => say('waits for another start, which installs.'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (existsSync(MODULES)) {
      say(`starts with what is installed, which may be out of date, as nothing can be written: ${reason}`);
      return null;
    }
    return giveUp(`nothing is installed, and nothing can be written: ${reason}`, 1);
  }
}

/**
 * @typedef {{ sentence: string, status: number }} Failure
 *
 * @param {Part[] | null} needed
 * @returns {Failure | null}
 */
function install(needed) {
  const parts = withInstalled(needed);
  say(`installs what ${parts === null ? 'this repository' : 'the server'} needs, once for each update.`);
  // pnpm's own record is still that of the install before.
  if (existsSync(MODULES)) writeFileSync(STAMP, JSON.stringify({ interrupted: true }));
  const filters = parts === null ? [] : ['--prod', ...parts.map((part) => PARTS[part].filter)];
  const failure = runPnpm(['install', '--frozen-lockfile', ...filters]);
  if (failure !== null) return failure;
  if (parts?.includes('node')) putNodeOnPath();
  const [wanted, installed] = [hashOf(join(ROOT, 'pnpm-lock.yaml')), hashOf(INSTALLED_LOCK)];
  writeFileSync(STAMP, JSON.stringify({ wanted, installed, parts }));
  return null;
}

/**
 * To install less than there is would take the rest away from under the servers and tests that run.
 *
 * @param {Part[] | null} needed
 */
function withInstalled(needed) {
  if (needed === null || existsSync(join(MODULES, 'vitest'))) return null;
  const all = /** @type {Part[]} */ (Object.keys(PARTS));
  return all.filter(
    (part) => needed.includes(part) || existsSync(join(ROOT, PARTS[part].folder, 'node_modules')),
  );
}

/**
 * @param {readonly string[]} args
 * @returns {Failure | null}
 */
function runPnpm(args) {
  const progress = process.stderr.isTTY ? ['--reporter=default'] : [];
  const { program, options, shell } = callingPnpm();
  const { status, error } = spawnSync(program, [...options, ...args, ...progress], {
    cwd: ROOT,
    shell,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  if (status === 0) return null;
  const reason = error === undefined ? '' : `: ${error.message}`;
  return { sentence: `\`pnpm ${args.join(' ')}\` failed${reason}.`, status: status ?? 1 };
}

/** The pnpm that runs this script, as another one may not be found. */
function callingPnpm() {
  const caller = process.env.npm_execpath ?? '';
  if (/[\\/]pnpm(\.exe)?$/.test(caller)) return { program: caller, options: [], shell: false };
  if (/[\\/]pnpm\.[cm]?js$/.test(caller)) {
    return { program: process.execPath, options: [caller], shell: false };
  }
  // Programs of npm are scripts, which only the command interpreter of Windows starts.
  return { program: 'npx', options: ['-y', 'pnpm@12'], shell: IS_WINDOWS };
}

/** Later starts begin with this Node, so that none has to start a second one. */
function putNodeOnPath() {
  const link = join(MODULES, '.bin', 'node');
  if (IS_WINDOWS || existsSync(link)) return;
  mkdirSync(join(MODULES, '.bin'), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(join(MODULES, '.bin'), OUR_NODE), link);
}

/** @param {string} node */
function isThisNode(node) {
  return existsSync(node) && realpathSync(node) === realpathSync(process.execPath);
}

/**
 * @param {string} sentence
 * @param {number} status
 * @returns {never}
 */
function giveUp(sentence, status) {
  say(sentence);
  process.exit(status);
}
