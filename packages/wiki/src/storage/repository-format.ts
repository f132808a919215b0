import { join } from 'node:path';
import { errorName, type FileSystem } from './files/file-system.ts';
import { readNamedLink } from './files/named-links.ts';
import { readTextFile } from './files/text-file.ts';
import { type GitConfig, isTrue, parseGitConfig } from './git-config.ts';
import { openedPath } from './layout.ts';
import { fileSystemFailure, StorageError } from './storage-error.ts';

/** The facts that a repository records about itself. */
export interface RepositoryFormat {
  config: GitConfig;
  /** The branch that HEAD names. */
  branch: string;
}

/** The format of the wikis that this version writes, recorded in their configuration as `pagetree.format`. */
export const WIKI_FORMAT = 1;

/**
 * Reads HEAD and the configuration. Throws `unsupported_repository`, with what to do, if the wiki must not be
 * opened.
 */
export async function readRepositoryFormat(fs: FileSystem, directory: string): Promise<RepositoryFormat> {
  const [head, configText] = await readFiles(fs, directory, ['HEAD', 'config']);
  if (head === null || head === undefined || configText === null || configText === undefined) {
    throw await notBare(fs, directory);
  }
  const config = parseGitConfig(configText);
  refuse(refusalOf(config), directory);
  if (!config.has('pagetree.format')) await checkOrigin(fs, directory);
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head.trim())?.[1];
  if (!branch) {
    const cure = 'run `git symbolic-ref HEAD refs/heads/main` in it';
    throw unsupported(`its HEAD names no branch; ${cure}`, directory);
  }
  return { config, branch };
}

/** The mark that a start on a shared mount leaves for the next one. */
export interface OpenedMark {
  branch: string;
  /** True if there is one index over all packs: see multi-pack-index.ts. */
  indexed: boolean;
}

/**
 * Reads the mark that a start on a shared mount left, in one or two round trips instead of the six for the
 * repository's own files. Returns null if there is none that this version understands: HEAD and the
 * configuration are read then. Only Pagetree writes there, so the mark still holds.
 */
export async function readOpenedMark(fs: FileSystem, directory: string): Promise<OpenedMark | null> {
  const path = openedPath(directory);
  try {
    const [, format, indexed, branch] = MARK.exec((await readNamedLink(fs, path)) ?? '') ?? [];
    return format === `${WIKI_FORMAT}` && branch ? { branch, indexed: indexed !== undefined } : null;
  } catch (error) {
    throw fileSystemFailure(error, 'Opening the repository', path);
  }
}

/**
 * The text of that mark. Versions before the index over all packs work on the same wikis and take everything
 * after `1 ` for the name of the branch: with another word there they would write into a branch of that name.
 * So anything that the mark says besides the branch stands before the blank, and does not match their
 * `/^(\d+) (.+)$/`: they read HEAD then.
 */
export function openedMark({ branch, indexed }: OpenedMark): string {
  return `${WIKI_FORMAT}${indexed ? INDEXED : ''} ${branch}`;
}

const INDEXED = '+indexed';
/** The name of a branch contains no blank. */
const MARK = /^(\d+)(\+indexed)? (\S+)$/;

function refusalOf(config: GitConfig): string | null {
  if (!isTrue(config, 'core.bare', false)) {
    return 'it has a working tree; make a bare one of it with `git clone --mirror`';
  }
  if ((config.get('extensions.objectformat') ?? 'sha1') !== 'sha1') {
    return 'it uses SHA-256, and only SHA-1 repositories can be used';
  }
  if ((config.get('extensions.refstorage') ?? 'files') !== 'files') {
    return 'it keeps its refs as a reftable; run `git refs migrate --ref-format=files` in it';
  }
  const unknown = [...config.keys()].find(
    (name) => name.startsWith('extensions.') && !KNOWN_EXTENSIONS.has(name.slice('extensions.'.length)),
  );
  if (unknown) return `it uses ${unknown}, which is not known here`;
  if (Number(config.get('core.repositoryformatversion') ?? '0') > 1) {
    return 'its core.repositoryformatversion is newer than 1';
  }
  const format = config.get('pagetree.format') ?? '0';
  if (!(Number(format) <= WIKI_FORMAT)) {
    return `its pagetree.format is ${format}, and this version knows formats up to ${WIKI_FORMAT}; use a newer Pagetree`;
  }
  return null;
}

const KNOWN_EXTENSIONS = new Set(['noop', 'objectformat', 'refstorage', 'preciousobjects', 'worktreeconfig']);

/** Checks the origin of a repository that was not made as a wiki. */
async function checkOrigin(fs: FileSystem, directory: string): Promise<void> {
  const alternatesFile = join('objects', 'info', 'alternates');
  const [shallow, alternates] = await readFiles(fs, directory, ['shallow', alternatesFile]);
  if (shallow) refuse('it is a shallow clone; run `git fetch --unshallow` in it first', directory);
  if (alternates) await checkAlternates(fs, directory, alternates);
}

async function checkAlternates(fs: FileSystem, directory: string, alternates: string): Promise<void> {
  for (const line of alternates.split('\n')) {
    const path = line.trim();
    if (path === '' || path.startsWith('#')) continue;
    try {
      await fs.readdir(join(path.startsWith('/') ? '' : join(directory, 'objects'), path));
    } catch (error) {
      if (errorName(error) === null) throw error;
      refuse(
        `it borrows objects from ${path}, which cannot be read; run \`git repack -ad\` where it can`,
        directory,
      );
    }
  }
}

async function notBare(fs: FileSystem, directory: string): Promise<StorageError> {
  const [innerHead] = await readFiles(fs, directory, [join('.git', 'HEAD')]);
  const what = innerHead
    ? 'it is a working tree; make a bare repository of it with `git clone --mirror` and name that one'
    : 'it is no git repository';
  return unsupported(what, directory);
}

async function readFiles(
  fs: FileSystem,
  directory: string,
  names: readonly string[],
): Promise<(string | null)[]> {
  try {
    return await Promise.all(names.map((name) => readTextFile(fs, join(directory, name))));
  } catch (error) {
    if (errorName(error) === 'ENOTDIR')
      throw unsupported('it is no directory, or one of its parts is none', directory);
    throw fileSystemFailure(error, 'Opening the repository', directory);
  }
}

function refuse(reason: string | null, directory: string): void {
  if (reason !== null) throw unsupported(reason, directory);
}

function unsupported(reason: string, directory: string): StorageError {
  return new StorageError('unsupported_repository', `${directory} cannot be used as a wiki: ${reason}.`, {
    directory,
  });
}
