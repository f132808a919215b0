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

/** The packs in a directory, those that are whole. Throws StorageError. */
export async function listPacks(fs: FileSystem, directory: string): Promise<StoredPack[]> {
  return new PackListing(fs, directory).list();
}

/** Lists them again and again, and asks each for its size once: a pack of the same name has nearly always the same. */
export class PackListing {
  readonly #fs: FileSystem;
  readonly #directory: string;
  #sizes: ReadonlyMap<string, number> = new Map();

  constructor(fs: FileSystem, directory: string) {
    this.#fs = fs;
    this.#directory = directory;
  }

  /** Nothing is asked of the packs that are left out. Throws StorageError. */
  async list(isLeftOut: (name: string) => boolean = () => false): Promise<StoredPack[]> {
    try {
      const files = new Set(await this.#fs.readdir(this.#directory));
      const all = files.has('multi-pack-index');
      const isKept = (name: string) => NATIVE_FILES.some((ending) => files.has(`pack-${name}.${ending}`));
      const names = [...files].flatMap((file) => /^pack-([0-9a-f]{40})\.idx$/.exec(file)?.[1] ?? []);
      const sized = names
        .filter((name) => !isLeftOut(name) && files.has(`pack-${name}.pack`))
        .map(async (name): Promise<StoredPack | null> => {
          const size = this.#sizes.get(name) ?? (await sizeOf(this.#fs, packPath(this.#directory, name)));
          return size === null ? null : { name, size, kept: all || isKept(name) };
        });
      const packs = (await Promise.all(sized)).filter((pack) => pack !== null);
      this.#sizes = new Map(packs.map(({ name, size }) => [name, size]));
      return packs;
    } catch (error) {
      throw fileSystemFailure(error, 'Listing the packs', this.#directory);
    }
  }
}

const NATIVE_FILES = ['keep', 'bitmap', 'mtimes', 'promisor'];

function packPath(directory: string, name: string): string {
  return join(directory, `pack-${name}.pack`);
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
