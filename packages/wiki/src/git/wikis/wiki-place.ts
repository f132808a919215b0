import { basename, dirname, join } from 'node:path';
import { cureByPerson, WikiError } from '../../contract/errors.ts';
import { makeDirectory, removeTree } from '../../storage/files/directories.ts';
import { errorName, type FileSystem } from '../../storage/files/file-system.ts';
import { type Host, randomName } from '../../storage/files/host.ts';
import { isMissing } from '../../storage/files/unless-gone.ts';
import { fileSystemFailure } from '../../storage/storage-error.ts';
import { throwAsWikiError } from '../storage-failures.ts';

/**
 * The names of the wikis in a directory of wikis. A missing directory holds none if it `mayBeMissing`. With
 * `sweep`, removes unfinished wikis that a dead process began more than a day ago. Throws
 * `backend_unavailable`, with what to do instead, if the directory is something else: a working tree, a
 * vault, a repository itself.
 */
export async function findWikis(
  fs: FileSystem,
  directory: string,
  { mayBeMissing, sweep, host }: { mayBeMissing: boolean; sweep: boolean; host: Host },
): Promise<string[]> {
  const names = await list(fs, directory, mayBeMissing);
  const refusal = refusalOf(directory, names);
  if (refusal !== null) throw wrongPlace(refusal);
  if (sweep) await removeUnfinished(fs, host, directory, names);
  return names.flatMap((name) => WIKI_DIRECTORY.exec(name)?.[1] ?? []).sort();
}

/** Makes the directory of wikis and its missing parents. */
export async function makeDirectoryOfWikis(fs: FileSystem, directory: string): Promise<void> {
  try {
    await makeDirectory(fs, directory);
  } catch (error) {
    cannotOpen(error, directory);
  }
}

/** The directory of the wiki of this name. */
export function directoryOf(name: string): string {
  return `${name}.git`;
}

async function list(fs: FileSystem, directory: string, mayBeMissing: boolean): Promise<string[]> {
  try {
    return await fs.readdir(directory);
  } catch (error) {
    if (!isMissing(error)) cannotOpen(error, directory);
    if (mayBeMissing) return [];
    throw wrongPlace({
      what: `There is no directory ${directory}.`,
      instead:
        'Correct the name (--dir or PAGETREE_DIR), or start the server there once, which makes the directory and a wiki in it.',
    });
  }
}

function cannotOpen(error: unknown, directory: string): never {
  if (errorName(error) === 'ENOTDIR') {
    throw wrongPlace({
      what: `${directory} is not a directory.`,
      instead: 'Name a directory (--dir or PAGETREE_DIR).',
    });
  }
  const failure = fileSystemFailure(error, `Opening the directory of wikis, ${directory},`, directory);
  if (failure.code !== 'permission_denied' && failure.code !== 'read_only') return throwAsWikiError(failure);
  throw wrongPlace({ what: failure.message, instead: LET_IN }, failure);
}

/**
 * The process that began it may only have slept, as the machine did. So rename it first, to a name that the
 * next start also takes for unfinished: a process that wakes then cannot put the rest of it into place.
 */
async function removeUnfinished(
  fs: FileSystem,
  host: Host,
  directory: string,
  names: readonly string[],
): Promise<void> {
  const before = host.now() - UNFINISHED_AGE;
  for (const path of names.filter((name) => UNFINISHED.test(name)).map((name) => join(directory, name))) {
    try {
      if ((await fs.lstat(path)).modifiedMs >= before) continue;
      const taken = path.replace(/[0-9a-f]{32}$/, randomName(host));
      await fs.rename(path, taken);
      await removeTree(fs, taken);
    } catch (error) {
      // It blocks nobody: the next process tries again. Any other error is a defect.
      if (errorName(error) === null) throw error;
    }
  }
}

interface Refusal {
  what: string;
  instead: string;
}

function refusalOf(directory: string, names: readonly string[]): Refusal | null {
  const holds = (...wanted: string[]) => wanted.every((name) => names.includes(name));
  const tree = basename(directory) === '.git' ? dirname(directory) : directory;
  const clone = `git clone --bare ${CLONE_SETTINGS} ${JSON.stringify(tree)} DIR/wiki.git`;
  if (holds('.git') || tree !== directory) {
    return {
      what: `${tree} is a git working tree, whose files would not follow what the wiki changes.`,
      instead: `Make a bare repository of it with \`${clone}\` and name DIR.`,
    };
  }
  if (holds('HEAD', 'objects', 'refs')) {
    const wiki = WIKI_DIRECTORY.exec(basename(directory))?.[1];
    return {
      what: `${directory} is itself a bare git repository.`,
      instead:
        wiki === undefined
          ? 'Move it into an otherwise empty directory under a name such as wiki.git, and name that directory.'
          : `Name the directory that it lies in, ${dirname(directory)}, and the wiki ${wiki}.`,
    };
  }
  const holdsWikis = names.some((name) => WIKI_DIRECTORY.test(name));
  if (holds('.obsidian') || (!holdsWikis && names.some((name) => /\.md$/i.test(name)))) {
    return {
      what: `${directory} is a folder of Markdown files, not a directory of wikis.`,
      instead: `To make a wiki of it, run \`git init && git add . && git commit -m Begin\` in it, then \`${clone}\`, and name DIR.`,
    };
  }
  return null;
}

function wrongPlace({ what, instead }: Refusal, cause?: Error): WikiError {
  const text = {
    happened: what,
    now: 'No wiki was opened, and nothing in there was changed.',
    ...cureByPerson(instead),
  };
  return new WikiError('backend_unavailable', text, {}, { cause });
}

/** The settings of a new wiki: without these a push may rewrite the branch. */
const CLONE_SETTINGS =
  '-c receive.denyNonFastForwards=true -c receive.denyDeletes=true -c receive.fsckObjects=true';
const LET_IN = 'Let this user read and write there, or name another directory (--dir or PAGETREE_DIR).';
const UNFINISHED_AGE = 24 * 60 * 60 * 1000;
const UNFINISHED = /^[a-z0-9-]{1,64}\.git\.new-[0-9a-f]{32}$/;
const WIKI_DIRECTORY = /^([a-z0-9-]{1,64})\.git$/;
