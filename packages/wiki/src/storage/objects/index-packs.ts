import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { replaceFile } from '../files/durable-file.ts';
import { errorName, type FileSystem } from '../files/file-system.ts';
import { type Host, randomName } from '../files/host.ts';
import type { Layout } from '../layout.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { encodeMultiPackIndex, type SourceIndex } from './multi-pack-index-format.ts';
import {
  ENTRY_BYTES,
  INDEX_CHECKSUM_BYTES,
  indexedObjects,
  LARGE_OFFSET,
  OIDS_AT,
  TRAILER_BYTES,
} from './pack-index-layout.ts';
import { listPacks } from './pack-listing.ts';

export interface IndexPacksParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
}

/**
 * Writes anew the one index over all packs, for clients that come new to a shared mount: see MultiPackIndex. Of very
 * many objects the largest packs are left out, which are then searched as without it. `goOn` is asked before each step;
 * answers whether it came to the end, and writes nothing where it did not. Throws StorageError.
 */
export async function indexPacks(
  { fs, host, layout }: IndexPacksParts,
  goOn: () => boolean = () => true,
): Promise<boolean> {
  const packs = (await listPacks(fs, layout.packs)).sort((a, b) => a.size - b.size);
  const indexes: SourceIndex[] = [];
  let room = MOST_BYTES;
  for (const { name, size } of packs) {
    if (!goOn()) return false;
    if (size >= LARGE_OFFSET) break;
    const index = await readIndex(fs, join(layout.packs, `pack-${name}.idx`), room);
    if (index === 'too large') break;
    if (index === null) continue;
    room -= index.length;
    // The largest first: of two packs that hold an object it is the one that stays, where one was merged into it.
    indexes.unshift({ pack: `pack-${name}`, bytes: index });
  }
  if (!goOn()) return false;
  const temporary = join(layout.temporary, randomName(host));
  await replaceFile(fs, layout.multiPackIndex, temporary, await encodeMultiPackIndex(indexes));
  return true;
}

/**
 * Of all indexes that are in memory at once, where what is made of them takes as much again: they tell some 600,000
 * objects, of 150,000 writes.
 */
const MOST_BYTES = 16 * 1024 * 1024;

/** Null where it was deleted since its pack was listed, or is damaged. What takes more than `mostBytes` is not read. */
async function readIndex(
  fs: FileSystem,
  path: string,
  mostBytes: number,
): Promise<Buffer | null | 'too large'> {
  try {
    const file = await fs.open(path, 'r');
    try {
      const size = await file.size();
      if (size > mostBytes) return 'too large';
      const bytes = Buffer.allocUnsafeSlow(size);
      return wholeIndex(bytes.subarray(0, await file.read(bytes, 0, size, 0)));
    } finally {
      await file.close();
    }
  } catch (error) {
    const errno = errorName(error);
    if (errno === 'ENOENT' || errno === 'ESTALE') return null;
    throw fileSystemFailure(error, 'Reading a pack index', path);
  }
}

/** Null where it is damaged: after this all that it tells of itself is trusted. */
function wholeIndex(bytes: Buffer): Buffer | null {
  const count = indexedObjects(bytes);
  if (count === null || bytes.length !== OIDS_AT + count * ENTRY_BYTES + TRAILER_BYTES) return null;
  const checksum = createHash('sha1').update(bytes.subarray(0, -INDEX_CHECKSUM_BYTES)).digest();
  return checksum.equals(bytes.subarray(-INDEX_CHECKSUM_BYTES)) ? bytes : null;
}
