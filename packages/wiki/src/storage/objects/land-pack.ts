import { join } from 'node:path';
import { type MakeFile, makeFileWith, removeLeftover, syncDirectory } from '../files/durable-file.ts';
import { errorName, type FileSystem, type OpenFile } from '../files/file-system.ts';
import { fileSystemFailure } from '../storage-error.ts';

export interface PackBytes {
  packBytes: Uint8Array;
  indexBytes: Uint8Array;
}

/**
 * Lands a pack in `directory` as `pack-<name>`. `name` must be one that no attempt ever used. Git looks at a pack
 * only when its index is there: so the pack is written in place, and the index, beside it, under a temporary name,
 * which one rename makes visible, whole, after both are synced. 7 round trips on NFS, 3 of them one after another.
 *
 * The rename is not synced. With `syncNames` the names before it are, beside the files and so without a further
 * wait for the disk: where a power cut undoes the rename, `completePack` does it again. Throws StorageError, and
 * then the pack must not be used.
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
    // After a failed sync a file's bytes are unknown for ever.
    await Promise.allSettled(files.map(({ file }) => file.close()));
    await Promise.all([packPath, temporaryIndex].map((path) => removeLeftover(fs, path)));
    throw fileSystemFailure(error, 'Writing a pack', packPath);
  }
}

/**
 * Makes the index of `pack-<name>` visible where a power cut undid that. Only for a pack that landed: of one that
 * is just being written the index may be half there. Throws StorageError.
 */
export async function completePack(fs: FileSystem, directory: string, name: string): Promise<void> {
  const { indexPath, temporaryIndex } = pathsOf(directory, name);
  try {
    await fs.rename(temporaryIndex, indexPath);
  } catch (error) {
    // Nothing was undone, nearly always. Who may only read leaves it to the next one who may write.
    if (!NOTHING_TO_DO.has(errorName(error) ?? '')) {
      throw fileSystemFailure(error, 'Moving a pack index into place', indexPath);
    }
  }
}

/** That of git's own. */
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

/** Throws the first failure, but only when nothing is under way any more. */
async function untilAllEnd(calls: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(calls);
  const failed = ended.find((call) => call.status === 'rejected');
  if (failed) throw failed.reason;
}
