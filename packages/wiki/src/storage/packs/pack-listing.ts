import { join } from 'node:path';
import type { FileSystem } from '../files/file-system.ts';
import { unlessGone } from '../files/unless-gone.ts';
import { fileSystemFailure } from '../storage-error.ts';

/** A pack with its index. */
export interface StoredPack {
  /** Between `pack-` and the ending. */
  name: string;
  size: number;
  /** Native git must keep it as it is, or has more files of it: it must not be deleted here. */
  kept: boolean;
}

/** The complete packs in a directory. Throws StorageError. */
export async function listPacks(fs: FileSystem, directory: string): Promise<StoredPack[]> {
  return new PackListing(fs, directory).list();
}

/**
 * Lists packs repeatedly and reads the size of each once: a pack of the same name nearly always has the same
 * size.
 */
export class PackListing {
  readonly #fs: FileSystem;
  readonly #directory: string;
  #sizes: ReadonlyMap<string, number> = new Map();
  #files: ReadonlySet<string> = new Set();

  constructor(fs: FileSystem, directory: string) {
    this.#fs = fs;
    this.#directory = directory;
  }

  /** All files of the directory in the last listing. */
  get files(): ReadonlySet<string> {
    return this.#files;
  }

  /** Does not read the size of packs that are left out. Throws StorageError. */
  async list(isLeftOut: (name: string) => boolean = () => false): Promise<StoredPack[]> {
    try {
      const files = new Set(await this.#fs.readdir(this.#directory));
      this.#files = files;
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

/** Null if the pack was deleted after the listing. */
async function sizeOf(fs: FileSystem, path: string): Promise<number | null> {
  return unlessGone(async () => (await fs.lstat(path)).size);
}
