import type { Name } from './names.ts';
import type { Oid } from './oid.ts';
import type { TreeEntry } from './tree.ts';
import { asBuffer, entryAt, modeText, placeAt, placeOf } from './tree-layout.ts';

/**
 * The entry of this name in a tree object, found without parsing all entries, which would take many times as
 * long.
 */
export function findEntry(content: Uint8Array, name: Name): TreeEntry | undefined {
  const bytes = asBuffer(content);
  const place = placeOf(bytes, name);
  return place === null ? undefined : entryAt(bytes, place);
}

/**
 * The tree object in which these entries replace those of the same names, at far less cost than parsing and
 * writing it all. Null if an entry is removed, new, or has another mode and so perhaps another place.
 */
export function withEntries(content: Uint8Array, entries: Iterable<TreeEntry | null>): Uint8Array | null {
  const bytes = Buffer.allocUnsafeSlow(content.length);
  bytes.set(content);
  for (const entry of entries) {
    const place = entry && placeOf(bytes, entry.name);
    if (!place || modeText(bytes, place.at, place.space) !== entry.mode) return null;
    bytes.write(entry.oid, place.end + 1, 'hex');
  }
  return bytes;
}

/**
 * Finds in trees the entries that point to one of these objects. The caller may remove oids between two
 * calls. Most trees point to few of them, so an entry becomes text only if the first bytes of its oid are
 * among theirs.
 */
export function searchForEntries(
  oids: Pick<ReadonlyMap<Oid, unknown>, 'has' | 'keys'>,
): (content: Uint8Array) => TreeEntry[] {
  const beginnings = new Set<number>();
  for (const oid of oids.keys()) beginnings.add(Number.parseInt(oid.slice(0, 8), 16) | 0);
  return (content) => {
    const bytes = asBuffer(content);
    const found: TreeEntry[] = [];
    for (let place = placeAt(bytes, 0); place !== null; place = placeAt(bytes, place.next)) {
      const { end, next } = place;
      const isAmong =
        beginnings.has(bytes.readInt32BE(end + 1)) && oids.has(bytes.toString('hex', end + 1, next));
      if (isAmong) found.push(entryAt(bytes, place));
    }
    return found;
  };
}
