import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import { liesIn } from '../../contract/scope.ts';
import type { FolderEntry, Snapshot, TreeEntry } from '../ports.ts';

/** Blobs that a call has come upon where it may look, and how to tell of another one whether it may be read. */
export interface ReadableBlobs {
  add(entry: TreeEntry): void;
  includes(oid: Oid, commit: Oid | null): Promise<boolean>;
}

/** The same tree with nothing in it but what lies in the folders. */
export function limitSnapshot(base: Snapshot, folders: readonly string[], blobs: ReadableBlobs): Snapshot {
  return {
    commit: base.commit,
    async entry(path) {
      const entry = liesIn(folders, path) ? await base.entry(path) : null;
      if (entry !== null) blobs.add(entry);
      return entry;
    },
    async folder(path) {
      if (!leadsTo(folders, path === '' ? '' : `${path}/`)) return null;
      const entries = await base.folder(path);
      return entries?.filter((entry) => isShown(folders, path, entry)) ?? null;
    },
    async *files(folder) {
      for await (const entry of base.files(folder)) {
        if (!liesIn(folders, entry.path)) continue;
        blobs.add(entry);
        yield entry;
      }
    },
    async blob(oid) {
      // Whoever guessed a page's text would learn by its id that it is there.
      if (!(await blobs.includes(oid, base.commit))) throw blobNotFound(oid);
      return base.blob(oid);
    },
  };
}

function isShown(folders: readonly string[], parent: string, { name, kind }: FolderEntry): boolean {
  const path = parent === '' ? name : `${parent}/${name}`;
  return kind === 'folder' ? leadsTo(folders, `${path}/`) : liesIn(folders, path);
}

/** Whether a folder is in one of the folders, or on the way to one. */
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
