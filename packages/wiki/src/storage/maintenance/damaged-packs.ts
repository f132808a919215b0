import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { errorName, type FileSystem, type OpenFile } from '../files/file-system.ts';
import { ObjectStore } from '../objects/object-store.ts';
import type { Oid } from '../storage.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { salvagePack } from './salvage-pack.ts';
import { isLost } from './soundness.ts';

/** A pack that is not as it was written. */
export interface DamagedPack {
  /** Between `pack-` and the ending. */
  name: string;
  /** What is wrong, in plain words. */
  text: string;
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
      const what = files.has(`pack-${name}.idx`)
        ? await unlessGone(() => damageOf(fs, path))
        : // One that is just being written has none yet.
          (await isChained(name)) &&
          (await unlessGone(() => isNeeded(fs, directory, name))) &&
          'its index is missing';
      if (what) damaged.push({ name, text: `The pack objects/pack/${file} is damaged: ${what}.` });
    }
    return damaged;
  } catch (error) {
    throw fileSystemFailure(error, 'Checking the packs', directory);
  }
}

/**
 * Whether a pack without an index holds what can be read nowhere else. Its writer may have given it one since it was
 * listed; and a merger that died takes the index of what it merged away, but not the pack. Asks a store of its own, as
 * this process may still have in memory what is not on the disk any more.
 */
async function isNeeded(fs: FileSystem, directory: string, name: Oid): Promise<boolean> {
  const objects = new ObjectStore({ fs, gitDirectory: dirname(dirname(directory)), cacheBytes: CACHE_BYTES });
  try {
    await objects.read(name);
    for await (const { oid } of salvagePack(fs, join(directory, `pack-${name}`))) await objects.read(oid);
    return false;
  } catch (error) {
    if (!isLost(error)) throw error;
    return true;
  } finally {
    await objects.close();
  }
}

async function damageOf(fs: FileSystem, path: string): Promise<string | null> {
  const pack = await digestOf(fs, `${path}.pack`, CHECKSUM_BYTES);
  if (!pack.holds) return 'its checksum is wrong';
  const index = await digestOf(fs, `${path}.idx`, 2 * CHECKSUM_BYTES);
  if (!index.holds) return 'the checksum of its index is wrong';
  const isItsIndex = index.ending.subarray(0, CHECKSUM_BYTES).equals(pack.ending);
  return isItsIndex ? null : 'its index is that of another pack';
}

const CACHE_BYTES = 16 * 1024 * 1024;
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

async function unlessGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT' || name === 'ESTALE') return null;
    throw error;
  }
}
