import * as z from 'zod';

/** A git object id in full: 40 lower-case hexadecimal digits. */
export const oid = z.string().regex(/^[0-9a-f]{40}$/, 'must be 40 hexadecimal digits');
export type Oid = z.infer<typeof oid>;

export const wikiName = z.string().regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 of a-z, 0-9 and "-"');

/** Names one request for ever; printable ASCII, so that it can be part of a commit's trailer. */
export const requestId = z
  .string()
  .regex(/^[!-~]{1,128}$/, 'must be 1 to 128 printable ASCII characters without spaces');

/**
 * A UUIDv7: its first 48 bits are `now` in milliseconds, so that a wiki knows how old a request is.
 * `random` are 10 bytes of randomness.
 */
export function newRequestId(now: number, random: Uint8Array): string {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(now / 2 ** 32));
  view.setUint32(2, now % 2 ** 32);
  bytes.set(random.subarray(0, 10), 6);
  view.setUint8(6, 0x70 | (view.getUint8(6) & 0x0f));
  view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
