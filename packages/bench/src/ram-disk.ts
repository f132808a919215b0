import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const RAM_DISK = '/dev/shm';

/** The directory for files in memory: that of a test run if it lies there, so that they end with the run. */
export function ramDisk(): string {
  return tmpdir().startsWith(`${RAM_DISK}/`) || !existsSync(RAM_DISK) ? tmpdir() : RAM_DISK;
}
