import { createHash } from 'node:crypto';
import { deflateAside } from '@pagetree/wiki/deflate';
import type { GitObject, Oid } from '@pagetree/wiki/oid';
import { LEVELS, packHeader } from '@pagetree/wiki/pack';
import { entryHeader } from '@pagetree/wiki/pack-entry';
import { yielding } from '@pagetree/wiki/yielding';
import type { PackObjects } from './pack-objects.ts';

/** A pack with `count` objects, each whole. Only its own bytes are in memory at one time, and one object. */
export async function writePack(
  objects: Iterable<GitObject>,
  count: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [packHeader(count)];
  const yieldIfDue = yielding();
  for (const { type, content } of objects) {
    parts.push(entryHeader(type, content.length), await deflateAside(content, LEVELS[type]));
    await yieldIfDue();
    signal?.throwIfAborted();
  }
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return Buffer.concat([...parts, hash.digest()]);
}

/** Objects, and then stored ones. */
export function* withStored(
  objects: readonly GitObject[],
  stored: ReadonlySet<Oid>,
  from: PackObjects,
): Generator<GitObject> {
  yield* objects;
  for (const oid of stored) {
    const type = from.typeOf(oid);
    const content = type === null ? null : from.read(oid, type);
    if (type !== null && content !== null) yield { type, content };
  }
}
