import { dirname } from 'node:path';
import { isThere } from '../../../src/storage/files/directories.ts';
import { errorName, type FileSystem } from '../../../src/storage/files/file-system.ts';
import { fileSystemError } from '../observed-file-system.ts';
import { type FileSystemCall, interceptedFileSystem } from './intercepted-file-system.ts';

/**
 * `fs` as a client of NFS sees it: a name that it missed once stays missing for it until it tries to make the name, or
 * opens the directory after another client made it. A real client forgets after 30 seconds, this one never does.
 */
export function nfsClient(fs: FileSystem): FileSystem {
  const missed = new Set<string>();

  function isMissed(path: string): boolean {
    return missed.has(path) || (dirname(path) !== path && isMissed(dirname(path)));
  }

  async function lookAgainIn(directory: string): Promise<void> {
    for (const path of missed) {
      if (dirname(path) === directory && (await isThere(fs, path))) missed.delete(path);
    }
  }

  return interceptedFileSystem(fs, async (call, perform) => {
    const { name, path, changes } = call;
    if (OF_OPEN_FILES.has(name)) return perform();
    if (changes) missed.delete(path);
    if (isMissed(path)) throw fileSystemError(2, 'ENOENT');
    try {
      const result = await perform();
      if (name === 'open') await lookAgainIn(path);
      return result;
    } catch (error) {
      if (!changes && errorName(error) === 'ENOENT') missed.add(path);
      throw error;
    }
  });
}

/** These look no name up. */
const OF_OPEN_FILES: ReadonlySet<FileSystemCall['name']> = new Set(['read', 'write', 'sync', 'close']);
