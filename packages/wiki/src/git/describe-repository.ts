import { join } from 'node:path';
import type { RepositoryDescription } from '../core/ports.ts';
import { errorName, type FileSystem } from '../storage/files/file-system.ts';
import { type GitConfig, isTrue } from '../storage/git-config.ts';
import { readRepositoryFormat } from '../storage/repository-format.ts';
import type { Storage } from '../storage/storage.ts';
import { StorageError } from '../storage/storage-error.ts';

export interface DescribeParts {
  fs: FileSystem;
  /** The bare repository. */
  directory: string;
  placement: 'local' | 'shared';
  /** Not to be written by us, whatever the file system says. */
  readOnly: boolean;
  storage: Storage;
  /** A file name that nobody else makes. */
  temporaryName(): string;
}

/** How to clone the wiki, whether it can be written, and what is set up wrongly, each in a sentence. */
export async function describeRepository(parts: DescribeParts): Promise<RepositoryDescription> {
  const { fs, directory, placement, readOnly, storage } = parts;
  const { config } = await readRepositoryFormat(fs, directory);
  const problems = placement === 'local' ? pushProblems(config, directory) : [];
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

/** What the file system answers who would write there; null where it lets us. */
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
  const missing = PUSH_SETTINGS.filter((setting) => !isTrue(config, setting.toLowerCase(), false));
  if (missing.length === 0) return [];
  const cure = missing
    .map((setting) => `\`git -C ${quoted(directory)} config ${setting} true\``)
    .join(' and ');
  return [`A push may rewrite or delete the branch, and the wiki would put it back: run ${cure}.`];
}

const PUSH_SETTINGS = ['receive.denyNonFastForwards', 'receive.denyDeletes'];

/** For a shell, where it needs quotes: these hold in POSIX shells and on Windows. */
function quoted(path: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(path)) return path;
  return /["$`!]/.test(path) ? `'${path.replaceAll("'", "'\\''")}'` : `"${path}"`;
}
