import { type CommitText, parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { isLost } from '../storage-error.ts';
import { repairRequestId } from './naming-commit.ts';

/** Null where it is lost. */
export async function readCommit(objects: ObjectReader, commit: Oid): Promise<CommitText | null> {
  try {
    return parseCommit((await objects.read(commit)).content);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}

/** All commits that came before this one: its parents, and for that of a repair the one that it came after. */
export function commitsBefore(text: CommitText): Oid[] {
  const repaired = repairedBy(text);
  return repaired === null ? text.parents : [repaired, ...text.parents];
}

/** The end of the chain that this commit repaired, which comes directly before it; null where it is no repair. */
export function repairedBy({ request }: CommitText): Oid | null {
  if (request === null) return null;
  return request.requestId === repairRequestId(request.digest) ? request.digest : null;
}
