import type { Oid } from '../../contract/ids.ts';

/** One oid, or several in a row, in the form of the index: 20 bytes each. */
export function bytesOf(oid: Oid): Uint8Array {
  return Buffer.from(oid, 'hex');
}

export function oidOf(bytes: unknown): Oid {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('An oid was expected.');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
