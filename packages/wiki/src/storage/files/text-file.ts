import { errorName, type FileSystem } from './file-system.ts';
import { readWholeFile } from './whole-file.ts';

/**
 * The text of a small file, null where there is none. Opens it again where it was replaced between opening and
 * reading, as NFS then answers ESTALE. Throws what the file system throws.
 */
export async function readTextFile(fs: FileSystem, path: string): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return new TextDecoder().decode(await readWholeFile(fs, path));
    } catch (error) {
      const name = errorName(error);
      if (name === 'ENOENT') return null;
      if (name !== 'ESTALE' || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

const MOST_ATTEMPTS = 5;
