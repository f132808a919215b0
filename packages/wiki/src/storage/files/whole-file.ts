import type { FileSystem } from './file-system.ts';

/** All bytes of a file. Throws what the file system throws. */
export async function readWholeFile(fs: FileSystem, path: string): Promise<Uint8Array> {
  const file = await fs.open(path, 'r');
  try {
    const bytes = new Uint8Array(await file.size());
    return bytes.subarray(0, await file.read(bytes, 0, bytes.length, 0));
  } finally {
    await file.close();
  }
}
