import { fileSystemFailure } from '../storage-error.ts';
import { makeInDirectory } from './directories.ts';
import type { FileSystem, OpenFile } from './file-system.ts';

/** Makes a new, empty file, open for writing. `path` must be a name that nobody used before. */
export type MakeFile = (path: string, mode: number) => Promise<OpenFile>;

export function makeFileWith(fs: FileSystem): MakeFile {
  return (path, mode) => fs.open(path, 'w', mode);
}

/**
 * Writes a new file and syncs it. The name must be one that nobody used before: after a failed sync a file's
 * bytes are unknown for ever, so what failed is taken away and never written again under this name.
 * The directory is not synced. Throws StorageError. What is to be replaced later needs a `mode` that allows
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
 * Replaces `path` or makes it, whole or not at all, through `temporary`: a name in the same directory that
 * nobody else uses. If somebody takes the temporary file away, it fails. The directory is not synced.
 * Throws StorageError; where the rename was answered by an error, it may have been done nevertheless.
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

/** Makes what was created, renamed and removed in a directory survive a power cut. NFS needs no call of it. */
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

/** Takes away a file that is of no use any more, as one whose making failed. */
export async function removeLeftover(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlinkLast(path);
  } catch {
    // What failed before is told; a leftover harms nobody, and maintenance sweeps it away.
  }
}
