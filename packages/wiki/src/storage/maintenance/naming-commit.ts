import { errorName, type FileSystem } from '../files/file-system.ts';
import { type CommitText, parseCommit } from '../objects/commit-text.ts';
import { objectId } from '../objects/object-id.ts';
import { parsePackEntry } from '../objects/pack-entry.ts';
import { PACK_HEADER_LENGTH } from '../objects/pack-writer.ts';
import type { Oid } from '../storage.ts';

/**
 * The commit that a writer's pack is named by, which comes first in it. Undefined where the pack holds no such
 * commit, as what was merged or pushed; cannot be read, as what is being written; or was deleted since it was listed.
 */
export async function readNamingCommit(
  fs: FileSystem,
  path: string,
  commit: Oid,
): Promise<CommitText | undefined> {
  try {
    const file = await fs.open(path, 'r');
    try {
      const bytes = new Uint8Array(FIRST_BYTES);
      const length = await file.read(bytes, 0, bytes.length, 0);
      const parsed = parsePackEntry(bytes.subarray(PACK_HEADER_LENGTH, Math.max(length, PACK_HEADER_LENGTH)));
      if (parsed.outcome !== 'parsed' || parsed.entry.kind !== 'whole') return undefined;
      const { type, content } = parsed.entry;
      return objectId(type, content) === commit ? parseCommit(content) : undefined;
    } finally {
      await file.close();
    }
  } catch (error) {
    const name = errorName(error);
    if (name === 'ENOENT' || name === 'ESTALE') return undefined;
    throw error;
  }
}

const FIRST_BYTES = 64 * 1024;
