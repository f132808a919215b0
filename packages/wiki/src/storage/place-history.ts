import { dirname } from 'node:path';
import type { Oid } from '../formats/oid.ts';
import type { PackBytes } from '../formats/packs/pack.ts';
import { makeDirectory } from './files/directories.ts';
import { syncDirectory, writeNewFile } from './files/durable-file.ts';
import type { FileSystem } from './files/file-system.ts';
import { layoutOf } from './layout.ts';
import { landPack } from './packs/land-pack.ts';

/** A commit and a pack of everything that it reaches. */
export interface PackedHistory {
  tip: Oid;
  pack: PackBytes;
}

/**
 * Puts a history into a repository that nobody has opened yet, as native git would. The chain begins with it
 * when the repository is first opened. Throws StorageError.
 */
export async function placeHistory(
  fs: FileSystem,
  directory: string,
  branch: string,
  { tip, pack }: PackedHistory,
): Promise<void> {
  const { packs, refFile } = layoutOf(directory, branch);
  await landPack(fs, packs, tip, pack);
  await syncDirectory(fs, packs);
  await makeDirectory(fs, dirname(refFile));
  await writeNewFile(fs, refFile, new TextEncoder().encode(`${tip}\n`), 0o644);
  await syncDirectory(fs, dirname(refFile));
}
