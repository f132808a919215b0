import { EMPTY_TREE, type Oid } from '@pagetree/wiki/oid';
import type { FolderFetch } from './fetch-folder.ts';
import type { Pair } from './kept-pairs.ts';
import type { Outside } from './outside.ts';
import type { RawCommit } from './raw-commit.ts';

export interface ChangingParts {
  fetched: FolderFetch;
  pairs: readonly Pair[];
}

/** Those commits of the remote that change the folder. None if they are too many to look at. `known`: ways to folders. */
export async function changingCommits(
  since: readonly RawCommit[],
  known: ReadonlyMap<Oid, Outside>,
  { fetched, pairs }: ChangingParts,
): Promise<RawCommit[]> {
  if (since.length > MAX_LOOKED_AT) return [];
  // A branch may have begun before what is known.
  const asked = new Set(since.flatMap(({ oid, parents }) => [oid, ...parents]));
  const ways = new Map([...known, ...(await fetched.waysIfFew([...asked]))]);
  for (const { outside } of pairs) if (outside.commit !== null) ways.set(outside.commit.oid, outside);
  return since.filter(({ oid, parents }) => {
    const folder = ways.get(oid)?.folder;
    const before = parents.length === 0 ? [EMPTY_TREE] : parents.map((parent) => ways.get(parent)?.folder);
    return folder !== undefined && before.every((each) => each !== undefined && each !== folder);
  });
}

const MAX_LOOKED_AT = 1_000;
