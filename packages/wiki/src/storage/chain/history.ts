import { parseCommit } from '../objects/commit-text.ts';
import type { ObjectReader, Oid } from '../storage.ts';

/**
 * Whether `wanted` is `from` or an ancestor of it, by any parent. Commits for which `skip` answers true are
 * not looked behind.
 */
export async function reaches(
  objects: ObjectReader,
  from: Oid,
  wanted: Oid,
  skip: (commit: Oid) => Promise<boolean> = async () => false,
): Promise<boolean> {
  const seen = new Set([from]);
  const waiting = [from];
  for (let commit = waiting.shift(); commit !== undefined; commit = waiting.shift()) {
    if (commit === wanted) return true;
    if (await skip(commit)) continue;
    for (const parent of parseCommit((await objects.read(commit)).content).parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return false;
}
