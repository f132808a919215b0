/**
 * The environment of tests that hold nothing about a disk: their temporary files are in memory, if `.ci/contained.mjs`
 * found room there. They make and remove a hundred thousand small ones, which on some disks takes longer than all else.
 */
export function temporaryFilesInMemory(): Record<string, string> {
  const directory = process.env.PAGETREE_RUN_MEMORY;
  return directory === undefined ? {} : { TMPDIR: directory };
}
