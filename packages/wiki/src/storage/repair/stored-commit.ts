import { type ParsedCommit, parseCommit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';
import { requestOf } from '../commits/request-trailers.ts';
import type { ObjectReader } from '../storage.ts';
import { isLost } from '../storage-error.ts';
import { repairRequestId } from './chain/naming-commit.ts';

/** Null if the commit is lost. */
export async function readCommit(objects: ObjectReader, commit: Oid): Promise<ParsedCommit | null> {
  try {
    return parseCommit((await objects.read(commit)).content);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}

/**
 * The end of the chain that this commit repaired, which comes directly before it; null if it is no repair.
 */
export function repairedBy(commit: ParsedCommit): Oid | null {
  const request = requestOf(commit);
  if (request === null) return null;
  return request.requestId === repairRequestId(request.digest) ? request.digest : null;
}
