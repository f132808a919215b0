import { join } from 'node:path';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { readNamingCommit } from './naming-commit.ts';

/**
 * Whether a chain was begun here. Whoever began anew where it was lost would begin with what the branch ref names, null
 * where it names nothing; but the ref may lag, and acknowledged writes come after it.
 */
export async function hasChainLeftTraces(fs: FileSystem, layout: Layout, ref: Oid | null): Promise<boolean> {
  try {
    return await hasTraces(fs, layout, ref);
  } catch (error) {
    throw fileSystemFailure(error, 'Looking whether the chain was lost', layout.chain);
  }
}

/** A writer remembers its requests, and names its pack by a commit whose parent the chain had. */
async function hasTraces(fs: FileSystem, layout: Layout, ref: Oid | null): Promise<boolean> {
  if ((await list(fs, layout.requests)).length > 0) return true;
  for (const file of await list(fs, layout.packs)) {
    const name = /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1];
    // A history that was brought in whole lies in a pack of its newest commit's name.
    if (name === undefined || name === ref) continue;
    const commit = await readNamingCommit(fs, join(layout.packs, file), name);
    if (commit?.request && commit.parents.length > 0) return true;
  }
  return false;
}

async function list(fs: FileSystem, directory: string): Promise<string[]> {
  try {
    return await fs.readdir(directory);
  } catch (error) {
    if (errorName(error) !== 'ENOENT') throw error;
    return [];
  }
}
