import { createHash } from 'node:crypto';

/** The version that these bytes have in a wiki: the id of their blob in git. */
export function blobId(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
