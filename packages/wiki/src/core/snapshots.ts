import { createHash } from 'node:crypto';
import type { Oid } from '../contract/ids.ts';
import type { FileWrite, Snapshot, TreeEntry } from './ports.ts';

/** Before the first commit. */
export const emptySnapshot: Snapshot = {
  commit: null,
  entry: async () => null,
  folder: async (path) => (path === '' ? [] : null),
  files: async function* () {},
  blob: async (oid) => {
    throw new Error(`the empty tree has no blob ${oid}`);
  },
};

/** A snapshot as it would be with these files written; its folders are those of `base`. */
export function withFiles(base: Snapshot, files: readonly FileWrite[]): Snapshot {
  const entries = new Map<string, TreeEntry | null>();
  const contents = new Map<Oid, Uint8Array>();
  for (const file of files) {
    const { path } = file;
    if ('remove' in file) entries.set(path, null);
    else if ('oid' in file) entries.set(path, { path, oid: file.oid, mode: file.mode });
    else {
      const oid = blobOid(file.content);
      entries.set(path, { path, oid, mode: file.mode ?? '100644' });
      contents.set(oid, file.content);
    }
  }
  return {
    commit: base.commit,
    entry: async (path) => entries.get(path) ?? (entries.has(path) ? null : base.entry(path)),
    folder: (path) => base.folder(path),
    files: (folder) => base.files(folder),
    blob: async (oid) => contents.get(oid) ?? base.blob(oid),
  };
}

function blobOid(content: Uint8Array): Oid {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}
