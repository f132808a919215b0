import { errorName, type FileSystem } from './file-system.ts';

/** The result of `call`, or null if the name that it uses does not exist. */
export async function unlessMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The result of `call`, or null if the file or directory it works on was removed meanwhile. */
export async function unlessGone<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/**
 * The names in a directory; none if it is missing, as copies leave out empty ones. Throws what the file
 * system throws.
 */
export async function namesIn(fs: FileSystem, directory: string): Promise<string[]> {
  return (await unlessMissing(() => fs.readdir(directory))) ?? [];
}

export function isMissing(error: unknown): boolean {
  return errorName(error) === 'ENOENT';
}

/** True for the errors of a removed file: by its name, and on NFS also while it is open. */
export function isGone(error: unknown): boolean {
  return isMissing(error) || errorName(error) === 'ESTALE';
}
