import { dirname } from 'node:path';
import { errorName, type FileSystem } from './file-system.ts';

/**
 * Makes the NFS client ask the server again what the directory holds: opening it cures a cached 'no such
 * name', which otherwise lives for up to 30 seconds. Whether the directory is there is the answer.
 */
export async function refreshDirectory(fs: FileSystem, directory: string): Promise<boolean> {
  try {
    const opened = await fs.open(directory, 'directory');
    await opened.close();
    return true;
  } catch (error) {
    if (errorName(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether there is a file, a directory or a link of this name. */
export async function isThere(fs: FileSystem, path: string): Promise<boolean> {
  try {
    await fs.lstat(path);
    return true;
  } catch (error) {
    if (errorName(error) === 'ENOENT') return false;
    throw error;
  }
}

/** What `call` gives, null where what it works on was removed meanwhile. */
export async function unlessGone<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT' || name === 'ESTALE') return null;
    throw error;
  }
}

/** Makes a directory and what is missing above it. Answers whether it was missing. */
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
 * Makes a file or link by `make`, and where the directory of its `path` is missing makes that first: copies leave out
 * empty ones. What lies above is made by nobody: it is missing where all was deleted, and is not to come back.
 */
export async function makeInDirectory<T>(fs: FileSystem, path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if (errorName(error) !== 'ENOENT') throw error;
  }
  try {
    await fs.mkdir(dirname(path));
  } catch (error) {
    if (errorName(error) !== 'EEXIST') throw error;
  }
  return make();
}

/** Removes a file. What is not there is removed. */
export async function removeFile(fs: FileSystem, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (errorName(error) !== 'ENOENT') throw error;
  }
}

/** Removes a name and, where it is a directory, everything below it. What is not there is removed. */
export async function removeTree(fs: FileSystem, path: string): Promise<void> {
  try {
    if ((await fs.lstat(path)).kind !== 'directory') return await fs.unlink(path);
    for (const name of await fs.readdir(path)) await removeTree(fs, `${path}/${name}`);
    await fs.rmdir(path);
  } catch (error) {
    if (errorName(error) !== 'ENOENT') throw error;
  }
}
