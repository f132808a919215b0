import { dirname } from 'node:path';
import { makeDirectory, refreshDirectory } from './files/directories.ts';
import { syncDirectory } from './files/durable-file.ts';
import type { FileSystem } from './files/file-system.ts';
import type { Layout } from './layout.ts';
import { fileSystemFailure } from './storage-error.ts';

/**
 * A repository made by native git lacks the wiki's directories. The chain's directory is made last of all.
 */
export async function makeStateDirectories(fs: FileSystem, layout: Layout, shared: boolean): Promise<void> {
  try {
    if (await refreshDirectory(fs, layout.chain)) return;
    for (const directory of [layout.temporary, layout.requests, layout.chain]) {
      await makeDirectory(fs, directory);
      if (shared) continue;
      for (let path = dirname(directory); path !== layout.gitDirectory; path = dirname(path)) {
        await syncDirectory(fs, path);
      }
      await syncDirectory(fs, layout.gitDirectory);
    }
  } catch (error) {
    throw fileSystemFailure(error, "Making the wiki's own directories", layout.chain);
  }
}
