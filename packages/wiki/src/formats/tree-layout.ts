import type { Name } from './names.ts';
import { OID_BYTES, type Oid } from './oid.ts';

/** An entry of a tree object, exactly as stored: `mode` keeps the stored digits. */
export interface TreeEntry {
  readonly mode: string;
  readonly name: Name;
  readonly oid: Oid;
}

/** The place of an entry in a tree object: its mode ends before `space`, its name before `end`, all before `next`. */
export interface EntryPlace {
  at: number;
  space: number;
  end: number;
  next: number;
}

/** The entry that begins at `at`, null if the bytes end before it does. */
export function placeAt(bytes: Buffer, at: number): EntryPlace | null {
  const space = spaceAfter(bytes, at);
  const end = bytes.indexOf(NUL, space + 1);
  const next = end + 1 + OID_BYTES;
  return end < 0 || next > bytes.length ? null : { at, space, end, next };
}

/** The first entry of this name. Skips the other entries, which is much faster than parsing them. */
export function placeOf(bytes: Buffer, name: Name): EntryPlace | null {
  for (let at = 0; at < bytes.length; ) {
    const space = spaceAfter(bytes, at);
    const end = bytes.indexOf(NUL, space + 1);
    if (end < 0) return null;
    if (end - space - 1 === name.length && isNamed(bytes, space + 1, name)) return placeAt(bytes, at);
    at = end + 1 + OID_BYTES;
  }
  return null;
}

export function entryAt(bytes: Buffer, { at, space, end, next }: EntryPlace): TreeEntry {
  return {
    mode: modeText(bytes, at, space),
    name: bytes.toString('latin1', space + 1, end),
    oid: bytes.toString('hex', end + 1, next),
  };
}

/** Nearly every mode is one of these two: they share a string instead of one for each entry. */
export function modeText(bytes: Buffer, start: number, end: number): string {
  const mode = bytes.toString('latin1', start, end);
  if (mode === '100644') return '100644';
  return mode === '40000' ? '40000' : mode;
}

export function asBuffer(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
}

/** For so few bytes a call of `Buffer.indexOf` takes longer. */
function spaceAfter(bytes: Buffer, at: number): number {
  let space = at;
  while (space < bytes.length && bytes[space] !== SPACE) space += 1;
  return space;
}

/** Compares from the end: names in a folder often share a beginning. */
function isNamed(bytes: Buffer, start: number, name: Name): boolean {
  for (let at = name.length - 1; at >= 0; at -= 1) {
    if (bytes[start + at] !== name.charCodeAt(at)) return false;
  }
  return true;
}

const SPACE = 0x20;
const NUL = 0;
