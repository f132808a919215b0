import { CHECKSUM_BYTES, EMPTY_TREE, type GitObject, type ObjectType, type Oid } from '../../formats/oid.ts';
import type { PackBytes } from '../../formats/packs/pack.ts';
import { encodePackIndex, type IndexEntry } from '../../formats/packs/pack-index.ts';
import { yielding } from '../../scheduling/yielding.ts';
import { BOUNDS, broken, refusedObject } from './bounds.ts';
import { ObjectJudge } from './object-judge.ts';
import type { PackEntry } from './pack-scan.ts';
import { PackReader, type VisitObject } from './read-pack.ts';
import { OF_BUNDLE } from './refusals.ts';

export interface JudgedPack extends PackBytes {
  types: ReadonlyMap<Oid, ObjectType>;
  /** Commits and trees, as far as they fit into some megabytes: they are measured next. */
  kept: ReadonlyMap<Oid, GitObject>;
}

/**
 * Makes the index of a pack from elsewhere. Verifies that every object matches its oid, that `git fsck
 * --strict` accepts it, and that it refers only to objects of the pack. Throws `invalid_input` and
 * `too_large`.
 */
export async function indexPack(packBytes: Uint8Array, signal?: AbortSignal): Promise<JudgedPack> {
  const reader = new PackReader(packBytes, { signal });
  const named = new NamedObjects();
  const judge = new ObjectJudge(OF_BUNDLE, (oid, type) => named.add(oid, type));
  const kept = new Map<Oid, GitObject>();
  let keptBytes = 0;
  await reader.read((type, oid, content) => {
    judge.look(type, oid, content);
    if (type !== 'commit' && type !== 'tree') return;
    keptBytes += content.length + KEPT_OVERHEAD_BYTES;
    if (keptBytes <= MAX_KEPT_BYTES) kept.set(oid, { type, content });
  });
  named.requireComplete(reader.types);
  if (judge.hasFiles) {
    const look: VisitObject = (type, oid, content) => judge.lookAtFile(type, oid, content);
    await reader.readAgain((oid) => judge.isFile(oid), look);
  }
  const indexBytes = encodePackIndex(
    await sortedEntries(reader.entries),
    packBytes.subarray(-CHECKSUM_BYTES),
  );
  return { packBytes, indexBytes, types: reader.types, kept };
}

/** Sorts by oid. Sorting all entries at once would hold up other calls. */
export async function sortedEntries(
  entries: readonly Pick<PackEntry, 'oid' | 'offset' | 'crc32'>[],
): Promise<IndexEntry[]> {
  const pause = yielding(TURN_MS);
  const places = entries.map(({ oid, offset, crc32 }) => ({ oid: oid ?? '', offset, crc32 }));
  const parts = Map.groupBy(places, ({ oid }) => oid.slice(0, 2));
  const all: IndexEntry[] = [];
  for (const beginning of [...parts.keys()].sort()) {
    for (const place of (parts.get(beginning) ?? []).sort((a, b) => (a.oid < b.oid ? -1 : 1)))
      all.push(place);
    await pause();
  }
  return all;
}

const TURN_MS = 20;
const MAX_KEPT_BYTES = 16_000_000;
const KEPT_OVERHEAD_BYTES = 400;

/** The objects to which others of one pack refer. */
class NamedObjects {
  /** For each of them, the type that the reference requires. */
  readonly #types = new Map<Oid, ObjectType>();

  add(oid: Oid, type: ObjectType): void {
    const known = this.#types.get(oid);
    if (known === type) return;
    if (known !== undefined) throw refusedObject(known, oid, `another object names it as a ${type}`);
    this.#types.set(oid, type);
    if (this.#types.size > BOUNDS.objects) throw broken(`it lacks objects that it names, such as ${oid}`);
  }

  /** Throws if an object refers to one that is missing or of another type. */
  requireComplete(types: ReadonlyMap<Oid, ObjectType>): void {
    for (const [oid, type] of this.#types) {
      const found = types.get(oid);
      if (found === undefined && oid === EMPTY_TREE && type === 'tree') continue;
      if (found === undefined) throw broken(`it lacks the ${type} ${oid}`);
      if (found !== type) throw refusedObject(found, oid, `another object names it as a ${type}`);
    }
  }
}
