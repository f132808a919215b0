import type { FileSystem } from '../../files/file-system.ts';
import { ObjectStore } from '../../objects/object-store.ts';
import type { ObjectReader } from '../../storage.ts';

/**
 * Runs work that reads the objects on disk, as native git and a new process see them. The shared store sees
 * more: it keeps objects in memory whose files may be gone, and finds small packs by hints, without an index.
 */
export async function readingStored<Result>(
  fs: FileSystem,
  gitDirectory: string,
  work: (stored: ObjectReader) => Promise<Result>,
): Promise<Result> {
  const stored = new ObjectStore({ fs, gitDirectory, cacheBytes: CACHE_BYTES });
  try {
    return await work(stored);
  } finally {
    await stored.close();
  }
}

const CACHE_BYTES = 32 * 1024 * 1024;
