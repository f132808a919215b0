import { type CommitText, parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';
import { repairRequestId } from './naming-commit.ts';
import { isLost } from './soundness.ts';

/** Null where it is lost. */
export async function readCommit(objects: ObjectReader, commit: Oid): Promise<CommitText | null> {
  try {
    return parseCommit((await objects.read(commit)).content);
  } catch (error) {
    if (!isLost(error)) throw error;
    return null;
  }
}

/** All commits that came before this one: its parents; for that of a repair first the one that it came after. */
export function commitsBefore({ parents, request }: CommitText): Oid[] {
  const isRepair = request !== null && request.requestId === repairRequestId(request.digest);
  return isRepair ? [request.digest, ...parents] : parents;
}
