import type { Oid } from '../storage.ts';

/** One entry of a tree. Names are bytes, each as one character of the same number. */
export interface TreeTextEntry {
  /** As git writes it, such as `100644`; `40000` is a folder and `160000` a submodule. */
  mode: string;
  name: string;
  oid: Oid;
}

/** The entries of a tree, in its order. What does not end as an entry must is left out. */
export function parseTree(content: Uint8Array): TreeTextEntry[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const entries: TreeTextEntry[] = [];
  for (let position = 0; position < bytes.length; ) {
    const blank = bytes.indexOf(' ', position);
    const end = bytes.indexOf(0, blank);
    if (blank < 0 || end < 0 || end + OID_BYTES >= bytes.length + 1) break;
    entries.push({
      mode: bytes.toString('latin1', position, blank),
      name: bytes.toString('latin1', blank + 1, end),
      oid: bytes.toString('hex', end + 1, end + 1 + OID_BYTES),
    });
    position = end + 1 + OID_BYTES;
  }
  return entries;
}

export function formatTree(entries: readonly TreeTextEntry[]): Uint8Array {
  return Buffer.concat(
    entries.map(({ mode, name, oid }) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]),
    ),
  );
}

/** A path of such names as text. */
export function readablePath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

export const FOLDER_MODE = '40000';
export const SUBMODULE_MODE = '160000';
const OID_BYTES = 20;
