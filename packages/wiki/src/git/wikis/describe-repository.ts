import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import type { RepositoryDescription } from '../../core/ports.ts';
import { errorName, type FileSystem } from '../../storage/files/file-system.ts';
import { OTHERS } from '../../storage/files/private-file-system.ts';
import { type GitConfig, givesOthersRights, isTrue } from '../../storage/git-config.ts';
import { hasReplacements } from '../../storage/replacements.ts';
import { readRepositoryFormat } from '../../storage/repository-format.ts';
import type { Storage } from '../../storage/storage.ts';
import { StorageError } from '../../storage/storage-error.ts';

export interface DescribeParts {
  fs: FileSystem;
  /** The bare repository. */
  directory: string;
  placement: 'local' | 'shared';
  /** True if we must not write it, whatever the file system allows. */
  readOnly: boolean;
  storage: Storage;
  /** A file name that no other process or call makes. */
  temporaryName(): string;
}

/** How to clone the wiki, whether it can be written, and any faults of its setup, each in a sentence. */
export async function describeRepository(parts: DescribeParts): Promise<RepositoryDescription> {
  const { fs, directory, placement, readOnly, storage } = parts;
  const { config } = await readRepositoryFormat(fs, directory);
  const problems =
    placement === 'local'
      ? [
          ...pushProblems(config, directory),
          ...(await replacementsProblem(fs, directory, config)),
          ...(await readersProblem(fs, directory, config)),
        ]
      : [];
  const obstacle = readOnly ? null : await writeObstacle(parts);
  if (obstacle !== null) {
    problems.push(`${directory} cannot be written (${obstacle}), so that pages can be read but not changed.`);
  } else if (!readOnly) {
    problems.push(...(await unsettled(storage)));
  }
  return {
    clone: placement === 'local' ? `git clone ${quoted(directory)}` : null,
    readOnly: readOnly || obstacle !== null,
    problems,
  };
}

/** The error of the file system for a write there; null if it allows writing. */
async function writeObstacle({ fs, directory, temporaryName }: DescribeParts): Promise<string | null> {
  const path = join(directory, temporaryName());
  try {
    const file = await fs.open(path, 'wx');
    await file.close();
    await fs.unlink(path);
    return null;
  } catch (error) {
    const name = errorName(error);
    if (name === null) throw error;
    return name;
  }
}

async function unsettled(storage: Storage): Promise<string[]> {
  try {
    await storage.settle();
    return [];
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return [`The branch that native git sees is behind the wiki: ${error.message}`];
  }
}

function pushProblems(config: GitConfig, directory: string): string[] {
  const cure = (settings: readonly string[]) =>
    settings.map((setting) => `\`git -C ${quoted(directory)} config ${setting} true\``).join(' and ');
  const missing = PUSH_SETTINGS.filter((setting) => !isTrue(config, setting.toLowerCase(), false));
  const isJudged = isTrue(config, 'receive.fsckobjects', isTrue(config, 'transfer.fsckobjects', false));
  return [
    ...(missing.length === 0
      ? []
      : [`A push may rewrite or delete the branch, and the wiki would put it back: run ${cure(missing)}.`]),
    ...(isJudged
      ? []
      : [`A push may bring what \`git fsck --strict\` refuses: run ${cure(['receive.fsckObjects'])}.`]),
  ];
}

async function replacementsProblem(fs: FileSystem, directory: string, config: GitConfig): Promise<string[]> {
  if (!(await hasReplacements(fs, directory, config))) return [];
  const cure = `git -C ${quoted(directory)} config core.useReplaceRefs false`;
  return [`Git shows other objects here than the wiki, because of \`git replace\`: run \`${cure}\`.`];
}

/** New files are private. The rights of existing files, such as native git's, are left to the owner. */
async function readersProblem(fs: FileSystem, directory: string, config: GitConfig): Promise<string[]> {
  if (platform() === 'win32' || givesOthersRights(config)) return [];
  if (((await fs.lstat(directory)).mode & OTHERS) === 0) return [];
  for (let path = dirname(directory); path !== dirname(path); path = dirname(path)) {
    if (((await fs.lstat(path)).mode & OTHERS_ENTER) === 0) return [];
  }
  const share = `git -C ${quoted(directory)} config core.sharedRepository group`;
  return [
    `Other users of this machine can look into this wiki: run \`chmod 700 ${quoted(directory)}\`, or, if it is to be shared with them, \`${share}\`.`,
  ];
}

/** Without this right to a directory, other users reach nothing below it. */
const OTHERS_ENTER = 0o011;

const PUSH_SETTINGS = ['receive.denyNonFastForwards', 'receive.denyDeletes'];

/** Quotes a path for a shell if needed: such quotes work in POSIX shells and on Windows. */
function quoted(path: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(path)) return path;
  return /["$`!]/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : `"${path}"`;
}
