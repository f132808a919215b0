import { type GitObject, type ObjectType, type Oid, objectId } from '../../formats/oid.ts';
import type { GatheredObject } from '../packs/gathered-pack.ts';
import type { LaterBlob, ObjectReader, Transaction } from '../storage.ts';

export interface GatheringTransaction extends Transaction {
  /** The objects that were written, each once, in the order in which they were first written. */
  objects(): GatheredObject[];
  /** The object, if it was written here and is in memory. */
  written(oid: Oid): GitObject | undefined;
}

/** Keeps the objects of one attempt until they land. Reads see them as well as the stored objects. */
export function openTransaction(stored: ObjectReader, trailers: readonly string[]): GatheringTransaction {
  const gathered = new Map<Oid, GitObject>();
  const later = new Map<Oid, LaterBlob>();
  return {
    trailers,
    async write(type: ObjectType, content: Uint8Array) {
      const oid = objectId(type, content);
      gathered.set(oid, { type, content });
      return oid;
    },
    async writeLater(blob: LaterBlob) {
      later.set(blob.oid, blob);
      return blob.oid;
    },
    async read(oid) {
      const blob = later.get(oid);
      return gathered.get(oid) ?? (blob ? { type: 'blob', content: await blob.read() } : stored.read(oid));
    },
    objects() {
      const inMemory = [...gathered].map(([oid, object]) => ({ oid, object, length: object.content.length }));
      const others = [...later.values()].filter(({ oid }) => !gathered.has(oid));
      return [...inMemory, ...others];
    },
    written: (oid) => gathered.get(oid),
  };
}
