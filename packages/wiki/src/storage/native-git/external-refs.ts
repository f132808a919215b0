import { join } from 'node:path';
import type { Oid } from '../../formats/oid.ts';
import { isOid } from '../commits/chain-link.ts';
import { makeDirectory } from '../files/directories.ts';
import { syncDirectory, writeNewFile } from '../files/durable-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import { namesIn, unlessGone } from '../files/unless-gone.ts';
import type { Layout } from '../layout.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { readPackedRefs } from './packed-refs.ts';

/** Refs that keep, for native git, foreign commits that came into the wiki in another form. */
export interface ExternalRefs {
  /** Makes a ref for the commit that survives a power cut. */
  keep(commit: Oid): Promise<void>;
  /** Removes the ref of a commit that cannot come in. */
  leave(commit: Oid): Promise<void>;
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

  async function leave(commit: Oid): Promise<void> {
    const path = join(layout.externalRefs, commit);
    try {
      await unlessGone(() => fs.unlink(path));
    } catch (error) {
      throw fileSystemFailure(error, 'Leaving a foreign commit', path);
    }
  }

  async function list(): Promise<Oid[]> {
    try {
      const packed = [...(await readPackedRefs(fs, layout.packedRefs)).keys()];
      const names = packed
        .filter((name) => name.startsWith(EXTERNAL))
        .map((name) => name.slice(EXTERNAL.length));
      // Git's locks lie beside the refs, and stay if git was killed. Git removes the directory once it has
      // packed all refs in it.
      const loose = await namesIn(fs, layout.externalRefs);
      return [...names, ...loose].filter(isOid);
    } catch (error) {
      throw fileSystemFailure(error, 'Listing foreign commits', layout.externalRefs);
    }
  }

  return { keep, leave, list };
}

const EXTERNAL = 'refs/pagetree/external/';
