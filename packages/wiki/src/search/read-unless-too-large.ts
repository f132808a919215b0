import { WikiError } from '../contract/errors.ts';
import type { Oid } from '../contract/ids.ts';
import type { Snapshot } from '../core/ports.ts';

/**
 * Null for a file from native git that is too large to be read: one such page must not abort work on all
 * pages.
 */
export async function readUnlessTooLarge(snapshot: Snapshot, blob: Oid): Promise<Uint8Array | null> {
  try {
    return await snapshot.blob(blob);
  } catch (error) {
    if (error instanceof WikiError && error.code === 'too_large') return null;
    throw error;
  }
}
