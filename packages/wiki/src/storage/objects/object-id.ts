import { createHash } from 'node:crypto';
import type { ObjectType, Oid } from '../storage.ts';

/** The id that git gives an object: SHA-1 of its type, its length and its content. */
export function objectId(type: ObjectType, content: Uint8Array): Oid {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex');
}
