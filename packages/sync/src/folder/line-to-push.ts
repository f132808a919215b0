import type { Oid } from '@pagetree/wiki/oid';
import { type LineCommit, lineTo } from './bring-commits.ts';
import { canBeBounded, changesUpTo, ownWords, wordsFor } from './describe-commits.ts';
import type { PackObjects } from './pack-objects.ts';
import { commitsIn, type WikiObjects } from './wiki-objects.ts';

export interface LineParts {
  wiki: WikiObjects;
  /** The commit of the wiki that stands for the newest one of the remote. */
  tip: Oid | null;
  /** It and others that the remote has. */
  known: ReadonlySet<Oid | null>;
  folder: string;
}

/** The objects of the wiki that the remote may lack. */
export interface NewObjects {
  stored: PackObjects;
  /** False if they are only the newest state. */
  isSince: boolean;
}

/** The commits that the remote gets: those of the wiki if they are a line, else one that stands for all. */
export async function lineToPush(head: Oid, objects: NewObjects, parts: LineParts): Promise<LineCommit[]> {
  const commits = await commitsIn(objects.stored);
  const newest = commits.get(head);
  const found = objects.isSince && newest !== undefined ? lineTo(newest, parts.tip, commits) : null;
  const line = found?.every(canBeBounded) ? found : null;
  return line ?? [await oneForAll(head, objects, parts)];
}

/** The newest commit of the wiki with words for all that come with it. */
export async function oneForAll(
  head: Oid,
  { stored, isSince }: NewObjects,
  { wiki, tip, known, folder }: LineParts,
): Promise<LineCommit> {
  const commits = await commitsIn(stored);
  const newest = commits.get(head);
  if (newest === undefined) throw new Error(`The wiki gave no commit ${head}.`);
  const words = wordsFor({
    // The remote gets nothing of what the wiki was before, not even words.
    commits: isSince ? await wiki.notIn(tip, changesUpTo(newest, commits, known)) : ownWords(newest),
    newest,
    fallback: `The wiki, as ${folder}/`,
    changes: `changes of ${folder}/`,
  });
  // Name no older commit: a person who knows its id could forge a header with it, and the wiki would push all that came after.
  const brought = isSince ? [...commits.keys()].filter((oid) => oid !== head && oid !== tip) : [];
  // The commit that the remote had before proves that this one was not copied to another place.
  const further = [...brought.slice(0, MAX_FURTHER), ...(brought.length > 0 && tip !== null ? [tip] : [])];
  return { ...newest, words, further };
}

/** The commits of the wiki that one of the remote names: a wiki may be put back to each of them. */
const MAX_FURTHER = 100;
