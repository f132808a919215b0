// @ts-check

import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A process on another machine cannot be asked whether it lives, and the number of a dead one may be given again. */
const FORGOTTEN_AFTER_MS = 600_000;

/**
 * Waits until no other process has its turn in this directory. A process that dies loses its turn, so the directory
 * needs no tidying.
 *
 * Each process writes a file of its own and then lists the directory: of two that do so at once, one at least sees
 * the other and steps back.
 *
 * @param {string} directory
 * @param {() => void} onWait called once
 * @returns {Promise<() => void>} ends the turn.
 */
export async function takeTurn(directory, onWait) {
  const own = [hostname(), process.pid, randomBytes(4).toString('hex')].join('~');
  const endTurn = () => {
    rmSync(join(directory, own), { force: true });
    removeIfEmpty(directory);
  };
  for (let round = 0; ; round += 1) {
    if (othersIn(directory, own).length === 0 && enter(directory, own)) {
      if (othersIn(directory, own).length === 0) return endTurn;
      rmSync(join(directory, own), { force: true });
    }
    if (round === 5) onWait();
    await setTimeout(50 + Math.random() * 150);
  }
}

/**
 * @param {string} directory
 * @param {string} own
 */
function enter(directory, own) {
  try {
    mkdirSync(directory);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  try {
    writeFileSync(join(directory, own), '');
    return true;
  } catch (error) {
    // The one before has just removed the directory.
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * @param {string} directory
 * @param {string} own
 */
function othersIn(directory, own) {
  try {
    return readdirSync(directory).filter((name) => name !== own && isAlive(directory, name));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * @param {string} directory
 * @param {string} name
 */
function isAlive(directory, name) {
  const [host = '', processId = ''] = name.split('~');
  try {
    if (Date.now() - statSync(join(directory, name)).mtimeMs > FORGOTTEN_AFTER_MS) return false;
    return host !== hostname() || process.kill(Number(processId), 0);
  } catch (error) {
    // Anything else means that it ended.
    return codeOf(error) === 'EPERM';
  }
}

/** @param {string} directory */
function removeIfEmpty(directory) {
  try {
    rmdirSync(directory);
  } catch {
    // The next process is in it already.
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
