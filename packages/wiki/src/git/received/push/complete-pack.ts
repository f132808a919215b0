import { throwIfCancelled } from '../../../contract/errors.ts';
import { deflateInParts } from '../../../formats/deflate.ts';
import { CHECKSUM_BYTES } from '../../../formats/oid.ts';
import { GrowingPack } from '../../../formats/packs/growing-pack.ts';
import { PACK_HEADER_BYTES, type PackBytes } from '../../../formats/packs/pack.ts';
import { entryHeader } from '../../../formats/packs/pack-entry.ts';
import { encodePackIndex, type IndexEntry } from '../../../formats/packs/pack-index.ts';
import { packLevels } from '../../../formats/packs/pack-levels.ts';
import { yielding } from '../../../scheduling/yielding.ts';
import { BOUNDS } from '../bounds.ts';
import { sortedEntries } from '../index-pack.ts';
import type { ReceivedObjects } from './received-objects.ts';

/**
 * The pack of a push with its index. Adds the stored objects that it needs, as git does (`index-pack --fix-thin`): no
 * object of a stored pack rests on one of another pack.
 */
export async function completePack(
  received: ReceivedObjects,
  signal: AbortSignal | undefined,
): Promise<PackBytes> {
  const { packBytes, reader, added } = received;
  const entries = (reader?.entries ?? []).map(({ oid, offset, crc32 }) => ({
    oid: oid ?? '',
    offset,
    crc32,
  }));
  if (packBytes !== null && added.length === 0) {
    const checksum = packBytes.subarray(-CHECKSUM_BYTES);
    return { packBytes, indexBytes: encodePackIndex(await sortedEntries(entries), checksum) };
  }
  const body = packBytes?.subarray(PACK_HEADER_BYTES, -CHECKSUM_BYTES) ?? new Uint8Array();
  const pack = new GrowingPack(body.length + ROOM_BYTES);
  pack.take(body, entries.length);
  const pause = yielding(TURN_MS);
  entries.push(...(await addObjects(pack, received, pause, signal)));
  const { bytes, checksum } = await pack.finish(pause);
  return { packBytes: bytes, indexBytes: encodePackIndex(await sortedEntries(entries), checksum) };
}

async function addObjects(
  pack: GrowingPack,
  received: ReceivedObjects,
  pause: () => Promise<void> | undefined,
  signal: AbortSignal | undefined,
): Promise<IndexEntry[]> {
  const levelOf = packLevels();
  const entries: IndexEntry[] = [];
  for (const oid of received.added) {
    throwIfCancelled(signal);
    const { type, content } = await received.readStored(oid);
    const offset = pack.begin(entryHeader(type, content.length));
    await deflateInParts(content, levelOf(type, content), (part) => {
      if (pack.length + part.length > BOUNDS.packBytes) {
        throw received.refusals.tooLarge(
          `with the bases of its deltas it has more than ${BOUNDS.packBytes} bytes`,
        );
      }
      pack.append(part);
    });
    entries.push({ oid, offset, crc32: pack.crc32 });
    await pause();
  }
  return entries;
}

const ROOM_BYTES = 2 ** 18;
const TURN_MS = 20;
