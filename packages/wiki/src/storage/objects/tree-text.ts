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
  return entriesWhere(content, () => true);
}

/**
 * Finds in trees the entries that name one of these objects, and not one that was taken from them since. Most
 * trees name few of them, so no text is made of an entry before the first bytes of its oid were found among theirs.
 */
export function searchForEntries(
  oids: Pick<ReadonlyMap<Oid, unknown>, 'has' | 'keys'>,
): (content: Uint8Array) => TreeTextEntry[] {
  const beginnings = new Set<number>();
  for (const oid of oids.keys()) beginnings.add(Number.parseInt(oid.slice(0, 8), 16) | 0);
  const isAmong = (bytes: Buffer, oidAt: number) =>
    beginnings.has(bytes.readInt32BE(oidAt)) && oids.has(oidOf(bytes, oidAt));
  return (content) => entriesWhere(content, isAmong);
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
const BLANK = 0x20;

function entriesWhere(
  content: Uint8Array,
  isWanted: (bytes: Buffer, oidAt: number) => boolean,
): TreeTextEntry[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const entries: TreeTextEntry[] = [];
  for (let position = 0; position < bytes.length; ) {
    const blank = indexOf(bytes, BLANK, position);
    const oidAt = indexOf(bytes, 0, blank) + 1;
    const next = oidAt + OID_BYTES;
    if (next > bytes.length) break;
    if (isWanted(bytes, oidAt)) {
      entries.push({
        mode: bytes.toString('latin1', position, blank),
        name: bytes.toString('latin1', blank + 1, oidAt - 1),
        oid: oidOf(bytes, oidAt),
      });
    }
    position = next;
  }
  return entries;
}

function oidOf(bytes: Buffer, oidAt: number): Oid {
  return bytes.toString('hex', oidAt, oidAt + OID_BYTES);
}

/** The length where there is none. For so few bytes a call of `Buffer.indexOf` takes longer. */
function indexOf(bytes: Uint8Array, wanted: number, start: number): number {
  let position = start;
  while (position < bytes.length && bytes[position] !== wanted) position += 1;
  return position;
}
