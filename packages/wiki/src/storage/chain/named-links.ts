import { join } from 'node:path';
import { makeInDirectory } from '../files/directories.ts';
import { writeNewFile } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { readTextFile } from '../files/text-file.ts';

/** Names that lead to a short text. Of all who make the same name, however they race, exactly one succeeds. */
export interface NamedLinks {
  /**
   * Makes the name and answers true, or answers false: it was there. Throws what the file system throws.
   * `twin` is a name that leads to the same target: a hard link to it costs a local disk less than a new file.
   */
  make(path: string, target: string, twin?: string): Promise<boolean>;
  /** Makes the name or turns it to another target, at once and whole. */
  replace(path: string, target: string): Promise<void>;
  /** The target, null where there is no such name. */
  read(path: string): Promise<string | null>;
}

/**
 * A symbolic link is one call and one round trip. Where there are none, it is a hard link to a file that holds
 * the target; where there are none of these, a directory, with one entry named as the target, renamed onto
 * the name. Each excludes the others, and a reader takes all three, so that processes need not agree.
 * `temporaryName` answers a new path in a directory of the same file system.
 */
export function openNamedLinks(fs: FileSystem, temporaryName: () => string): NamedLinks {
  const makers = [makeSymbolicLink, makeHardLink, makeDirectoryLink];
  let usable = 0;

  /** Tries one kind after the other until the file system knows it, and remembers that one. */
  async function make(path: string, target: string, twin?: string): Promise<boolean> {
    if (twin !== undefined) {
      const made = await makeTwin(path, twin);
      if (made !== null) return made;
    }
    for (;;) {
      const attempt = usable;
      try {
        await makers[attempt]?.(fs, path, target, temporaryName);
        return true;
      } catch (error) {
        const name = errorName(error) ?? '';
        if (name === 'EEXIST' || name === 'ENOTEMPTY') return false;
        if (attempt + 1 < makers.length && UNSUPPORTED.has(name)) usable = Math.max(usable, attempt + 1);
        // Windows and some network file systems answer a rename onto a directory in other words.
        else if (makers[attempt] === makeDirectoryLink && (await readNamedLink(fs, path)) !== null)
          return false;
        else throw error;
      }
    }
  }

  /** Null where it cannot be made so: macOS takes for a link to a link one to what that leads to. */
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
      // A directory that stands for a link: nothing else can be renamed onto it.
      if (errorName(error) !== 'EISDIR') throw error;
      await fs.rename(path, temporaryName());
      await fs.rename(temporary, path);
    }
  }

  return { make, replace, read: (path) => readNamedLink(fs, path) };
}

/** What file systems and systems answer that have no such links, or keep them from this user. */
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

/** The target of such a name, null where there is none. Throws what the file system throws. */
export async function readNamedLink(fs: FileSystem, path: string): Promise<string | null> {
  try {
    return await fs.readlink(path);
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT') return null;
    // No symbolic link: Linux and macOS answer EINVAL, Windows UNKNOWN.
    if (name !== 'EINVAL' && name !== 'UNKNOWN') throw error;
  }
  const { kind } = await fs.lstat(path);
  if (kind !== 'directory') return readTextFile(fs, path);
  return (await fs.readdir(path))[0] ?? null;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
