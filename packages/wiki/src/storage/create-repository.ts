import { dirname, join } from 'node:path';
import { isThere, makeDirectory, removeTree } from './files/directories.ts';
import { syncDirectory, writeNewFile } from './files/durable-file.ts';
import { errorName, type FileSystem } from './files/file-system.ts';
import { type Host, randomName } from './files/host.ts';
import { layoutOf } from './layout.ts';
import { WIKI_FORMAT } from './repository-format.ts';
import { fileSystemFailure } from './storage-error.ts';

export interface CreateOptions {
  fs: FileSystem;
  host: Host;
  directory: string;
  /** For example `main`. */
  branch: string;
  /** True if the directory is on a mount that other machines write to as well. */
  shared: boolean;
  /**
   * Writes the initial content of the repository and closes it again. Called before any other process can see
   * it.
   */
  fill?(directory: string): Promise<void>;
}

/**
 * Makes a bare repository for a wiki and returns true, or returns false if one exists. Builds it aside and
 * renames it into place: if two processes make it at once, one succeeds, and nobody sees half of it. A
 * process that removes an unfinished one must rename it first.
 */
export async function createRepository(options: CreateOptions): Promise<boolean> {
  const { fs, host, directory, shared } = options;
  const aside = `${directory}.new-${randomName(host)}`;
  try {
    await build(options, aside);
    await options.fill?.(aside);
    // HEAD is missing if another process took the directory away and part of it was made again.
    await fs.lstat(join(aside, 'HEAD'));
    await fs.rename(aside, directory);
    if (!shared) await syncDirectory(fs, dirname(directory));
    return true;
  } catch (error) {
    await removeTree(fs, aside);
    if (OCCUPIED.has(errorName(error) ?? '') && (await isThere(fs, directory))) return false;
    throw fileSystemFailure(error, 'Making the repository', directory);
  }
}

/** The errors of a rename onto a directory that is not empty. Windows returns EPERM or EACCES. */
const OCCUPIED = new Set(['EEXIST', 'ENOTEMPTY', 'EPERM', 'EACCES', 'EBUSY']);

async function build({ fs, branch, shared }: CreateOptions, directory: string): Promise<void> {
  const layout = layoutOf(directory, branch);
  const directories = [
    layout.packs,
    dirname(layout.refFile),
    join(directory, 'refs', 'tags'),
    layout.temporary,
    layout.requests,
    layout.chain,
  ];
  const encoder = new TextEncoder();
  await makeDirectory(fs, directory);
  // HEAD comes first and is written only here, so that a repository made without it is recognised.
  await writeNewFile(fs, join(directory, 'HEAD'), encoder.encode(`ref: refs/heads/${branch}\n`), 0o644);
  for (const path of directories) await makeDirectory(fs, path);
  await writeNewFile(fs, join(directory, 'config'), encoder.encode(newConfig(shared)), 0o644);
  if (!shared)
    for (const path of new Set(directories.flatMap(parentsUpTo(directory)))) await syncDirectory(fs, path);
}

/**
 * Settings for native git beside us. It pushes packs instead of loose objects, accepts only objects that `git
 * fsck --strict` accepts, rewrites no history, replaces no object by another one, and collects garbage only if a
 * person calls `git gc`.
 */
const newConfig = (shared: boolean) => `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
\tuseReplaceRefs = false
${shared ? '' : PRIVATE}[receive]
\tdenyNonFastForwards = true
\tdenyDeletes = true
\tfsckObjects = true
\thideRefs = refs/replace
\tunpackLimit = 1
\tautogc = false
[gc]
\tauto = 0
\tpruneExpire = never
[maintenance]
\tauto = false
[pagetree]
\tformat = ${WIKI_FORMAT}
`;

/** Makes git too deny other users all rights to the files that it creates, whatever the umask. */
const PRIVATE = '\tsharedRepository = 0600\n';

function parentsUpTo(directory: string): (path: string) => string[] {
  return (path) => (path === directory ? [path] : [path, ...parentsUpTo(directory)(dirname(path))]);
}
