import { errorName, type FileSystem } from './file-system.ts';

/** The text of a small file, null where there is none. Throws what the file system throws. */
export async function readTextFile(fs: FileSystem, path: string): Promise<string | null> {
  try {
    const file = await fs.open(path, 'r');
    try {
      const bytes = new Uint8Array(await file.size());
      const length = await file.read(bytes, 0, bytes.length, 0);
      return new TextDecoder().decode(bytes.subarray(0, length));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorName(error) === 'ENOENT') return null;
    throw error;
  }
}
