import { join } from 'node:path';
import { encodeMultiPackIndex, type SourceIndex } from '../../../formats/packs/multi-pack-index.ts';
import { isWholeIndex, LARGE_OFFSET } from '../../../formats/packs/pack-index.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import { replaceFile } from '../../files/durable-file.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { type Host, randomName } from '../../files/host.ts';
import { isGone } from '../../files/unless-gone.ts';
import type { Layout } from '../../layout.ts';
import { fileSystemFailure } from '../../storage-error.ts';
import { listPacks } from '../pack-listing.ts';

export interface IndexPacksParts {
  fs: FileSystem;
  host: Host;
  layout: Layout;
}

/**
 * Rewrites the index over all packs, for new clients of a shared mount: see MultiPackIndex. If there are very
 * many objects, it leaves out the largest packs, which are then searched as without an index. Calls `goOn`
 * before each step. Returns false, and writes nothing, if it was stopped. Throws StorageError.
 */
export async function indexPacks(
  { fs, host, layout }: IndexPacksParts,
  goOn: () => boolean = () => true,
): Promise<boolean> {
  const packs = (await listPacks(fs, layout.packs)).sort((a, b) => a.size - b.size);
  const indexes: SourceIndex[] = [];
  let room = MAX_BYTES;
  for (const { name, size } of packs) {
    if (!goOn()) return false;
    if (size >= LARGE_OFFSET) break;
    const index = await readIndex(fs, join(layout.packs, `pack-${name}.idx`), room);
    if (index === 'too large') break;
    if (index === null) continue;
    room -= index.length;
    // Largest first: if two packs hold an object because one was merged into the other, the larger one stays.
    indexes.unshift({ pack: `pack-${name}`, bytes: index });
  }
  if (!goOn()) return false;
  const temporary = join(layout.temporary, randomName(host));
  await replaceFile(fs, layout.multiPackIndex, temporary, await encodeMultiPackIndex(indexes, yielding()));
  return true;
}

/**
 * Limits all indexes that are in memory at once. The combined index takes as much again. They list about
 * 600,000 objects, from 150,000 writes.
 */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Null if the index is damaged or was deleted after its pack was listed. Does not read one above `mostBytes`.
 */
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
      const read = bytes.subarray(0, await file.read(bytes, 0, size, 0));
      // After this check its contents are trusted.
      return isWholeIndex(read) ? read : null;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isGone(error)) return null;
    throw fileSystemFailure(error, 'Reading a pack index', path);
  }
}
