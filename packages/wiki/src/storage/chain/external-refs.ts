import { join } from 'node:path';
import { makeDirectory } from '../files/directories.ts';
import { syncDirectory, writeNewFile } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import type { Layout } from '../layout.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { isOid } from './chain-link.ts';
import { readPackedRefs } from './packed-refs.ts';

/** Refs that keep, for native git, foreign commits which came into the wiki in another form. */
export interface ExternalRefs {
  /** Makes a ref for the commit that survives a power cut. */
  keep(commit: Oid): Promise<void>;
  list(): Promise<Oid[]>;
}

export function openExternalRefs(fs: FileSystem, layout: Layout, temporaryName: () => string): ExternalRefs {
  async function keep(commit: Oid): Promise<void> {
    const temporary = temporaryName();
    const path = join(layout.externalRefs, commit);
    await writeNewFile(fs, temporary, new TextEncoder().encode(`${commit}\n`), 0o644);
    try {
      await makeDirectory(fs, layout.externalRefs);
      await fs.rename(temporary, path);
    } catch (error) {
      throw fileSystemFailure(error, 'Keeping a foreign commit', path);
    }
    await syncDirectory(fs, layout.externalRefs);
  }

  async function list(): Promise<Oid[]> {
    try {
      const packed = [...(await readPackedRefs(fs, layout.packedRefs)).keys()];
      const names = packed
        .filter((name) => name.startsWith(EXTERNAL))
        .map((name) => name.slice(EXTERNAL.length));
      // Beside them lie git's locks, for ever where git was killed.
      return [...names, ...(await looseNames())].filter(isOid);
    } catch (error) {
      throw fileSystemFailure(error, 'Listing foreign commits', layout.externalRefs);
    }
  }

  /** Git removes the directory when it has packed all that was in it. */
  async function looseNames(): Promise<string[]> {
    try {
      return await fs.readdir(layout.externalRefs);
    } catch (error) {
      if (errorName(error) === 'ENOENT') return [];
      throw error;
    }
  }

  return { keep, list };
}

const EXTERNAL = 'refs/pagetree/external/';
