import { type ParsedCommit, parseCommit } from '../../../formats/commit.ts';
import { type Oid, objectId } from '../../../formats/oid.ts';
import { PACK_HEADER_BYTES } from '../../../formats/packs/pack.ts';
import { parsePackEntry } from '../../../formats/packs/pack-entry.ts';
import { requestOf } from '../../commits/request-trailers.ts';
import type { FileSystem } from '../../files/file-system.ts';
import { unlessGone } from '../../files/unless-gone.ts';
import { OBJECT_BOUNDS } from '../../objects/object-bounds.ts';

/**
 * The commit after which a writer's pack is named; it is the first object in the pack. Undefined if the pack
 * holds no such commit (it was merged or pushed), cannot be read (it is still being written), or was deleted
 * since it was listed.
 */
export async function readNamingCommit(
  fs: FileSystem,
  path: string,
  commit: Oid,
): Promise<ParsedCommit | undefined> {
  const found = await unlessGone(async () => {
    const file = await fs.open(path, 'r');
    try {
      const bytes = new Uint8Array(FIRST_BYTES);
      const length = await file.read(bytes, 0, bytes.length, 0);
      const beginning = bytes.subarray(PACK_HEADER_BYTES, Math.max(length, PACK_HEADER_BYTES));
      const parsed = parsePackEntry(beginning, OBJECT_BOUNDS.objectBytes);
      if (parsed.outcome !== 'parsed' || parsed.entry.kind !== 'whole') return undefined;
      const { type, content } = parsed.entry;
      return objectId(type, content) === commit ? parseCommit(content) : undefined;
    } finally {
      await file.close();
    }
  });
  return found ?? undefined;
}

/**
 * The only commit after which a writer's commit may be linked: its parent; or, for the commit of a repair,
 * the newest commit of the chain, which is lost or damaged. Null for the first commit.
 */
export function predecessorOf(commit: ParsedCommit): Oid | null {
  const request = requestOf(commit);
  if (request && request.requestId === repairRequestId(request.digest)) return request.digest;
  return commit.parents[0] ?? null;
}

/** The digest of that request is the commit itself, so that no other request is mistaken for it. */
export function repairRequestId(newest: Oid): string {
  return `repair-${newest}`;
}

const FIRST_BYTES = 64 * 1024;
