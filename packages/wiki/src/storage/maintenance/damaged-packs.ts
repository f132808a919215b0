import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { unlessGone } from '../files/directories.ts';
import type { FileSystem, OpenFile } from '../files/file-system.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure, isLost } from '../storage-error.ts';
import { readNamingCommit } from './naming-commit.ts';
import { salvagePack } from './salvage-pack.ts';
import { readingStored } from './stored-objects.ts';

/** A pack that is not as it was written. */
export interface DamagedPack {
  /** Between `pack-` and the ending. */
  name: string;
  /** What is wrong, in plain words. */
  text: string;
  /** Somebody who is frozen may still give it its index, and then rely on it: it is copied, and stays where it is. */
  mayGoOn: boolean;
}

export interface PackCheckOptions {
  fs: FileSystem;
  /** `objects/pack`. */
  directory: string;
  /** Whether the chain names this commit: then its pack was complete once. */
  isChained(commit: string): Promise<boolean>;
}

/** Reads every pack and every index once and compares their checksums. Packs that go away meanwhile were merged. */
export async function findDamagedPacks({
  fs,
  directory,
  isChained,
}: PackCheckOptions): Promise<DamagedPack[]> {
  try {
    const files = new Set(await fs.readdir(directory));
    const damaged: DamagedPack[] = [];
    for (const file of [...files].sort()) {
      const name = /^pack-([0-9a-f]{40})\.pack$/.exec(file)?.[1];
      if (name === undefined) continue;
      const path = join(directory, `pack-${name}`);
      const hasIndex = files.has(`pack-${name}.idx`);
      const isFinished = hasIndex || (await isChained(name));
      const what = hasIndex
        ? await unlessGone(() => damageOf(fs, path))
        : (await unlessGone(() => isNeeded(fs, directory, name, isFinished))) && 'its index is missing';
      const text = `The pack objects/pack/${file} is damaged: ${what}.`;
      if (what) damaged.push({ name, text, mayGoOn: !isFinished });
    }
    return damaged;
  } catch (error) {
    throw fileSystemFailure(error, 'Checking the packs', directory);
  }
}

/**
 * Whether a pack without an index holds what can be read nowhere else. Its writer may have given it one since it was
 * listed; a merger that died takes the index of what it merged away, but not the pack; and what merges packs takes none
 * away before its own has an index. A writer's that is not chained is just being written, or came to nothing.
 */
export async function isNeeded(
  fs: FileSystem,
  directory: string,
  name: Oid,
  isChained: boolean,
): Promise<boolean> {
  const path = join(directory, `pack-${name}`);
  if (!isChained && (await readNamingCommit(fs, `${path}.pack`, name))) return false;
  return readingStored(fs, dirname(dirname(directory)), async (stored) => {
    try {
      if (isChained) await stored.read(name);
      for await (const { oid } of salvagePack(fs, path, stored)) await stored.read(oid);
      return false;
    } catch (error) {
      if (!isLost(error)) throw error;
      return true;
    }
  });
}

async function damageOf(fs: FileSystem, path: string): Promise<string | null> {
  const pack = await digestOf(fs, `${path}.pack`, CHECKSUM_BYTES);
  if (!pack.holds) return 'its checksum is wrong';
  const index = await digestOf(fs, `${path}.idx`, 2 * CHECKSUM_BYTES);
  if (!index.holds) return 'the checksum of its index is wrong';
  const isItsIndex = index.ending.subarray(0, CHECKSUM_BYTES).equals(pack.ending);
  return isItsIndex ? null : 'its index is that of another pack';
}

const CHECKSUM_BYTES = 20;
const CHUNK_BYTES = 1024 * 1024;

/** Whether a file ends with the checksum of what comes before it, and its last bytes. */
async function digestOf(fs: FileSystem, path: string, endingBytes: number) {
  const file = await fs.open(path, 'r');
  try {
    const size = await file.size();
    const end = Math.max(0, size - CHECKSUM_BYTES);
    const hash = createHash('sha1');
    for (let position = 0; position < end; position += CHUNK_BYTES) {
      hash.update(await readBytes(file, position, Math.min(CHUNK_BYTES, end - position)));
    }
    const ending = await readBytes(file, Math.max(0, size - endingBytes), endingBytes);
    return { holds: hash.digest().equals(ending.subarray(-CHECKSUM_BYTES)), ending };
  } finally {
    await file.close();
  }
}

async function readBytes(file: OpenFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, await file.read(bytes, 0, length, position));
}
