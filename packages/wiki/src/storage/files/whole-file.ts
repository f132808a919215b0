import type { FileSystem } from './file-system.ts';

/** Thrown for a file with more bytes than the caller accepts. */
export class FileTooLarge extends Error {
  readonly size: number;

  constructor(size: number) {
    super(`The file has ${size} bytes.`);
    this.size = size;
  }
}

/**
 * All bytes of a file. Throws what the file system throws, and FileTooLarge, before reading, if it exceeds
 * `maxBytes`.
 */
export async function readWholeFile(
  fs: FileSystem,
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const file = await fs.open(path, 'r');
  try {
    const size = await file.size();
    if (size > maxBytes) throw new FileTooLarge(size);
    const bytes = new Uint8Array(size);
    return bytes.subarray(0, await file.read(bytes, 0, bytes.length, 0));
  } finally {
    await file.close();
  }
}
