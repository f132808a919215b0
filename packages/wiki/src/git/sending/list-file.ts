import { createHash } from 'node:crypto';
import { CHECKSUM_BYTES, type ObjectType, OID_BYTES, type Oid } from '../../formats/oid.ts';
import type { Yield } from '../../scheduling/yielding.ts';
import type { ListedObject } from './list-objects.ts';

/** All that a commit reaches, in the order in which a clone gets it. */
export interface WholeList {
  tip: Oid;
  objects: readonly ListedObject[];
}

/** The format's name, the tip, each object, and the checksum of it all. */
export async function encodeList({ tip, objects }: WholeList, pause: Yield): Promise<Uint8Array> {
  const bytes = Buffer.alloc(BEGIN_BYTES + objects.length * ENTRY_BYTES + CHECKSUM_BYTES);
  bytes.write(FORMAT, 'latin1');
  bytes.write(tip, FORMAT.length, 'hex');
  const places = new Map<Oid, number>();
  let at = BEGIN_BYTES;
  for (const { oid, type, newer } of objects) {
    bytes.write(oid, at, 'hex');
    bytes.writeUInt8(TYPES.indexOf(type), at + OID_BYTES);
    // A newer version comes before it.
    bytes.writeUInt32BE(newer === null ? 0 : (places.get(newer) ?? 0), at + OID_BYTES + 1);
    places.set(oid, places.size + 1);
    at += ENTRY_BYTES;
    await pause();
  }
  checksumOf(bytes).copy(bytes, at);
  return bytes;
}

/** Null if the bytes are damaged, or in a format of another version. */
export async function decodeList(content: Uint8Array, pause: Yield): Promise<WholeList | null> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const end = bytes.length - CHECKSUM_BYTES;
  if (end < BEGIN_BYTES || (end - BEGIN_BYTES) % ENTRY_BYTES > 0) return null;
  if (bytes.toString('latin1', 0, FORMAT.length) !== FORMAT) return null;
  if (!checksumOf(bytes).equals(bytes.subarray(end))) return null;
  const objects: ListedObject[] = [];
  for (let at = BEGIN_BYTES; at < end; at += ENTRY_BYTES) {
    const oid = bytes.toString('hex', at, at + OID_BYTES);
    const type = TYPES[bytes.readUInt8(at + OID_BYTES)];
    const newer = bytes.readUInt32BE(at + OID_BYTES + 1);
    if (type === undefined || newer > objects.length) return null;
    objects.push({ oid, type, newer: objects[newer - 1]?.oid ?? null });
    await pause();
  }
  return { tip: bytes.toString('hex', FORMAT.length, BEGIN_BYTES), objects };
}

function checksumOf(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes.subarray(0, -CHECKSUM_BYTES)).digest();
}

const FORMAT = 'pagetree clone list 1\n';
const BEGIN_BYTES = FORMAT.length + OID_BYTES;
/** The oid, the type, and the number of the newer version, from 1 on. */
const ENTRY_BYTES = OID_BYTES + 1 + 4;
const TYPES: readonly ObjectType[] = ['commit', 'tree', 'blob'];
