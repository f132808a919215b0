import { join } from 'node:path';
import type { EncodedPack } from '../objects/pack-writer.ts';
import { fileSystemFailure } from '../storage-error.ts';
import type { FileSystem } from './file-system.ts';

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
): Promise<void> {
  try {
    const file = await fs.open(path, 'w', mode);
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

/**
 * Lands a pack in `packDirectory` as `pack-<name>`. `name` must be one that no attempt ever used. Git looks at
 * a pack only when its index is there: so the pack is written in place, and the index, beside it, under a
 * temporary name, which one rename makes visible, whole, after both are synced. 7 round trips on NFS, 4 of
 * them one after another. The directory is not synced. Throws StorageError, and then the pack must not be used.
 */
export async function landPack(
  fs: FileSystem,
  packDirectory: string,
  name: string,
  pack: Pick<EncodedPack, 'packBytes' | 'indexBytes'>,
): Promise<void> {
  const packPath = join(packDirectory, `pack-${name}.pack`);
  const indexPath = join(packDirectory, `pack-${name}.idx`);
  const temporaryIndex = `${indexPath}.tmp`;
  const written = await Promise.allSettled([
    writeNewFile(fs, packPath, pack.packBytes),
    writeNewFile(fs, temporaryIndex, pack.indexBytes),
  ]);
  const failed = written.find((result) => result.status === 'rejected');
  if (failed) {
    await Promise.all([removeLeftover(fs, packPath), removeLeftover(fs, temporaryIndex)]);
    throw failed.reason;
  }
  try {
    await fs.rename(temporaryIndex, indexPath);
  } catch (error) {
    throw fileSystemFailure(error, 'Moving a pack index into place', indexPath);
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

async function removeLeftover(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch {
    // What failed before is told; a leftover harms nobody, and maintenance sweeps it away.
  }
}
