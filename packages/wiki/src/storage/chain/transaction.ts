import { objectId } from '../objects/object-id.ts';
import type { GitObject, ObjectReader, ObjectType, Oid, Transaction } from '../storage.ts';

export interface GatheringTransaction extends Transaction {
  /** What was written, each object once, in the order of first writing. */
  objects(): GitObject[];
  written(oid: Oid): GitObject | undefined;
}

/** Keeps the objects of one attempt in memory until they land; reads see them, and what is stored. */
export function openTransaction(stored: ObjectReader, trailers: readonly string[]): GatheringTransaction {
  const gathered = new Map<Oid, GitObject>();
  return {
    trailers,
    async write(type: ObjectType, content: Uint8Array) {
      const oid = objectId(type, content);
      gathered.set(oid, { type, content });
      return oid;
    },
    read: async (oid) => gathered.get(oid) ?? stored.read(oid),
    objects: () => [...gathered.values()],
    written: (oid) => gathered.get(oid),
  };
}
