import { existsSync, statfsSync } from 'node:fs';

const DIRECTORY = '/dev/shm';
/** Two guests of the NFS lab, of 1.5 GB each, have theirs there too. */
const LEAST_BYTES = 2 ** 32;

/**
 * The environment of tests that hold nothing about a disk: their temporary files are in memory, if this machine has
 * room for that and TMPDIR names no other place. They make and remove a hundred thousand small ones, which on some
 * disks takes longer than all else.
 */
export function temporaryFilesInMemory(): Record<string, string> {
  if (process.env.TMPDIR || !existsSync(DIRECTORY)) return {};
  const { bavail, bsize } = statfsSync(DIRECTORY);
  return bavail * bsize < LEAST_BYTES ? {} : { TMPDIR: DIRECTORY };
}
