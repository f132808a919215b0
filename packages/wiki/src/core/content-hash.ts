import { createHash, type Hash } from 'node:crypto';
import type { Oid } from '../contract/ids.ts';
import { yielding } from '../scheduling/yielding.ts';

/** The oid of a file with this content, which is its version in a wiki. */
export function blobOid(content: Uint8Array): Oid {
  return blobHash(content.length).update(content).digest('hex');
}

/** The same for a large file: yields to the event loop. */
export function blobOidInTurns(content: Uint8Array): Promise<Oid> {
  return digest(blobHash(content.length), content);
}

/** The hash that stands for the bytes of a file in a request's digest. Yields to the event loop. */
export function digestOfBytes(content: Uint8Array): Promise<string> {
  return digest(createHash('sha256'), content);
}

function blobHash(length: number): Hash {
  return createHash('sha1').update(`blob ${length}\0`);
}

async function digest(hash: Hash, content: Uint8Array): Promise<string> {
  const yieldIfDue = yielding();
  for (let at = 0; at < content.length; at += HASHED_AT_ONCE) {
    hash.update(content.subarray(at, at + HASHED_AT_ONCE));
    await yieldIfDue();
  }
  return hash.digest('hex');
}

const HASHED_AT_ONCE = 4_000_000;
