import type { Output } from '../../contract/operations.ts';
import { pagePathOf } from '../paths/page-path.ts';
import { spelledFolders } from '../paths/spellings.ts';
import type { Snapshot } from '../ports.ts';
import { normalForm } from '../text/normal-form.ts';
import { compareText } from '../text/text-order.ts';

/** The names of what lies directly in a folder, sorted. */
export interface FolderNames {
  folders: string[];
  pages: string[];
  files: string[];
}

/** Null if there is no such folder. `''` is the root. Hidden files are left out. */
export async function folderNames(snapshot: Snapshot, folder: string): Promise<FolderNames | null> {
  // One folder can exist in several Unicode forms, with different pages in each.
  const paths = folder === '' ? [''] : await Array.fromAsync(spelledFolders(snapshot, folder));
  if (paths.length === 0) return null;
  const entries = await Promise.all(paths.map(async (path) => (await snapshot.folder(path)) ?? []));
  const shown = entries.flat().filter(({ name }) => !name.startsWith('.'));
  const named = (kind: 'file' | 'folder') =>
    shown.filter((entry) => entry.kind === kind).map(({ name }) => name);
  const files = named('file');
  return {
    folders: inOrder(named('folder').map((name) => normalForm(name))),
    pages: inOrder(files.flatMap((name) => pagePathOf(name) ?? [])),
    files: inOrder(files.filter((name) => pagePathOf(name) === null)),
  };
}

type Level = NonNullable<Output<'list_folder'>['around']>[number];

/**
 * The folders from the root to the one in which `path` lies, as far as they exist, each with its names near the way to
 * `path`: a folder may contain thousands.
 */
export async function levelsAround(snapshot: Snapshot, path: string): Promise<Level[]> {
  const parts = path.split('/').slice(0, MAX_DEPTH);
  const names = await Promise.all(
    parts.map((_, depth) => folderNames(snapshot, parts.slice(0, depth).join('/'))),
  );
  const end = names.indexOf(null);
  return names.slice(0, end === -1 ? names.length : end).map((found, depth) => {
    const { folders: allFolders, pages: allPages } = found as FolderNames;
    const [folders, pages] = [near(allFolders, parts[depth]), near(allPages, parts[depth])];
    return { folders, pages, more: allFolders.length + allPages.length - folders.length - pages.length };
  });
}

/** An address may name 2,000 folders. */
const MAX_DEPTH = 31;

/** The first names, or those around the one on the way. */
function near(names: readonly string[], onTheWay: string | undefined): string[] {
  const start = Math.max(0, names.indexOf(onTheWay ?? '') - MAX_NAMES / 2);
  return names.slice(start, start + MAX_NAMES);
}

const MAX_NAMES = 60;

function inOrder(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted(compareText);
}
