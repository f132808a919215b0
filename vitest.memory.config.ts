import { join } from 'node:path';

/**
 * The environment of tests that hold nothing about a disk: their temporary files are in memory, if `.ci/contained.mjs`
 * found room there. They make and remove a hundred thousand small ones, which on some disks takes longer than all else.
 * The servers that they start share what V8 compiled, which is a third of the work of most starts.
 */
export function temporaryFilesInMemory(): Record<string, string> {
  const directory = process.env.PAGETREE_RUN_MEMORY;
  return directory === undefined
    ? {}
    : { TMPDIR: directory, NODE_COMPILE_CACHE: join(directory, 'compiled') };
}
