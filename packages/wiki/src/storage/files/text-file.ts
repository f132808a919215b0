import { dirname } from 'node:path';
import { refreshDirectory } from './directories.ts';
import { errorName, type FileSystem } from './file-system.ts';
import { readWholeFile } from './whole-file.ts';

/**
 * The text of a small file, or null if it does not exist. Opens it again if it was replaced, as NFS then returns ESTALE:
 * and its directory before that, since a client may lead a name to the old file until then. Throws what the file system
 * throws, and FileTooLarge.
 */
export async function readTextFile(
  fs: FileSystem,
  path: string,
  maxBytes = MAX_BYTES,
): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return new TextDecoder().decode(await readWholeFile(fs, path, maxBytes));
    } catch (error) {
      const name = errorName(error);
      if (name === 'ENOENT') return null;
      if (name !== 'ESTALE' || attempt === MAX_ATTEMPTS) throw error;
      await refreshDirectory(fs, dirname(path));
    }
  }
}

const MAX_ATTEMPTS = 5;
/** Far above what git and Pagetree write. A repository from elsewhere may have a HEAD of any size. */
const MAX_BYTES = 1_000_000;
