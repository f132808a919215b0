import { join } from 'node:path';
import { makeInDirectory } from './directories.ts';
import { writeNewFile } from './durable-file.ts';
import { errorName, type FileSystem } from './file-system.ts';
import { readTextFile } from './text-file.ts';
import { isMissing } from './unless-gone.ts';

/** Names that lead to a short text. If several processes make the same name, exactly one succeeds. */
export interface NamedLinks {
  /**
   * Makes the name and returns true, or returns false if it exists. Throws what the file system throws.
   * `twin` is a name with the same target: on a local disk a hard link to it costs less than a new file.
   */
  make(path: string, target: string, twin?: string): Promise<boolean>;
  /** Makes the name or gives it another target, atomically. */
  replace(path: string, target: string): Promise<void>;
  /** The target, or null if there is no such name. */
  read(path: string): Promise<string | null>;
}

/**
 * Uses a symbolic link: one call and one round trip. If the file system has none, uses a hard link to a file
 * that holds the target. If it has none of these either, uses a directory with one entry named as the target,
 * renamed onto the name. Each kind excludes the others, and a reader accepts all three, so processes need not
 * agree. `temporaryName` returns a new path in a directory of the same file system.
 */
export function openNamedLinks(fs: FileSystem, temporaryName: () => string): NamedLinks {
  const makers = [makeSymbolicLink, makeHardLink, makeDirectoryLink];
  let usable = 0;

  /** Tries one kind after the other until the file system supports it, and remembers that kind. */
  async function make(path: string, target: string, twin?: string): Promise<boolean> {
    if (twin !== undefined) {
      const made = await makeTwin(path, twin);
      if (made !== null) return made;
    }
    for (;;) {
      const made = await makeAs(usable, path, target);
      if (made !== null) return made;
    }
  }

  /** Null if the file system does not support links of this kind: the next kind is tried then. */
  async function makeAs(kind: number, path: string, target: string): Promise<boolean | null> {
    try {
      await makers[kind]?.(fs, path, target, temporaryName);
      return true;
    } catch (error) {
      const name = errorName(error) ?? '';
      if (name === 'EEXIST' || name === 'ENOTEMPTY') return false;
      if (kind + 1 < makers.length && UNSUPPORTED.has(name)) {
        usable = Math.max(usable, kind + 1);
        return null;
      }
      // Windows and some network file systems report a rename onto a directory with other errors.
      if (makers[kind] === makeDirectoryLink && (await readNamedLink(fs, path)) !== null) return false;
      throw error;
    }
  }

  /**
   * Null if it cannot be made this way: macOS makes a link to a symbolic link point to that link's target.
   */
  async function makeTwin(path: string, twin: string): Promise<boolean | null> {
    try {
      await fs.link(twin, path);
      return true;
    } catch (error) {
      const name = errorName(error) ?? '';
      if (name === 'EEXIST') return false;
      if (name === 'ENOENT' || name === 'ELOOP' || UNSUPPORTED.has(name)) return null;
      throw error;
    }
  }

  async function replace(path: string, target: string): Promise<void> {
    const temporary = temporaryName();
    try {
      await makeInDirectory(fs, temporary, () => fs.symlink(target, temporary));
    } catch (error) {
      if (!UNSUPPORTED.has(errorName(error) ?? '')) throw error;
      await writeNewFile(fs, temporary, encode(target), 0o644);
    }
    try {
      await fs.rename(temporary, path);
    } catch (error) {
      // The name is a directory that stands for a link: nothing else can be renamed onto it.
      if (errorName(error) !== 'EISDIR') throw error;
      await fs.rename(path, temporaryName());
      await fs.rename(temporary, path);
    }
  }

  return { make, replace, read: (path) => readNamedLink(fs, path) };
}

/** The errors of systems that have no such links, or deny them to this user. */
const UNSUPPORTED = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'EMLINK', 'EXDEV']);

type Maker = (fs: FileSystem, path: string, target: string, temporaryName: () => string) => Promise<void>;

const makeSymbolicLink: Maker = (fs, path, target) => fs.symlink(target, path);

const makeHardLink: Maker = async (fs, path, target, temporaryName) => {
  const temporary = temporaryName();
  await writeNewFile(fs, temporary, encode(target));
  try {
    await fs.link(temporary, path);
  } finally {
    await fs.unlink(temporary);
  }
};

const makeDirectoryLink: Maker = async (fs, path, target, temporaryName) => {
  const temporary = temporaryName();
  await makeInDirectory(fs, temporary, () => fs.mkdir(temporary));
  const entry = join(temporary, target);
  await writeNewFile(fs, entry, new Uint8Array());
  try {
    await fs.rename(temporary, path);
  } catch (error) {
    await fs.unlink(entry);
    await fs.rmdir(temporary);
    throw error;
  }
};

/** The target of such a name, or null if there is none. Throws what the file system throws. */
export async function readNamedLink(fs: FileSystem, path: string): Promise<string | null> {
  try {
    return await fs.readlink(path);
  } catch (error) {
    if (isMissing(error)) return null;
    const name = errorName(error);
    // Not a symbolic link: Linux and macOS return EINVAL, Windows UNKNOWN.
    if (name !== 'EINVAL' && name !== 'UNKNOWN') throw error;
  }
  const { kind } = await fs.lstat(path);
  if (kind !== 'directory') return readTextFile(fs, path);
  return (await fs.readdir(path))[0] ?? null;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
