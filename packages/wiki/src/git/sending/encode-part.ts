import type { PackPlace } from '../../core/transport-port.ts';
import { deflateAside } from '../../formats/deflate.ts';
import { EMPTY_TREE, type Oid } from '../../formats/oid.ts';
import { encodeDelta } from '../../formats/packs/delta-encoder.ts';
import { entryHeader, referenceHeader } from '../../formats/packs/pack-entry.ts';
import { packLevels } from '../../formats/packs/pack-levels.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { ObjectReader, PackedEntries, PackedEntry } from '../../storage/storage.ts';
import type { SentObject } from './list-objects.ts';

export interface PartOptions {
  reader: ObjectReader;
  /** The entries of packs, to be copied; null if the fetch is too small for that. */
  packed: PackedEntries | null;
  objects: readonly SentObject[];
  /** The number of each object, by its oid. */
  numbers: ReadonlyMap<Oid, number>;
}

/**
 * The entries of objects from a place on, in at most `mostBytes`. An entry that has more comes in pieces. No delta rests on
 * an object that comes later, so that deltas of several parts never rest on one another, even if packs were merged
 * meanwhile. If that happens between two pieces, they do not fit, and git refuses the pack.
 */
export async function encodePart(
  options: PartOptions,
  from: PackPlace,
  mostBytes: number,
): Promise<{ entries: Uint8Array; next: PackPlace }> {
  const parts: Uint8Array[] = [];
  const encode = entryEncoder(options.reader);
  const pause = yielding(TURN_MS);
  let left = mostBytes;
  let next = from;
  for await (const { object, entry } of withEntries(options, from.object)) {
    const whole = Buffer.concat(entry === null ? await encode(object) : copied(entry));
    const rest = whole.subarray(next.byte);
    if (rest.length > left && parts.length > 0) break;
    parts.push(rest.subarray(0, left));
    if (rest.length > left) {
      next = { object: next.object, byte: next.byte + left };
      break;
    }
    left -= rest.length;
    next = { object: next.object + 1, byte: 0 };
    await pause();
  }
  return { entries: Buffer.concat(parts), next };
}

/** Each object, with its entry in a pack if that can be copied. */
async function* withEntries(
  { packed, objects, numbers }: PartOptions,
  from: number,
): AsyncGenerator<{ object: SentObject; entry: PackedEntry | null }> {
  for (let at = from; at < objects.length; at += BATCH) {
    const batch = objects.slice(at, at + BATCH);
    const entries = (await packed?.read(batch.map(({ oid }) => oid))) ?? [];
    for (const [offset, object] of batch.entries()) {
      const entry = entries[offset] ?? null;
      const base = entry?.base ?? null;
      const isUsable = base === null || (numbers.get(base) ?? Number.POSITIVE_INFINITY) < at + offset;
      yield { object, entry: isUsable ? entry : null };
    }
  }
}

function copied({ type, base, size, compressed }: PackedEntry): [Uint8Array, Uint8Array] {
  return [base === null ? entryHeader(type ?? 'blob', size) : referenceHeader(base, size), compressed];
}

/** Encodes objects by their content. */
function entryEncoder(reader: ObjectReader): (object: SentObject) => Promise<[Uint8Array, Uint8Array]> {
  const levelOf = packLevels();
  return async (object) => {
    const content = await contentOf(reader, object.oid);
    const delta = await deltaOf(reader, object, content);
    const data = delta ?? content;
    const compressed = await deflateAside(data, levelOf(object.type, data));
    if (delta === null || object.basis === null)
      return [entryHeader(object.type, content.length), compressed];
    return [referenceHeader(object.basis, delta.length), compressed];
  };
}

/** Null if the object takes less room whole. */
async function deltaOf(
  reader: ObjectReader,
  { basis, type }: SentObject,
  content: Uint8Array,
): Promise<Uint8Array | null> {
  if (basis === null || type === 'commit') return null;
  if (content.length < MIN_BYTES || content.length > MAX_BYTES) return null;
  const base = await contentOf(reader, basis);
  if (base.length > MAX_BYTES) return null;
  return encodeDelta(base, content, Math.floor(content.length / 2));
}

async function contentOf(reader: ObjectReader, oid: Oid): Promise<Uint8Array> {
  return oid === EMPTY_TREE ? NOTHING : (await reader.read(oid)).content;
}

const NOTHING = new Uint8Array();
const TURN_MS = 20;
/** So many objects are looked for in packs at once. */
const BATCH = 1_000;
/** A delta names its base by 20 bytes. */
const MIN_BYTES = 60;
/** To compare larger ones would hold up other calls. */
const MAX_BYTES = 2_000_000;
