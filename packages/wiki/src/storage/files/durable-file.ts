import { fileSystemFailure } from '../storage-error.ts';
import { makeInDirectory } from './directories.ts';
import type { FileSystem, OpenFile } from './file-system.ts';

/** Makes a new, empty file, open for writing. `path` must be a name that was never used before. */
export type MakeFile = (path: string, mode: number) => Promise<OpenFile>;

export function makeFileWith(fs: FileSystem): MakeFile {
  return (path, mode) => fs.open(path, 'w', mode);
}

/**
 * Writes a new file and syncs it. The name must be one that was never used before: after a failed sync the
 * bytes of a file stay unknown, so a failed file is removed and its name is never written again. Does not
 * sync the directory. Throws StorageError. A file that is to be replaced later needs a `mode` that allows
 * writing: Windows replaces no read-only file.
 */
export async function writeNewFile(
  fs: FileSystem,
  path: string,
  bytes: Uint8Array,
  mode = 0o444,
  makeFile: MakeFile = makeFileWith(fs),
): Promise<void> {
  try {
    const file = await makeInDirectory(fs, path, () => makeFile(path, mode));
    try {
      await file.write(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await removeLeftover(fs, path);
    throw fileSystemFailure(error, 'Writing a file', path);
  }
}

/**
 * Makes or replaces `path` atomically through `temporary`, a name in the same directory that no other process
 * uses. Fails if another process removes the temporary file. Does not sync the directory. Throws
 * StorageError; if the rename returned an error, it may have happened nevertheless.
 */
export async function replaceFile(
  fs: FileSystem,
  path: string,
  temporary: string,
  bytes: Uint8Array,
): Promise<void> {
  await writeNewFile(fs, temporary, bytes);
  try {
    await fs.rename(temporary, path);
  } catch (error) {
    throw fileSystemFailure(error, 'Moving a file into place', path);
  }
}

/**
 * Makes files that were created, renamed and removed in a directory survive a power cut. NFS needs no such
 * call.
 */
export async function syncDirectory(fs: FileSystem, directory: string): Promise<void> {
  try {
    const opened = await fs.open(directory, 'r');
    try {
      await opened.sync();
    } finally {
      await opened.close();
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Syncing a directory', directory);
  }
}

/** Removes a file that is of no use any more, such as one that could not be completed. */
export async function removeLeftover(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlinkLast(path);
  } catch {
    // The caller reports the earlier failure. A leftover only takes room.
  }
}
