import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { liesIn } from '../../contract/scope.ts';
import type { FolderEntry, Snapshot, TreeEntry } from '../ports.ts';

/** The blobs that a call has found in its folders, and a check of whether another one may be read. */
export interface ReadableBlobs {
  add(entry: TreeEntry): void;
  includes(oid: Oid, commit: Oid | null): Promise<boolean>;
}

/**
 * The same tree, containing only the files in the folders. `showsWays`: folders that could lead to one of the folders are
 * there also if they lead to none, since a new file takes their spelling.
 */
export function limitSnapshot(
  base: Snapshot,
  folders: readonly string[],
  blobs: ReadableBlobs,
  { showsWays = false } = {},
): Snapshot {
  /** A folder on the way to the folders is there only if one of them is: others know what else lies in it. */
  async function entriesOf(path: string): Promise<FolderEntry[] | null> {
    const prefix = path === '' ? '' : `${path}/`;
    if (!leadsTo(folders, prefix)) return null;
    const entries = await base.folder(path);
    if (entries === null || liesIn(folders, prefix)) return entries;
    const shown: FolderEntry[] = [];
    for (const entry of entries) {
      if (entry.kind === 'folder' && (await entriesOf(prefix + entry.name)) !== null) shown.push(entry);
    }
    return shown.length > 0 || showsWays || path === '' ? shown : null;
  }

  return {
    commit: base.commit,
    async entry(path) {
      const entry = liesIn(folders, path) ? await base.entry(path) : null;
      if (entry !== null) blobs.add(entry);
      return entry;
    },
    folder: entriesOf,
    async *files(folder) {
      for await (const entry of base.files(folder)) {
        if (!liesIn(folders, entry.path)) continue;
        blobs.add(entry);
        yield entry;
      }
    },
    async *quarantined() {
      for await (const path of base.quarantined()) if (liesIn(folders, path)) yield path;
    },
    async blob(oid) {
      // Otherwise a caller who guesses a page's text could confirm the guess by the blob's id.
      if (!(await blobs.includes(oid, base.commit))) throw blobNotFound(oid);
      return base.blob(oid);
    },
    async size(oid) {
      if (!(await blobs.includes(oid, base.commit))) throw blobNotFound(oid);
      return base.size(oid);
    },
    async beginning(oid, most) {
      if (!(await blobs.includes(oid, base.commit))) throw blobNotFound(oid);
      return base.beginning(oid, most);
    },
  };
}

/** True if a folder is in one of the folders, or on the way to one. */
function leadsTo(folders: readonly string[], path: string): boolean {
  const normal = path.normalize('NFC');
  return folders.some((folder) => folder.startsWith(normal) || normal.startsWith(folder));
}

function blobNotFound(oid: Oid): WikiError {
  return new WikiError('not_found', {
    happened: `There is no version ${oid}.`,
    now: 'Nothing was changed.',
    next: 'Read the page again.',
  });
}
