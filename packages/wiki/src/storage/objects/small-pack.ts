import { createHash } from 'node:crypto';
import type { GitObject, Oid } from '../storage.ts';
import { applyDelta, DeltaError } from './delta.ts';
import { objectId } from './object-id.ts';
import { type PackEntry, parsePackEntry } from './pack-entry.ts';
import type { PackedObject } from './pack-writer.ts';

/** A pack of a few dozen writes is at most so large; reading it whole is then one round trip. */
export const SMALL_PACK_BYTES = 256 * 1024;
const MOST_OBJECTS = 256;
const HEADER_BYTES = 12;
const CHECKSUM_BYTES = 20;

/**
 * Every object of a pack that is here in full, without its index. Null where the pack is better read through
 * its index: it holds many objects, or it is damaged.
 */
export function parseSmallPack(bytes: Uint8Array): PackedObject[] | null {
  if (bytes.length < HEADER_BYTES + CHECKSUM_BYTES) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPack = view.getUint32(0) === 0x5041434b && view.getUint32(4) === 2;
  const count = view.getUint32(8);
  if (!isPack || count > MOST_OBJECTS || !checksumHolds(bytes)) return null;

  const objects = new Objects();
  let offset = HEADER_BYTES;
  for (let index = 0; index < count; index += 1) {
    const parsed = parsePackEntry(bytes.subarray(offset, bytes.length - CHECKSUM_BYTES));
    if (parsed.outcome !== 'parsed' || !objects.add(offset, parsed.entry)) return null;
    offset += parsed.length;
  }
  return [...objects.byOffset.values()];
}

class Objects {
  readonly byOffset = new Map<number, PackedObject>();
  readonly #byOid = new Map<Oid, GitObject>();

  /** False where the entry rests on none of the objects before it. */
  add(offset: number, entry: PackEntry): boolean {
    const object = this.#build(offset, entry);
    if (!object) return false;
    const oid = objectId(object.type, object.content);
    this.byOffset.set(offset, { oid, offset, object });
    this.#byOid.set(oid, object);
    return true;
  }

  #build(offset: number, entry: PackEntry): GitObject | null {
    if (entry.kind === 'whole') return { type: entry.type, content: entry.content };
    const base =
      entry.kind === 'offset_delta'
        ? this.byOffset.get(offset - entry.baseDistance)?.object
        : this.#byOid.get(entry.baseOid);
    if (!base) return null;
    try {
      return { type: base.type, content: applyDelta(base.content, entry.delta) };
    } catch (error) {
      if (error instanceof DeltaError) return null;
      throw error;
    }
  }
}

function checksumHolds(bytes: Uint8Array): boolean {
  const end = bytes.length - CHECKSUM_BYTES;
  return createHash('sha1').update(bytes.subarray(0, end)).digest().equals(bytes.subarray(end));
}
