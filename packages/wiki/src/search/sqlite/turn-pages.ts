import { hasOtherForms, pagePathOf, treePathOf } from '../../core/paths/page-path.ts';
import type { FileChange, Snapshot, TreeEntry } from '../../core/ports.ts';
import { compareText } from '../../core/text/text-order.ts';
import { derivePage, deriveWords, type IndexedPage } from '../derive.ts';
import type { IndexDatabase } from './index-database.ts';
import { addPage, indexedBlob, pathId, putFile, removeFile, removePage } from './write-pages.ts';
import { putShadows, spellingsOf } from './write-shadows.ts';

/**
 * Changes the index's pages and files to those of `snapshot`, given the differences. Calls `step` after all
 * that belongs to a page, and `yieldIfDue` more often. Returns the pages that differ, by the ids of their paths.
 */
export async function turnPages(
  database: IndexDatabase,
  snapshot: Snapshot,
  changes: AsyncIterable<FileChange>,
  step: () => Promise<void>,
  yieldIfDue: () => Promise<void>,
): Promise<number[]> {
  const turned: number[] = [];
  async function turn(path: string, after: TreeEntry | null): Promise<void> {
    const before = indexedBlob(database, path);
    if (before !== null) {
      const kept = database.addedWords.get(path);
      const words = kept?.blob === before ? kept.words : await deriveWords(snapshot, path, before);
      await yieldIfDue();
      removePage(database, path, words);
    }
    await yieldIfDue();
    if (after !== null) {
      const page = await derivePage(snapshot, path, after);
      await addPage(database, page, yieldIfDue);
      keepWords(database, page);
    }
    turned.push(pathId(database, path));
  }

  /** Pages whose path has several Unicode forms, with the tree paths that changed. */
  const severalForms = new Map<string, Set<string>>();
  for await (const { path: treePath, after } of changes) {
    const path = pagePathOf(treePath);
    if (path === null) {
      if (after === null) removeFile(database, treePath);
      else putFile(database, treePath);
      await step();
    } else if (hasOtherForms(path))
      severalForms.set(path, (severalForms.get(path) ?? new Set()).add(treePath));
    else {
      await turn(path, after);
      await step();
    }
  }
  for (const [path, changed] of severalForms) {
    // All existing forms: the index has those that did not change, so no folder needs to be searched.
    const spellings = changed.union(new Set(spellingsOf(database, path)));
    const [shown = null, ...hidden] = await spelledEntries(snapshot, path, spellings);
    await turn(path, shown);
    await putShadows(database, snapshot, path, hidden, yieldIfDue);
    await step();
  }
  return turned;
}

/**
 * The files that exist at these tree paths. The one that the page path means comes first, as in spellings.ts.
 */
async function spelledEntries(
  snapshot: Snapshot,
  path: string,
  treePaths: ReadonlySet<string>,
): Promise<TreeEntry[]> {
  const exact = treePathOf(path);
  const ordered = [...treePaths].sort(
    (one, other) => Number(other === exact) - Number(one === exact) || compareText(one, other),
  );
  const entries: TreeEntry[] = [];
  for (const treePath of ordered) {
    const entry = await snapshot.entry(treePath);
    if (entry !== null) entries.push(entry);
  }
  return entries;
}

/** A page that changed is often changed again, and removing it takes the words that were added for it. */
function keepWords({ addedWords }: IndexDatabase, { path, blob, words }: IndexedPage): void {
  addedWords.delete(path);
  if (words.body.length > MAX_KEPT_TERMS) return;
  addedWords.set(path, { blob, words });
  const [oldest] = addedWords.keys();
  if (addedWords.size > MAX_KEPT && oldest !== undefined) addedWords.delete(oldest);
}

const MAX_KEPT = 20;
const MAX_KEPT_TERMS = 20_000;
