import { hasOtherForms, pagePathOf, treePathOf } from '../core/page-path.ts';
import type { FileChange, Snapshot, TreeEntry } from '../core/ports.ts';
import { derivePage, deriveWords } from './derive.ts';
import type { IndexDatabase } from './index-database.ts';
import { addPage, indexedBlob, putFile, removeFile, removePage } from './write-pages.ts';

/**
 * Turns the index's pages and files to those of `snapshot`, given what differs; `step` comes after each. Returns
 * the paths of the pages that differ.
 */
export async function turnPages(
  database: IndexDatabase,
  snapshot: Snapshot,
  changes: readonly FileChange[],
  step: () => Promise<void>,
): Promise<string[]> {
  const pages = new Map<string, TreeEntry | null>();
  for (const { path: treePath, after } of changes) {
    const path = pagePathOf(treePath);
    if (path !== null) pages.set(path, after ?? pages.get(path) ?? null);
    else if (after === null) removeFile(database, treePath);
    else putFile(database, treePath);
  }
  for (const [path, after] of pages) {
    const entry = await pageEntry(snapshot, path, after);
    const before = indexedBlob(database, path);
    if (before !== null) removePage(database, path, await deriveWords(snapshot, path, before));
    if (entry !== null) addPage(database, await derivePage(snapshot, path, entry));
    await step();
  }
  return [...pages.keys()];
}

/** Where a tree spells one name in several Unicode forms, the composed one is the page, else the first. */
async function pageEntry(
  snapshot: Snapshot,
  path: string,
  after: TreeEntry | null,
): Promise<TreeEntry | null> {
  if (!hasOtherForms(path)) return after;
  const treePath = treePathOf(path);
  const exact = await snapshot.entry(treePath);
  if (exact !== null) return exact;
  for await (const entry of spellingsOf(snapshot, treePath.split('/'), '')) return entry;
  return null;
}

async function* spellingsOf(
  snapshot: Snapshot,
  [part, ...parts]: readonly string[],
  folder: string,
): AsyncGenerator<TreeEntry> {
  for (const { name, kind } of (await snapshot.folder(folder)) ?? []) {
    if (name.normalize('NFC') !== part) continue;
    const path = folder === '' ? name : `${folder}/${name}`;
    if (parts.length > 0) yield* spellingsOf(snapshot, parts, path);
    else if (kind === 'file') yield (await snapshot.entry(path)) as TreeEntry;
  }
}
