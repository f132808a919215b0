import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';

/** The files of this machine that tools may read and write: those below the directories that were allowed. */
export interface LocalFiles {
  /** Where a path that is to be read really lies. Throws `forbidden` or `not_found`. */
  toRead(path: string): Promise<string>;
  /** Where a new file or folder is to lie; the folder that it goes into must be there. */
  toWrite(path: string): Promise<string>;
}

/** For a person, who may name every file: a link or a mounted folder may lead to another drive. Paths are absolute. */
export function everyLocalFile(): LocalFiles {
  return localFiles(null);
}

/** `directories` are absolute; a relative path is below the first of them. */
export function openLocalFiles(directories: readonly string[]): LocalFiles {
  return localFiles(directories);
}

function localFiles(directories: readonly string[] | null): LocalFiles {
  const absolute = (path: string) => {
    if (path.includes('\0')) throw notFound(path);
    return isAbsolute(path) ? resolve(path) : resolve(directories?.[0] ?? '.', path);
  };
  const requireAllowed = async (path: string, real: string) => {
    if (directories === null) return;
    for (const directory of directories) {
      const allowed = await realpath(directory).catch(unlessMissing);
      if (allowed !== null && isBelow(allowed, real)) return;
    }
    throw notAllowed(path, directories);
  };
  return {
    async toRead(path) {
      const real = await realpath(absolute(path)).catch(unlessMissing);
      // Whether there is something elsewhere is nobody's business.
      await requireAllowed(path, real ?? absolute(path));
      if (real === null) throw notFound(path);
      return real;
    },
    async toWrite(path) {
      const wanted = absolute(path);
      const folder = await realpath(dirname(wanted)).catch(unlessMissing);
      await requireAllowed(path, folder ?? wanted);
      if (folder === null) throw notFound(dirname(path));
      return join(folder, relative(dirname(wanted), wanted));
    },
  };
}

export function alreadyThere(path: string): WikiError {
  return new WikiError(
    'already_exists',
    {
      happened: `There is something at ${JSON.stringify(path)} on this machine already.`,
      now: 'Nothing was replaced.',
      next: 'Name a place where nothing is.',
    },
    { local_path: path },
  );
}

function isBelow(directory: string, path: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

function notAllowed(path: string, directories: readonly string[]): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `${JSON.stringify(path.slice(0, 300))} is not in a directory whose files may be read and written.`,
      now:
        directories.length === 0
          ? 'No directory was allowed. Nothing was read or written.'
          : `Allowed are ${directories.join(', ')}. Nothing was read or written.`,
      next: 'Ask the person who runs this server to allow a directory, with --files DIRECTORY or PAGETREE_FILES, or use one of these.',
    },
    { local_path: path },
  );
}

function notFound(path: string): WikiError {
  return new WikiError(
    'not_found',
    {
      happened: `There is nothing at ${JSON.stringify(path.slice(0, 300))} on this machine.`,
      now: 'Nothing was read or written.',
      next: 'Check the path.',
    },
    { local_path: path },
  );
}

function unlessMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(codeOf(error) ?? '')) return null;
  throw error;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
