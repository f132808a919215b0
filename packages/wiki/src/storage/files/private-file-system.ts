import type { FileSystem } from './file-system.ts';

/**
 * The same file system, except that other users get no rights to new files, whatever the umask of the
 * process.
 */
export function privateFileSystem(fs: FileSystem): FileSystem {
  return {
    ...fs,
    open: (path, flags, mode = DEFAULT_MODE) => fs.open(path, flags, mode & OWNER),
    mkdir: (path) => fs.mkdir(path, OWNER),
  };
}

/** All rights of users other than the owner. */
export const OTHERS = 0o077;
const OWNER = 0o700;
/** The mode that Node gives a file, before the umask. */
const DEFAULT_MODE = 0o666;
