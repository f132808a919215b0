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
  const bytes = asBuffer(content);
  const items: TreeItem[] = [];
  for (let at = 0; at < bytes.length; ) {
    const place = placeAt(bytes, at);
    if (place === null) return null;
    items.push(itemAt(bytes, place));
    at = place.next;
  }
  return items;
}

/** Whether the bytes are a tree, one item after the other. */
export function isTree(content: Uint8Array): boolean {
  const bytes = asBuffer(content);
  for (let at = 0; at < bytes.length; ) {
    const place = placeAt(bytes, at);
    if (place === null) return false;
    at = place.next;
  }
  return true;
}

/** The item of this name in a tree object: to parse them all takes many times as long. */
export function findItem(content: Uint8Array, name: Name): TreeItem | undefined {
  const bytes = asBuffer(content);
  const place = placeOf(bytes, name);
  return place === null ? undefined : itemAt(bytes, place);
}

/**
 * The tree object with these items in place of those with their names, for far less than to parse and write it all. Null
 * where one is taken out or new, or has another mode, and so perhaps another place.
 */
export function withItems(content: Uint8Array, items: Iterable<TreeItem | null>): Uint8Array | null {
  const bytes = newTree(content.length);
  bytes.set(content);
  for (const item of items) {
    const place = item && placeOf(bytes, item.name);
    if (!place || modeText(bytes, place.at, place.space) !== item.mode) return null;
    bytes.write(item.oid, place.end + 1, 'hex');
  }
  return bytes;
}

/** The bytes of the tree object with these items, which must be in git's order already. */
export function serializeTree(items: readonly TreeItem[]): Uint8Array {
  let length = 0;
  for (const { mode, name } of items) length += mode.length + name.length + 2 + OID_BYTES;
  const bytes = newTree(length);
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

/** Where in a tree object an item stands: its mode ends before `space`, its name before `end`, all before `next`. */
interface Place {
  at: number;
  space: number;
  end: number;
  next: number;
}

function placeOf(bytes: Buffer, name: Name): Place | null {
  for (let at = 0; at < bytes.length; ) {
    const space = spaceAfter(bytes, at);
    const end = bytes.indexOf(NUL, space + 1);
    if (end < 0) return null;
    if (end - space - 1 === name.length && isNamed(bytes, space + 1, name)) return placeAt(bytes, at);
    at = end + 1 + OID_BYTES;
  }
  return null;
}

function placeAt(bytes: Buffer, at: number): Place | null {
  const space = spaceAfter(bytes, at);
  const end = bytes.indexOf(NUL, space + 1);
  const next = end + 1 + OID_BYTES;
  return end < 0 || next > bytes.length ? null : { at, space, end, next };
}

function itemAt(bytes: Buffer, { at, space, end, next }: Place): TreeItem {
  return {
    mode: modeText(bytes, at, space),
    name: bytes.toString('latin1', space + 1, end),
    oid: bytes.toString('hex', end + 1, next),
  };
}

function spaceAfter(bytes: Buffer, at: number): number {
  let space = at;
  while (space < bytes.length && bytes[space] !== SPACE) space += 1;
  return space;
}

/** Compared from the end: names in a folder often begin alike. */
function isNamed(bytes: Buffer, start: number, name: Name): boolean {
  for (let at = name.length - 1; at >= 0; at -= 1) {
    if (bytes[start + at] !== name.charCodeAt(at)) return false;
  }
  return true;
}

/** Trees are kept for long, and small ones would keep what lies beside them as well. */
function newTree(length: number): Buffer {
  return Buffer.allocUnsafeSlow(length);
}

function asBuffer(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
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
