import { join } from 'node:path';
import type { FileSystem } from '../../files/file-system.ts';
import type { Host } from '../../files/host.ts';
import { unlessMissing } from '../../files/unless-gone.ts';
import { fileSystemFailure } from '../../storage-error.ts';

/**
 * True if native git seems to be collecting garbage or writing a pack in this `objects/pack`: `git gc` fails
 * if packs that it listed are gone. Files as old as git's own limit were left by a crash.
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
  const found = await unlessMissing(() => fs.lstat(path));
  return found !== null && found.modifiedMs > time;
}
