import { join } from 'node:path';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Host } from '../files/host.ts';
import { fileSystemFailure } from '../storage-error.ts';

/**
 * Whether native git is collecting garbage or writing a pack in this `objects/pack`, as far as it shows: `git gc`
 * ends with an error where packs that it listed are gone. What is as old as git's own limit was left by a crash.
 */
export async function isGitAtWork(fs: FileSystem, host: Host, directory: string): Promise<boolean> {
  try {
    const temporary = (await fs.readdir(directory)).filter((file) => /^(\.tmp-|tmp_)/.test(file));
    const signs = [...temporary.map((file) => join(directory, file)), join(directory, '..', '..', 'gc.pid')];
    const young = await Promise.all(signs.map((path) => isYounger(fs, path, host.now() - CRASHED_AGE)));
    return young.includes(true);
  } catch (error) {
    throw fileSystemFailure(error, 'Looking whether git is at work', directory);
  }
}

const CRASHED_AGE = 12 * 60 * 60 * 1000;

async function isYounger(fs: FileSystem, path: string, time: number): Promise<boolean> {
  try {
    return (await fs.lstat(path)).modifiedMs > time;
  } catch (error) {
    if (errorName(error) === 'ENOENT') return false;
    throw error;
  }
}
