import { EMPTY_TREE, type Oid } from '@pagetree/wiki/oid';
import { unlessTooLarge } from '../transport/remote-failure.ts';
import { wordsFor } from './describe-commits.ts';
import type { FolderFetch } from './fetch-folder.ts';
import { type BuiltCommit, buildCommit } from './raw-commit.ts';
import type { FoundBases } from './search-bases.ts';
import type { WikiObjects } from './wiki-objects.ts';

export interface BetweenParts {
  fetched: FolderFetch;
  wiki: WikiObjects;
  /** The head of the wiki. */
  head: Oid;
  /** The ids of what the wiki has of the folder. */
  known: ReadonlySet<Oid>;
  folder: string;
  /** The address of the remote. */
  shown: string;
}

export interface Noted {
  /** The commits of the wiki that stand for those of the remote, each with the folder as it was there. */
  stand: BuiltCommit[];
  /** A merge of them into the head that changes nothing. */
  note: BuiltCommit;
  /** They and the other commits of the wiki that the newest one of the remote has in its history. */
  bases: Oid[];
}

/**
 * Makes commits of the wiki that stand for what it has had of the remote, so that a merge of what comes after that brings no
 * more than what came after it. Null if other commits of the wiki tell the same.
 */
export async function noteBetween(
  { between, wiki: bases }: FoundBases,
  parts: BetweenParts,
): Promise<Noted | null> {
  const { fetched, wiki, head, known, folder, shown } = parts;
  const stand: BuiltCommit[] = [];
  for (const { commit, wiki: parents } of between) {
    // Null if something else has the name of the folder, or if it is more than a sync takes.
    const outside = await unlessTooLarge(fetched.folderOf(commit, known), null);
    if (outside === null) continue;
    const { commit: there, folder: tree } = outside;
    const [parent, ...others] = parents;
    const before = parent === undefined ? EMPTY_TREE : await wiki.treeOf(parent);
    if (there === null || (others.length === 0 && before === tree)) continue;
    const fallback = `${folder}/ of ${shown} at ${commit.slice(0, 9)}`;
    const words = wordsFor({ commits: [], newest: there, fallback, changes: '' });
    stand.push(buildCommit({ tree, parents, words, stands: { side: 'remote', oid: commit, folder } }));
  }
  const newest = stand.length === 0 ? null : await wiki.commit(head);
  if (newest === null) return null;
  const noted = stand.map(({ stands }) => stands?.oid.slice(0, 9)).join(', ');
  const fallback = `Note that the wiki has had ${folder}/ of ${shown} at ${noted}`;
  const words = wordsFor({ commits: [], newest, fallback, changes: '' });
  const oids = stand.map(({ oid }) => oid);
  const note = buildCommit({ tree: newest.tree, parents: [head, ...oids], words, stands: null });
  const older = stand.flatMap(({ parents }) => parents);
  const isOlder = async (base: Oid) => {
    for (const each of older) if (await wiki.isInHistory(base, each)) return true;
    return false;
  };
  const others: Oid[] = [];
  for (const base of bases) if (!(await isOlder(base))) others.push(base);
  return { stand, note, bases: [...oids, ...others] };
}
