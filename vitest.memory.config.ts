import { existsSync, statfsSync } from 'node:fs';

const DIRECTORY = '/dev/shm';
const LEAST_BYTES = 2 ** 31;

/**
 * The environment of tests that hold nothing about a disk: their temporary files are in memory, where this machine has
 * room for that. They make and remove a hundred thousand small ones, which on some disks takes longer than all else.
 */
export function temporaryFilesInMemory(): Record<string, string> {
  if (!existsSync(DIRECTORY)) return {};
  const { bavail, bsize } = statfsSync(DIRECTORY);
  return bavail * bsize < LEAST_BYTES ? {} : { TMPDIR: DIRECTORY };
}
