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

/**
 * The commit after which a writer's commit is linked, or never: its parent; or, for that of a repair, the newest
 * commit of the chain, which is lost or damaged. Null for the first of all.
 */
export function predecessorOf({ parents, request }: CommitText): Oid | null {
  if (request && request.requestId === repairRequestId(request.digest)) return request.digest;
  return parents[0] ?? null;
}

/** The digest of that request is the commit itself, so that no other request is taken for one. */
export function repairRequestId(newest: Oid): string {
  return `repair-${newest}`;
}

const FIRST_BYTES = 64 * 1024;
