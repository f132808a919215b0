import { createHash } from 'node:crypto';
import { type ObjectType, type Oid, objectHeader } from '../../formats/oid.ts';
import { yielding } from '../../scheduling/yielding.ts';

/** The oid of an object. Yields to the event loop if hashing takes long. */
export async function objectIdInTurns(type: ObjectType, content: Uint8Array): Promise<Oid> {
  const hash = createHash('sha1').update(objectHeader(type, content.length));
  const pause = yielding(TURN_MS);
  for (let at = 0; at < content.length; at += HASHED_AT_ONCE) {
    hash.update(content.subarray(at, at + HASHED_AT_ONCE));
    await pause();
  }
  return hash.digest('hex');
}

const HASHED_AT_ONCE = 4_000_000;
/** The read of a page waits for several turns, one after another. */
const TURN_MS = 4;
