import { setImmediate } from 'node:timers/promises';
import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { type FileSystemCall, interceptedFileSystem } from './intercepted-file-system.ts';

/**
 * `fs` as over a network: all calls that are begun while others are under way travel with them, and all are
 * answered together. So `count` is how many round trips lie one after another, whatever the machine has to do.
 */
export function roundTrips(fs: FileSystem): { fs: FileSystem; count(): number } {
  let count = 0;
  let round: Promise<void> | null = null;

  async function travel(): Promise<void> {
    for (let turn = 0; turn < TURNS_UNTIL_IDLE; turn += 1) await setImmediate();
    count += 1;
    round = null;
  }

  const travelling = interceptedFileSystem(fs, async (call, perform) => {
    if (FREE.has(call.name)) return perform();
    round ??= travel();
    await round;
    return perform();
  });
  return { fs: travelling, count: () => count };
}

/** Code that goes on after an answer, and computes, has begun the next call by then. */
const TURNS_UNTIL_IDLE = 20;

/** Written data travels with the sync, and a listing's results are known. */
const FREE: ReadonlySet<FileSystemCall['name']> = new Set(['write', 'lstat']);
