import { join } from 'node:path';
import type { CommitChain } from '../chain/chain.ts';
import { removeFile } from '../files/directories.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { parseCommit } from '../objects/commit-text.ts';
import { objectId } from '../objects/object-id.ts';
import { parsePackEntry } from '../objects/pack-entry.ts';
import { PACK_HEADER_LENGTH } from '../objects/pack-writer.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';

export interface GarbageOptions {
  fs: FileSystem;
  /** `objects/pack`. */
  directory: string;
  chain: CommitChain;
  /** Whether nobody but Pagetree works here. */
  shared: boolean;
}

/**
 * Removes packs of attempts that were never linked, and answers how many. The pack of a commit goes only where
 * its parent's name leads to another commit. No age makes that safe: a writer that is frozen for a month may
 * thaw and link its commit. Where native git works beside us only the `.keep` goes: a `git gc` may have left
 * another commit's object nowhere but in this pack, as it was kept.
 */
export async function removeGarbagePacks({ fs, directory, chain, shared }: GarbageOptions): Promise<number> {
  let removed = 0;
  try {
    const files = new Set(await fs.readdir(directory));
    const names = [...files].flatMap((file) => /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1] ?? []);
    for (const name of names) {
      if (!shared && !files.has(`pack-${name}.keep`)) continue;
      if (!(await isGarbage(fs, directory, chain, name))) continue;
      for (const ending of shared ? ['idx', 'idx.tmp', 'pack'] : ['keep']) {
        await removeFile(fs, join(directory, `pack-${name}.${ending}`));
      }
      removed += 1;
    }
  } catch (error) {
    throw fileSystemFailure(error, 'Removing packs of attempts that came to nothing', directory);
  }
  return removed;
}

async function isGarbage(fs: FileSystem, directory: string, chain: CommitChain, name: Oid): Promise<boolean> {
  if ((await chain.successor(name)) !== null) return false;
  const parent = await unlessGone(() => parentIn(fs, join(directory, `pack-${name}.pack`), name));
  if (parent === undefined) return false;
  const linked = await chain.successor(parent);
  return linked !== null && linked !== name;
}

/**
 * The parent of the commit that the pack is named by, which comes first in it. Undefined where it holds no such
 * commit, as what was merged or pushed, or cannot be read, as what is being written.
 */
async function parentIn(fs: FileSystem, path: string, commit: Oid): Promise<Oid | null | undefined> {
  const file = await fs.open(path, 'r');
  try {
    const bytes = new Uint8Array(FIRST_BYTES);
    const length = await file.read(bytes, 0, bytes.length, 0);
    const parsed = parsePackEntry(bytes.subarray(PACK_HEADER_LENGTH, Math.max(length, PACK_HEADER_LENGTH)));
    if (parsed.outcome !== 'parsed' || parsed.entry.kind !== 'whole') return undefined;
    const { type, content } = parsed.entry;
    return objectId(type, content) === commit ? (parseCommit(content).parents[0] ?? null) : undefined;
  } finally {
    await file.close();
  }
}

/** Undefined where another process deleted it since it was listed. */
async function unlessGone<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT' || name === 'ESTALE') return undefined;
    throw error;
  }
}

const FIRST_BYTES = 64 * 1024;
