import type { Oid } from '../../formats/oid.ts';
import { StorageError } from '../storage-error.ts';

/**
 * Bounds for objects that native git brought into a repository. A few megabytes of a pack can declare
 * gigabytes, so each bound is checked before anything is inflated.
 */
export const OBJECT_BOUNDS = {
  /** Twice the largest attachment that the wiki itself stores. */
  objectBytes: 100_000_000,
  /** The limit of git itself. */
  deltaDepth: 4_095,
  /** The deltas of one object, all in memory at the same time. */
  deltaBytes: 100_000_000,
  /** All objects that are rebuilt to read one object that is stored as a delta. */
  chainBytes: 4_000_000_000,
  /** All objects of the packs of one merge. */
  mergedBytes: 200_000_000,
} as const;

/** The error for an object that exists and may be sound. */
export function objectTooLarge(oid: Oid, what: string): StorageError {
  return new StorageError('object_too_large', `The object ${oid} is not read: ${what}.`, { oid });
}

export function tooManyBytes(bytes: number): string {
  return `it says that it has ${bytes} bytes, and the most is ${OBJECT_BOUNDS.objectBytes}`;
}

/** Throws `object_too_large` if the deltas on the way to an object are beyond the bounds. */
export function requireBounded(oid: Oid, deltas: number, deltaBytes: number, madeBytes: number): void {
  const isBounded =
    deltas <= OBJECT_BOUNDS.deltaDepth &&
    deltaBytes <= OBJECT_BOUNDS.deltaBytes &&
    madeBytes <= OBJECT_BOUNDS.chainBytes;
  if (!isBounded) throw objectTooLarge(oid, 'too much is made of deltas on the way to it');
}
