import { dirname } from 'node:path';
import { errorName, type FileSystem } from './file-system.ts';
import { isMissing, unlessMissing } from './unless-gone.ts';

/**
 * Makes the NFS client ask the server again for the content of the directory: opening it clears a cached 'no
 * such name', which otherwise lives for up to 30 seconds. Returns whether the directory exists.
 */
export async function refreshDirectory(fs: FileSystem, directory: string): Promise<boolean> {
  const opened = await unlessMissing(() => fs.open(directory, 'directory'));
  await opened?.close();
  return opened !== null;
}

/** True if a file, directory or link of this name exists. */
export async function isThere(fs: FileSystem, path: string): Promise<boolean> {
  return (await unlessMissing(() => fs.lstat(path))) !== null;
}

/** Makes a directory and its missing parents. Returns whether it was missing. */
export async function makeDirectory(fs: FileSystem, directory: string): Promise<boolean> {
  try {
    await fs.mkdir(directory);
    return true;
  } catch (error) {
    const name = errorName(error);
    if (name === 'EEXIST') return false;
    if (name !== 'ENOENT' || dirname(directory) === directory) throw error;
    await makeDirectory(fs, dirname(directory));
    return makeDirectory(fs, directory);
  }
}

/**
 * Makes a file or link with `make`. If the directory of `path` is missing, makes that first: copies leave out
 * empty ones. Directories above it are never made: if they are missing, everything was deleted, and must not
 * come back.
 */
export async function makeInDirectory<T>(fs: FileSystem, path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    await fs.mkdir(dirname(path));
  } catch (error) {
    if (errorName(error) !== 'EEXIST') throw error;
  }
  return make();
}

/** Removes a file. Succeeds if it does not exist. */
export async function removeFile(fs: FileSystem, path: string): Promise<void> {
  await unlessMissing(() => fs.unlink(path));
}

/** Removes a name and, if it is a directory, everything below it. Succeeds if it does not exist. */
export async function removeTree(fs: FileSystem, path: string): Promise<void> {
  await unlessMissing(async () => {
    if ((await fs.lstat(path)).kind !== 'directory') return fs.unlink(path);
    for (const name of await fs.readdir(path)) await removeTree(fs, `${path}/${name}`);
    await fs.rmdir(path);
  });
}
