import { createHash } from 'node:crypto';

/** A git object id: 40 lower-case hexadecimal digits. */
export type Oid = string;

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** An object that git identifies by its oid: `content` has no header and is not compressed. */
export interface GitObject {
  type: ObjectType;
  content: Uint8Array;
}

/** The size of an oid in trees, packs and indexes. */
export const OID_BYTES = 20;
/** The size of the SHA-1 checksum at the end of packs and their indexes. */
export const CHECKSUM_BYTES = 20;
/** The tree without entries. Git knows it even if it is not stored, and often does not store it. */
export const EMPTY_TREE: Oid = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** True if the text is a full oid. Git reads capital letters too, but writes none. */
export function isOid(text: string): boolean {
  return OID.test(text);
}

/** The oid of an object: the SHA-1 of its type, its length and its content. */
export function objectId(type: ObjectType, content: Uint8Array): Oid {
  return createHash('sha1').update(objectHeader(type, content.length)).update(content).digest('hex');
}

/** The header that git hashes before the content. */
export function objectHeader(type: ObjectType, length: number): string {
  return `${type} ${length}\0`;
}

const OID = /^[0-9a-f]{40}$/;
