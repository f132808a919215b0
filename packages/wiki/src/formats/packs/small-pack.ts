import { CHECKSUM_BYTES, type GitObject, type Oid, objectId } from '../oid.ts';
import { applyDelta, DeltaError, deltaSizes } from './delta.ts';
import { PACK_HEADER_BYTES, type PackedObject, parsePackHeader } from './pack.ts';
import { type PackEntry, parsePackEntry } from './pack-entry.ts';
import { endsWithChecksum } from './pack-index.ts';

/** The maximum size of a pack of a few dozen writes. Reading it whole takes one round trip. */
export const SMALL_PACK_BYTES = 256 * 1024;
const MAX_OBJECTS = 256;
/**
 * Limits all objects and deltas of one small pack: it is unpacked in one go, and a few bytes can declare
 * gigabytes.
 */
const MAX_UNPACKED_BYTES = 16_000_000;

/**
 * Every object of a complete pack, without its index. Null if the pack is better read through its index: it
 * holds many objects or large ones, or it is damaged.
 */
export function parseSmallPack(bytes: Uint8Array): PackedObject[] | null {
  const count = parsePackHeader(bytes);
  if (typeof count !== 'number' || count > MAX_OBJECTS || !endsWithChecksum(bytes)) return null;

  const objects = new Objects();
  let offset = PACK_HEADER_BYTES;
  for (let index = 0; index < count; index += 1) {
    const parsed = parsePackEntry(bytes.subarray(offset, bytes.length - CHECKSUM_BYTES), objects.room);
    if (parsed.outcome !== 'parsed' || !objects.add(offset, parsed.entry)) return null;
    offset += parsed.length;
  }
  return [...objects.byOffset.values()];
}

class Objects {
  readonly byOffset = new Map<number, PackedObject>();
  readonly #byOid = new Map<Oid, GitObject>();
  /** The number of bytes that may still be unpacked. */
  room = MAX_UNPACKED_BYTES;

  /** False if the entry rests on none of the objects before it, or if there is no room for its object. */
  add(offset: number, entry: PackEntry): boolean {
    const object = this.#build(offset, entry);
    if (!object) return false;
    const oid = objectId(object.type, object.content);
    this.byOffset.set(offset, { oid, offset, object });
    this.#byOid.set(oid, object);
    return true;
  }

  #build(offset: number, entry: PackEntry): GitObject | null {
    if (entry.kind === 'whole') {
      this.room -= entry.content.length;
      return { type: entry.type, content: entry.content };
    }
    this.room -= entry.delta.length;
    const base =
      entry.kind === 'offset_delta'
        ? this.byOffset.get(offset - entry.baseDistance)?.object
        : this.#byOid.get(entry.baseOid);
    if (!base) return null;
    try {
      // Checked before the object is built.
      const { result } = deltaSizes(entry.delta);
      if (!(result <= this.room)) return null;
      this.room -= result;
      return { type: base.type, content: applyDelta(base.content, entry.delta) };
    } catch (error) {
      if (error instanceof DeltaError) return null;
      throw error;
    }
  }
}
