import type { FileMode } from '../core/ports.ts';
import type { Oid } from '../storage/storage.ts';
import type { Name } from './names.ts';

/** An entry of a tree object, exactly as stored: `mode` is the digits that stand there. */
export interface TreeItem {
  readonly mode: string;
  readonly name: Name;
  readonly oid: Oid;
}

export type ItemKind = 'file' | 'folder' | 'symlink' | 'submodule';

export const FOLDER_MODE = '40000';

/** The items of a tree object in stored order, or null where the bytes are no tree. */
export function parseTree(content: Uint8Array): TreeItem[] | null {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const items: TreeItem[] = [];
  let at = 0;
  while (at < bytes.length) {
    const space = bytes.indexOf(SPACE, at);
    const end = space < 0 ? -1 : bytes.indexOf(NUL, space + 1);
    const next = end + 1 + OID_BYTES;
    if (end < 0 || next > bytes.length) return null;
    items.push({
      mode: modeText(bytes, at, space),
      name: bytes.toString('latin1', space + 1, end),
      oid: bytes.toString('hex', end + 1, next),
    });
    at = next;
  }
  return items;
}

/** The bytes of the tree object with these items, which must be in git's order already. */
export function serializeTree(items: readonly TreeItem[]): Uint8Array {
  let length = 0;
  for (const { mode, name } of items) length += mode.length + name.length + 2 + OID_BYTES;
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const { mode, name, oid } of items) {
    at += bytes.write(`${mode} ${name}\0`, at, 'latin1');
    at += bytes.write(oid, at, 'hex');
  }
  return bytes;
}

/** Items sort by this key, as bytes: a folder as if its name ended in a slash. */
export function sortKey(item: TreeItem): Name {
  return kindOf(item) === 'folder' ? `${item.name}/` : item.name;
}

/** What an item is, by the file type bits of its mode. */
export function kindOf({ mode }: TreeItem): ItemKind {
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

/** The mode of a file in today's terms: old repositories also hold others, such as 100664. */
export function fileMode({ mode }: TreeItem): FileMode {
  return Number.parseInt(mode, 8) & 0o100 ? '100755' : '100644';
}

/** Almost every mode is one of these two: shared strings instead of one for each entry. */
function modeText(bytes: Buffer, start: number, end: number): string {
  const mode = bytes.toString('latin1', start, end);
  if (mode === '100644') return '100644';
  return mode === FOLDER_MODE ? FOLDER_MODE : mode;
}

const SPACE = 0x20;
const NUL = 0;
const OID_BYTES = 20;
