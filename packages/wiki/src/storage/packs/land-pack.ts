import { join } from 'node:path';
import type { PackBytes } from '../../formats/packs/pack.ts';
import { type MakeFile, makeFileWith, removeLeftover, syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem, type OpenFile } from '../files/file-system.ts';
import { fileSystemFailure } from '../storage-error.ts';

/**
 * Lands a pack in `directory` as `pack-<name>`. `name` must be one that no attempt ever used. Git looks at a
 * pack only if its index exists. So the pack is written in place, and its index beside it under a temporary
 * name. After both are synced, one rename makes the index visible, whole. This takes 7 round trips on NFS, 3
 * of them one after another.
 *
 * The rename is not synced. With `syncNames` the names before it are synced, in parallel with the files and
 * so without a further wait for the disk: if a power cut undoes the rename, `completePack` repeats it. Throws
 * StorageError; the pack must not be used then.
 */
export async function landPack(
  fs: FileSystem,
  directory: string,
  name: string,
  { packBytes, indexBytes }: PackBytes,
  { syncNames = false, makeFile = makeFileWith(fs) }: { syncNames?: boolean; makeFile?: MakeFile } = {},
): Promise<void> {
  const { packPath, indexPath, temporaryIndex } = pathsOf(directory, name);
  const files: { file: OpenFile; bytes: Uint8Array }[] = [];
  const open = async (path: string, bytes: Uint8Array) => {
    files.push({ file: await makeFile(path, PACK_MODE), bytes });
  };
  try {
    await untilAllEnd([open(packPath, packBytes), open(temporaryIndex, indexBytes)]);
    const writing = files.map(({ file, bytes }) => writeAndSync(file, bytes));
    await untilAllEnd(syncNames ? [...writing, syncDirectory(fs, directory)] : writing);
    const closing = files.splice(0).map(({ file }) => file.close());
    await untilAllEnd([...closing, fs.rename(temporaryIndex, indexPath)]);
  } catch (error) {
    // After a failed sync the bytes of a file stay unknown.
    await Promise.allSettled(files.map(({ file }) => file.close()));
    await Promise.all([packPath, temporaryIndex].map((path) => removeLeftover(fs, path)));
    throw fileSystemFailure(error, 'Writing a pack', packPath);
  }
}

/**
 * Makes the index of `pack-<name>` visible again if a power cut undid that. Only for a pack that landed:
 * while a pack is being written, its index may be incomplete. Throws StorageError.
 */
export async function completePack(fs: FileSystem, directory: string, name: string): Promise<void> {
  const { indexPath, temporaryIndex } = pathsOf(directory, name);
  try {
    await fs.rename(temporaryIndex, indexPath);
  } catch (error) {
    // Nearly always nothing was undone. A process without write access leaves it to the next one that has it.
    if (!NOTHING_TO_DO.has(errorName(error) ?? '')) {
      throw fileSystemFailure(error, 'Moving a pack index into place', indexPath);
    }
  }
}

/** The mode that git gives its own packs. */
export const PACK_MODE = 0o444;

const NOTHING_TO_DO = new Set(['ENOENT', 'EROFS', 'EACCES', 'EPERM']);

function pathsOf(directory: string, name: string) {
  const indexPath = join(directory, `pack-${name}.idx`);
  return { packPath: join(directory, `pack-${name}.pack`), indexPath, temporaryIndex: `${indexPath}.tmp` };
}

async function writeAndSync(file: OpenFile, bytes: Uint8Array): Promise<void> {
  await file.write(bytes);
  await file.sync();
}

/** Throws the first failure, but only after all calls have ended. */
async function untilAllEnd(calls: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(calls);
  const failed = ended.find((call) => call.status === 'rejected');
  if (failed) throw failed.reason;
}
