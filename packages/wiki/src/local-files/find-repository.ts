import { isAbsolute, join } from 'node:path';
import { broken } from '../git/received/bounds.ts';
import type { GitDirectories } from '../git/received/local-repository.ts';
import { type AllowedFiles, isMissing } from './allowed-files.ts';

/**
 * The git directory of a folder: the folder itself if it is a bare repository, or its `.git`, which is a file
 * in worktrees and submodules. Null if the folder is not a repository.
 */
export async function findRepository(
  files: AllowedFiles,
  folder: string,
  names: readonly string[],
): Promise<GitDirectories | null> {
  if (['HEAD', 'objects', 'refs'].every((name) => names.includes(name))) return withCommon(files, folder);
  if (!names.includes('.git')) return null;
  const inside = join(folder, '.git');
  if (await isDirectory(files, inside)) return withCommon(files, inside);
  const [, named] = /^gitdir: (.+?)\r?\n*$/s.exec(await textOf(files, inside)) ?? [];
  if (named === undefined) throw broken('its `.git` is neither a directory nor a file that names one');
  return withCommon(files, isAbsolute(named) ? named : join(folder, named));
}

async function withCommon(files: AllowedFiles, own: string): Promise<GitDirectories> {
  const named = await textOf(files, join(own, 'commondir')).catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
  const common = named.trim();
  if (common === '') return { own, common: own };
  return { own, common: isAbsolute(common) ? common : join(own, common) };
}

async function isDirectory(files: AllowedFiles, path: string): Promise<boolean> {
  return files.list(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}

async function textOf(files: AllowedFiles, path: string): Promise<string> {
  return Buffer.from(await files.read(path, MAX_TEXT_BYTES)).toString('utf8');
}

/** The maximum size of such a file, which contains one path. */
const MAX_TEXT_BYTES = 10_000;
