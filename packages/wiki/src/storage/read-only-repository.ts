import { join } from 'node:path';
import { isOid, type Oid } from '../formats/oid.ts';
import type { FileSystem } from './files/file-system.ts';
import { readTextFile } from './files/text-file.ts';
import { readPackedRef } from './native-git/packed-refs.ts';
import { ObjectStore } from './objects/object-store.ts';
import type { ObjectReader } from './storage.ts';

/** A repository of native git that is never changed here. */
export interface ReadOnlyRepository extends ObjectReader {
  /**
   * The commit at a ref, given its full name; null if there is no such ref. Throws what the file system
   * throws, and FileTooLarge.
   */
  ref(name: string): Promise<Oid | null>;
  close(): Promise<void>;
}

export function openReadOnly(fs: FileSystem, gitDirectory: string, cacheBytes: number): ReadOnlyRepository {
  const objects = new ObjectStore({ fs, gitDirectory, cacheBytes });
  return {
    read: (oid) => objects.read(oid),
    size: (oid) => objects.size(oid),
    close: () => objects.close(),
    async ref(name) {
      const loose = ((await readTextFile(fs, join(gitDirectory, name))) ?? '').trim();
      return isOid(loose)
        ? loose
        : readPackedRef(fs, join(gitDirectory, 'packed-refs'), name, MAX_REFS_BYTES);
    },
  };
}

/** The lines of 250,000 refs. */
const MAX_REFS_BYTES = 16_000_000;
