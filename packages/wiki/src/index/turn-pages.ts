import { hasOtherForms, pagePathOf, treePathOf } from '../core/page-path.ts';
import type { FileChange, Snapshot, TreeEntry } from '../core/ports.ts';
import { derivePage, deriveWords } from './derive.ts';
import type { IndexDatabase } from './index-database.ts';
import { addPage, indexedBlob, pathId, putFile, removeFile, removePage } from './write-pages.ts';

/**
 * Turns the index's pages and files to those of `snapshot`, given what differs; `step` comes after each. Returns
 * the pages that differ, by the ids of their paths.
 */
export async function turnPages(
  database: IndexDatabase,
  snapshot: Snapshot,
  changes: AsyncIterable<FileChange>,
  step: () => Promise<void>,
): Promise<number[]> {
  const turned: number[] = [];
  async function turn(path: string, after: TreeEntry | null): Promise<void> {
    const before = indexedBlob(database, path);
    if (before !== null) removePage(database, path, await deriveWords(snapshot, path, before));
    if (after !== null) addPage(database, await derivePage(snapshot, path, after));
    turned.push(pathId(database, path));
    await step();
  }

  const severalForms = new Set<string>();
  for await (const { path: treePath, after } of changes) {
    const path = pagePathOf(treePath);
    if (path === null) {
      if (after === null) removeFile(database, treePath);
      else putFile(database, treePath);
      await step();
    } else if (hasOtherForms(path)) severalForms.add(path);
    else await turn(path, after);
  }
  for (const path of severalForms) await turn(path, await pageEntry(snapshot, path));
  return turned;
}

/** Where a tree spells one name in several Unicode forms, the composed one is the page, else the first. */
async function pageEntry(snapshot: Snapshot, path: string): Promise<TreeEntry | null> {
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
