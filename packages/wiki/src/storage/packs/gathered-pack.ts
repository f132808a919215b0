import { deflateInParts, mostBytes } from '../../formats/deflate.ts';
import type { GitObject, ObjectType, Oid } from '../../formats/oid.ts';
import { GrowingPack } from '../../formats/packs/growing-pack.ts';
import { type EncodedPack, encodePack, PACK_ORDER, type PlacedObject } from '../../formats/packs/pack.ts';
import { entryHeader } from '../../formats/packs/pack-entry.ts';
import { encodePackIndex, type IndexEntry } from '../../formats/packs/pack-index.ts';
import { packLevels } from '../../formats/packs/pack-levels.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { LaterBlob } from '../storage.ts';

/** An object of an attempt: in memory, or read when the pack is made. */
export type GatheredObject = { oid: Oid; length: number; object: GitObject } | LaterBlob;

/**
 * The pack of an attempt. A small one is made at once, since writers wait for it; a larger one yields to the
 * event loop.
 */
export async function packGathered(objects: readonly GatheredObject[]): Promise<EncodedPack> {
  const bytes = objects.reduce((sum, { length }) => sum + length, 0);
  const inMemory = objects.flatMap((gathered) => ('object' in gathered ? [gathered.object] : []));
  const isSmall = bytes < SMALL_BYTES && objects.length < SMALL_COUNT;
  return isSmall && inMemory.length === objects.length
    ? encodePack(inMemory, { haste: true })
    : packInTurns(objects);
}

/** The same bytes as `encodePack` for a small pack. A large one is compressed less, to bound the time. */
async function packInTurns(objects: readonly GatheredObject[]): Promise<EncodedPack> {
  const ordered = [...objects].sort(
    (one, other) => PACK_ORDER.indexOf(typeOf(one)) - PACK_ORDER.indexOf(typeOf(other)),
  );
  const room = ordered.reduce((sum, { length }) => sum + mostBytes(length) + MAX_HEADER_BYTES, 0);
  const pack = new GrowingPack(room);
  const levelOf = packLevels();
  const entries: IndexEntry[] = [];
  const packed: PlacedObject[] = [];
  const pause = yielding(TURN_MS);
  for (const gathered of ordered) {
    const { oid, length } = gathered;
    const type = typeOf(gathered);
    const content = 'object' in gathered ? gathered.object.content : await gathered.read();
    if (content.length !== length) throw new Error(`${oid} has ${content.length} bytes, not ${length}.`);
    const offset = pack.begin(entryHeader(type, length));
    await deflateInParts(content, levelOf(type, content), (part) => pack.append(part));
    entries.push({ oid, offset, crc32: pack.crc32 });
    packed.push({ oid, offset, object: 'object' in gathered ? gathered.object : null });
    await pause();
  }
  const { bytes, checksum } = await pack.finish(pause);
  const oids = objects.map(({ oid }) => oid);
  return { packBytes: bytes, indexBytes: encodePackIndex(entries, checksum), oids, objects: packed };
}

function typeOf(gathered: GatheredObject): ObjectType {
  return 'object' in gathered ? gathered.object.type : 'blob';
}

const SMALL_BYTES = 2 ** 18;
const SMALL_COUNT = 1_000;
/** The read of a page waits for several turns, one after another. */
const TURN_MS = 4;
/** The size of a type and a 64-bit length. */
const MAX_HEADER_BYTES = 10;
