import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The output of native git for a repository, without the last line's end. Throws if git fails. */
export async function git(directory: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-C', directory, ...args], { maxBuffer: 1 << 28 });
  return stdout.replace(/\n$/, '');
}

/** Throws unless native git finds the repository whole, to the last object. */
export async function gitFsck(repository: string): Promise<void> {
  await git(repository, 'fsck', '--strict', '--full');
}
