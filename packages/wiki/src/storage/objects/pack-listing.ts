import { join } from 'node:path';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { fileSystemFailure } from '../storage-error.ts';

/** A pack with its index. */
export interface StoredPack {
  /** Between `pack-` and the ending. */
  name: string;
  size: number;
  /** Native git is to leave it as it is, or has more files of it: not to be deleted here. */
  kept: boolean;
}

const NATIVE_FILES = ['keep', 'bitmap', 'mtimes', 'promisor'];

/** The packs in a directory, those that are whole. Throws StorageError. */
export async function listPacks(fs: FileSystem, directory: string): Promise<StoredPack[]> {
  try {
    const files = new Set(await fs.readdir(directory));
    const all = files.has('multi-pack-index');
    const isKept = (name: string) => NATIVE_FILES.some((ending) => files.has(`pack-${name}.${ending}`));
    const names = [...files].flatMap((file) => /^pack-([0-9a-f]{40})\.idx$/.exec(file)?.[1] ?? []);
    const sized = names
      .filter((name) => files.has(`pack-${name}.pack`))
      .map(async (name): Promise<StoredPack | null> => {
        const size = await sizeOf(fs, join(directory, `pack-${name}.pack`));
        return size === null ? null : { name, size, kept: all || isKept(name) };
      });
    return (await Promise.all(sized)).filter((pack) => pack !== null);
  } catch (error) {
    throw fileSystemFailure(error, 'Listing the packs', directory);
  }
}

/** Null where it was deleted since it was listed. */
async function sizeOf(fs: FileSystem, path: string): Promise<number | null> {
  try {
    return (await fs.lstat(path)).size;
  } catch (error) {
    const errno = errorName(error);
    if (errno === 'ENOENT' || errno === 'ESTALE') return null;
    throw error;
  }
}
