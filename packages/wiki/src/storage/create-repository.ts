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
  /** Such as `main`. */
  branch: string;
  /** Whether the directory is on a mount that other machines write to as well. */
  shared: boolean;
  /** Writes what the repository is to hold from the start, and has it closed again. Called before anybody can see it. */
  fill?(directory: string): Promise<void>;
}

/**
 * Makes a bare repository for a wiki and answers true, or answers false: one was there. It is made
 * aside and renamed into place, so that of two who make it at once one succeeds and nobody sees half of it.
 * Who takes away what is aside as unfinished must rename it first.
 */
export async function createRepository(options: CreateOptions): Promise<boolean> {
  const { fs, host, directory, shared } = options;
  const aside = `${directory}.new-${randomName(host)}`;
  try {
    await build(options, aside);
    await options.fill?.(aside);
    // It is missing where the whole was taken away and a part made anew.
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

/** What a rename onto a directory that holds something is answered with; Windows says EPERM or EACCES. */
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
  // First of all and only here, so that what was made without it is known.
  await writeNewFile(fs, join(directory, 'HEAD'), encoder.encode(`ref: refs/heads/${branch}\n`), 0o644);
  for (const path of directories) await makeDirectory(fs, path);
  await writeNewFile(fs, join(directory, 'config'), encoder.encode(NEW_CONFIG), 0o644);
  if (!shared)
    for (const path of new Set(directories.flatMap(parentsUpTo(directory)))) await syncDirectory(fs, path);
}

/**
 * Native git beside us: it pushes packs instead of loose objects, rewrites no history, and leaves collecting
 * garbage to whoever calls `git gc` by hand.
 */
const NEW_CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[receive]
\tdenyNonFastForwards = true
\tdenyDeletes = true
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

function parentsUpTo(directory: string): (path: string) => string[] {
  return (path) => (path === directory ? [path] : [path, ...parentsUpTo(directory)(dirname(path))]);
}
