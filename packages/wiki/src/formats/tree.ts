import type { Name } from './names.ts';
import { OID_BYTES } from './oid.ts';
import { asBuffer, entryAt, placeAt, type TreeEntry } from './tree-layout.ts';

export type { TreeEntry } from './tree-layout.ts';

export type EntryKind = 'file' | 'folder' | 'symlink' | 'submodule';

export interface ParsedTree {
  /** In stored order. */
  entries: TreeEntry[];
  /** False if the bytes end within an entry. That entry is left out. */
  isWhole: boolean;
}

/** Parses a tree object as far as possible. */
export function parseTree(content: Uint8Array): ParsedTree {
  const bytes = asBuffer(content);
  const entries: TreeEntry[] = [];
  let at = 0;
  for (let place = placeAt(bytes, at); place !== null; place = placeAt(bytes, at)) {
    entries.push(entryAt(bytes, place));
    at = place.next;
  }
  return { entries, isWhole: at === bytes.length };
}

/** True if the bytes are a complete tree. */
export function isTree(content: Uint8Array): boolean {
  const bytes = asBuffer(content);
  let at = 0;
  for (let place = placeAt(bytes, at); place !== null; place = placeAt(bytes, at)) at = place.next;
  return at === bytes.length;
}

/** The bytes of the tree object with these entries, which must be in git's order. */
export function serializeTree(entries: readonly TreeEntry[]): Uint8Array {
  let length = 0;
  for (const { mode, name } of entries) length += mode.length + name.length + 2 + OID_BYTES;
  // Trees are cached for long, and a small one in a shared buffer would keep its neighbours in memory as
  // well.
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const { mode, name, oid } of entries) {
    at += bytes.write(`${mode} ${name}\0`, at, 'latin1');
    at += bytes.write(oid, at, 'hex');
  }
  return bytes;
}

/** Entries sort by this key, as bytes: a folder sorts as if its name ended in a slash. */
export function sortKey(entry: TreeEntry): Name {
  return kindOf(entry) === 'folder' ? `${entry.name}/` : entry.name;
}

/** The kind of an entry, from the file type bits of its mode. */
export function kindOf({ mode }: TreeEntry): EntryKind {
  switch (Number.parseInt(mode, 8) & 0o170000) {
    case 0o040000:
      return 'folder';
    case 0o120000:
      return 'symlink';
    case 0o160000:
      return 'submodule';
    default:
      return 'file';
  }
}

/** The mode of a file, normalised: old repositories also contain modes such as 100664. */
export function fileMode({ mode }: TreeEntry): '100644' | '100755' {
  return Number.parseInt(mode, 8) & 0o100 ? '100755' : '100644';
}

export const FOLDER_MODE = '40000';
export const SUBMODULE_MODE = '160000';
