import type { Snapshot, TreeEntry } from '../ports.ts';
import { folderOf, hasOtherForms, pagePathOf, treePathOf } from './page-path.ts';

/**
 * The files of a tree path in every Unicode form in which the tree spells it: macOS and older tools left
 * decomposed names. The first is the one that the path means: the file with exactly these characters, else
 * the first in git's order.
 */
export async function* spelledFiles(snapshot: Snapshot, treePath: string): AsyncGenerator<TreeEntry> {
  const exact = await snapshot.entry(treePath);
  if (exact !== null) yield exact;
  if (!hasOtherForms(treePath)) return;
  for await (const spelled of spellings(snapshot, treePath, 'file')) {
    const entry = spelled === treePath ? null : await snapshot.entry(spelled);
    if (entry !== null) yield entry;
  }
}

/** The same for a folder: a tree can contain it in several forms, with different pages in each. */
export async function* spelledFolders(snapshot: Snapshot, folder: string): AsyncGenerator<string> {
  const isThere = (await snapshot.folder(folder)) !== null;
  if (isThere) yield folder;
  if (!hasOtherForms(folder)) return;
  for await (const spelled of spellings(snapshot, folder, 'folder')) if (spelled !== folder) yield spelled;
}

/** The tree paths of the files that these page paths mean, as `spelledFiles` has them. Reads each folder once. */
export async function shownFiles(
  snapshot: Snapshot,
  pages: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const shown = new Map<string, string>();
  for (const folder of new Set([...pages].map(folderOf))) {
    for await (const treePath of filesOf(snapshot, folder)) {
      const page = pagePathOf(treePath);
      if (page === null || !pages.has(page)) continue;
      if (!shown.has(page) || treePath === treePathOf(page)) shown.set(page, treePath);
    }
  }
  return shown;
}

/** The files of a folder in all forms of its name, without those in folders below it. */
async function* filesOf(snapshot: Snapshot, folder: string): AsyncGenerator<string> {
  for await (const spelled of spelledFolders(snapshot, folder)) {
    for (const { name, kind } of (await snapshot.folder(spelled)) ?? []) {
      if (kind === 'file') yield spelled === '' ? name : `${spelled}/${name}`;
    }
  }
}

async function* spellings(snapshot: Snapshot, path: string, kind: 'file' | 'folder'): AsyncGenerator<string> {
  const parts = path.normalize('NFC').split('/');
  yield* below('', 0);

  async function* below(folder: string, depth: number): AsyncGenerator<string> {
    const isLast = depth === parts.length - 1;
    for (const entry of (await snapshot.folder(folder)) ?? []) {
      if (entry.kind !== (isLast ? kind : 'folder') || entry.name.normalize('NFC') !== parts[depth]) continue;
      const spelled = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isLast) yield spelled;
      else yield* below(spelled, depth + 1);
    }
  }
}

/** The first, or null if there is none. */
export async function firstOf<Item>(items: AsyncGenerator<Item>): Promise<Item | null> {
  for await (const item of items) return item;
  return null;
}
