import { join } from 'node:path';
import type { Oid } from '../formats/oid.ts';
import { refreshDirectory } from './files/directories.ts';
import type { FileSystem } from './files/file-system.ts';
import { readNamedLink } from './files/named-links.ts';
import { layoutOf } from './layout.ts';
import { readOpenedMark, readRepositoryFormat } from './repository-format.ts';
import { fileSystemFailure } from './storage-error.ts';

/**
 * True if a commit that was the head of a wiki is so no longer. Reads one name of the chain, and opens nothing. Does not
 * see what native git pushed until the wiki is read.
 */
export async function hasCommitAfter(
  { fs, directory, shared }: { fs: FileSystem; directory: string; shared: boolean },
  commit: Oid,
): Promise<boolean> {
  const mark = shared ? await readOpenedMark(fs, directory) : null;
  const branch = mark?.branch ?? (await readRepositoryFormat(fs, directory)).branch;
  const { chain } = layoutOf(directory, branch);
  try {
    // A shared mount may remember for long that there was no such name.
    await refreshDirectory(fs, chain);
    return (await readNamedLink(fs, join(chain, commit))) !== null;
  } catch (error) {
    throw fileSystemFailure(error, 'Reading the chain', chain);
  }
}
