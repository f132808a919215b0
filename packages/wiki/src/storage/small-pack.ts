import { createHash } from 'node:crypto';
import { objectId } from './object-id.ts';
import { parsePackEntry } from './pack-entry.ts';
import type { PackedObject } from './pack-writer.ts';

/** A pack of one write is at most so large; reading it whole is then one round trip. */
export const SMALL_PACK_BYTES = 256 * 1024;
const MOST_OBJECTS = 64;
const HEADER_BYTES = 12;
const CHECKSUM_BYTES = 20;

/**
 * Every object of a pack that is here in full, without its index. Null where the pack is better read through
 * its index: it holds deltas or many objects, or it is damaged.
 */
export function parseSmallPack(bytes: Uint8Array): PackedObject[] | null {
  if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPack = view.getUint32(0) === 0x5041434b && view.getUint32(4) === 2;
  const count = view.getUint32(8);
  if (!isPack || count > MOST_OBJECTS || !checksumHolds(bytes)) return null;

  const objects: PackedObject[] = [];
  let offset = HEADER_BYTES;
  for (let index = 0; index < count; index += 1) {
    const parsed = parsePackEntry(bytes.subarray(offset, bytes.length - CHECKSUM_BYTES));
    if (parsed.outcome !== 'parsed' || parsed.entry.kind !== 'whole') return null;
    const { type, content } = parsed.entry;
    objects.push({ oid: objectId(type, content), offset, object: { type, content } });
    offset += parsed.length;
  }
  return objects;
}

function checksumHolds(bytes: Uint8Array): boolean {
  const end = bytes.length - CHECKSUM_BYTES;
  return createHash('sha1').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end));
}
