import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { WikiError } from '@pagetree/wiki/contract';
import { AllowedFiles, isMissing, isSafeToWrite } from '@pagetree/wiki/local-files';

/** The files of this machine that tools may read and write: those below the allowed directories. */
export interface LocalFiles {
  allowed: AllowedFiles;
  /** The absolute path for a path given by a caller. */
  absolute(path: string): string;
  /**
   * The path of a new file or folder; its parent folder must exist. Other programs execute files in folders
   * that begin with a dot, such as `.git/hooks`, so tools write no such names, nor names that another system
   * reads as such.
   */
  toWrite(path: string): Promise<string>;
}

/**
 * For a person, who may name any file: a link or a mounted folder may lead to another drive. Paths are
 * absolute.
 */
export function everyLocalFile(): LocalFiles {
  return localFiles(null);
}

/** `directories` are absolute; a relative path is below the first of them. */
export function openLocalFiles(directories: readonly string[]): LocalFiles {
  return localFiles(directories);
}

function localFiles(directories: readonly string[] | null): LocalFiles {
  const allowed = new AllowedFiles(directories);
  const absolute = (path: string) => {
    if (path.includes('\0')) throw notFound(path);
    return isAbsolute(path) ? resolve(path) : resolve(directories?.[0] ?? '.', path);
  };
  return {
    allowed,
    absolute,
    async toWrite(path) {
      const wanted = absolute(path);
      const folder = await orNotFound(dirname(path), allowed.resolve(dirname(wanted)));
      const place = join(folder, relative(dirname(wanted), wanted));
      const below = await allowed.pathBelow(place);
      if (below !== '' && !isSafeToWrite(below.split(sep))) throw hiddenPlace(path);
      return place;
    },
  };
}

/** Reports in plain words if nothing exists at a path. */
export async function orNotFound<Value>(path: string, work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw isMissing(error) ? notFound(path) : error;
  }
}

function hiddenPlace(path: string): WikiError {
  return new WikiError(
    'forbidden',
    {
      happened: `${JSON.stringify(path.slice(0, 300))} is in a folder, or has a name, that begins with a dot or that some system takes for one that does.`,
      now: 'Nothing was written: such names hold the settings of git and other programs.',
      next: 'Name a place without such a part.',
    },
    { local_path: path },
  );
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
