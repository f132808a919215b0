import { resolve } from 'node:path';
import type { FileSystem } from '../files/file-system.ts';
import { readTextFile } from '../files/text-file.ts';
import { isMissing } from '../files/unless-gone.ts';
import { fileSystemFailure, StorageError } from '../storage-error.ts';
import type { ObjectDirectory } from './object-directory.ts';

/** The object directories from which one directory borrows, opened when they are first needed. */
export class Alternates {
  readonly #fs: FileSystem;
  readonly #objectsDirectory: string;
  readonly #open: (path: string) => ObjectDirectory;
  #opening: Promise<ObjectDirectory[]> | null = null;

  constructor(fs: FileSystem, objectsDirectory: string, open: (path: string) => ObjectDirectory) {
    this.#fs = fs;
    this.#objectsDirectory = objectsDirectory;
    this.#open = open;
  }

  /** Throws StorageError `unsupported_repository` if one of them is missing. */
  directories(): Promise<ObjectDirectory[]> {
    if (this.#opening) return this.#opening;
    const reading = readAlternates(this.#fs, this.#objectsDirectory);
    const opening = reading.then((paths) => paths.map(this.#open));
    this.#opening = opening;
    opening.catch(() => {
      // The caller gets the error. The next call looks again.
      if (this.#opening === opening) this.#opening = null;
    });
    return opening;
  }
}

/** Reads `info/alternates` recursively, as git does. */
async function readAlternates(fs: FileSystem, objectsDirectory: string): Promise<string[]> {
  const found = new Set<string>();
  let level = [objectsDirectory];
  for (let depth = 0; level.length > 0 && depth <= MAX_NESTED; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      for (const alternate of await listAlternates(fs, directory)) {
        if (found.has(alternate) || alternate === objectsDirectory) continue;
        await mustExist(fs, alternate, objectsDirectory);
        found.add(alternate);
        next.push(alternate);
      }
    }
    level = next;
  }
  return [...found];
}

const MAX_NESTED = 5;

async function listAlternates(fs: FileSystem, objectsDirectory: string): Promise<string[]> {
  const path = `${objectsDirectory}/info/alternates`;
  const lines = (await readText(fs, path)).split('\n');
  const paths = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return paths.map((line) => resolve(objectsDirectory, line));
}

async function readText(fs: FileSystem, path: string): Promise<string> {
  try {
    return (await readTextFile(fs, path)) ?? '';
  } catch (error) {
    throw fileSystemFailure(error, 'Reading the list of alternates', path);
  }
}

async function mustExist(fs: FileSystem, alternate: string, objectsDirectory: string): Promise<void> {
  try {
    await (await fs.open(alternate, 'directory')).close();
  } catch (error) {
    if (!isMissing(error)) throw fileSystemFailure(error, 'Opening an alternate', alternate);
    throw new StorageError(
      'unsupported_repository',
      `The repository borrows objects from ${alternate}, which is not there. ` +
        'Bring it back, or make the repository complete with `git repack -ad` where it is.',
      { path: alternate, objectsDirectory },
    );
  }
}
