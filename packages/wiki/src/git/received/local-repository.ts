import { join } from 'node:path';
import { WikiError } from '../../contract/errors.ts';
import { isOid, type Oid } from '../../formats/oid.ts';
import type { FileSystem } from '../../storage/files/file-system.ts';
import { readTextFile } from '../../storage/files/text-file.ts';
import { FileTooLarge } from '../../storage/files/whole-file.ts';
import { openReadOnly, type ReadOnlyRepository } from '../../storage/read-only-repository.ts';
import { isLost } from '../../storage/storage-error.ts';
import { makeBundle } from '../make-bundle.ts';
import { HistorySteps } from '../sending/history-steps.ts';
import { throwAsWikiError } from '../storage-failures.ts';
import { BOUNDS, broken, repositoryDamaged } from './bounds.ts';

/** The directories of a repository: a linked worktree has a HEAD of its own, and shares the rest. */
export interface GitDirectories {
  own: string;
  /** Objects and branches. */
  common: string;
}

/**
 * A bundle of the history of HEAD of any local repository, which is only read. Throws `invalid_input`, and
 * `too_large` as the import of a bundle does.
 */
export async function bundleOfRepository(fs: FileSystem, directories: GitDirectories): Promise<Uint8Array> {
  return inRepository(fs, directories, ({ repository, tip, branch }) =>
    makeBundle(repository, tip, branch, {}, Number.POSITIVE_INFINITY, BOUNDS),
  );
}

/** Passes the same history to `use` in steps. The repository stays open until `use` ends. Throws the same, and what `use` throws. */
export async function inStepsOfRepository<Result>(
  fs: FileSystem,
  directories: GitDirectories,
  use: (steps: HistorySteps, branch: string) => Promise<Result>,
): Promise<Result> {
  return inRepository(fs, directories, async ({ repository, tip, branch }) =>
    use(await HistorySteps.of(repository, tip), branch),
  );
}

interface LocalHistory {
  repository: ReadOnlyRepository;
  tip: Oid;
  branch: string;
}

async function inRepository<Result>(
  fs: FileSystem,
  directories: GitDirectories,
  work: (history: LocalHistory) => Promise<Result>,
): Promise<Result> {
  const repository = openReadOnly(fs, directories.common, CACHE_BYTES);
  try {
    return await work({ repository, ...(await readHead(fs, directories.own, repository)) });
  } catch (error) {
    if (error instanceof FileTooLarge) {
      throw repositoryDamaged(`one of its files of refs has ${error.size} bytes.`, error);
    }
    if (isLost(error)) throw repositoryDamaged(error.message, error);
    if (error instanceof WikiError && error.code === 'internal') {
      throw repositoryDamaged(error.text.happened, error);
    }
    return throwAsWikiError(error);
  } finally {
    await repository.close();
  }
}

async function readHead(
  fs: FileSystem,
  directory: string,
  repository: ReadOnlyRepository,
): Promise<{ tip: Oid; branch: string }> {
  const head = ((await readTextFile(fs, join(directory, 'HEAD'))) ?? '').trim();
  if (isOid(head)) return { tip: head, branch: 'main' };
  const [, name, branch] = /^ref: (refs\/heads\/(.+))$/.exec(head) ?? [];
  if (name === undefined || branch === undefined || name.split('/').includes('..')) throw noHead();
  const tip = await repository.ref(name);
  if (tip === null) throw noHead();
  return { tip, branch };
}

function noHead() {
  return broken('the HEAD of the repository names no commit');
}

const CACHE_BYTES = 16_000_000;
