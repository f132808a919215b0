/**
 * A pack's `.idx` of version 2: a header, the fan-out table, then in the order of the oids all oids, all checksums
 * and all offsets, then the offsets from 2 GB on, and two checksums, of the pack and of the index itself.
 */
export const INDEX_HEADER = Uint8Array.of(0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2);
/** For each first byte of an oid, four bytes: how many oids begin with it or with a lower one. */
export const FAN_OUT_AT = 8;
export const OIDS_AT = FAN_OUT_AT + 256 * 4;
/** Of one object: its oid, a checksum and its offset. */
export const ENTRY_BYTES = 28;
export const INDEX_CHECKSUM_BYTES = 20;
export const TRAILER_BYTES = 2 * INDEX_CHECKSUM_BYTES;
/** From here on an offset takes a place of its own. */
export const LARGE_OFFSET = 0x8000_0000;

/** How many objects an index tells that begins with these bytes, null where they begin no such index. */
export function indexedObjects(bytes: Uint8Array): number | null {
  const isIndex = bytes.length >= OIDS_AT && INDEX_HEADER.every((byte, at) => bytes[at] === byte);
  return isIndex ? new DataView(bytes.buffer, bytes.byteOffset).getUint32(OIDS_AT - 4) : null;
}
