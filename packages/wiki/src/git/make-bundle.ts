import { throwIfCancelled, WikiError } from '../contract/errors.ts';
import type { Call } from '../contract/wiki.ts';
import { deflateInParts } from '../formats/deflate.ts';
import { EMPTY_TREE, type Oid } from '../formats/oid.ts';
import { bundleHeader } from '../formats/packs/bundle.ts';
import { GrowingPack } from '../formats/packs/growing-pack.ts';
import { entryHeader } from '../formats/packs/pack-entry.ts';
import { packLevels } from '../formats/packs/pack-levels.ts';
import { storedBlock } from '../formats/packs/stored-block.ts';
import { yielding } from '../scheduling/yielding.ts';
import type { ObjectReader } from '../storage/storage.ts';
import { reachable } from './history/reachable.ts';
import { Objects } from './objects.ts';
import { historyTooLarge } from './received/bounds.ts';

/**
 * A bundle of everything that a commit reaches. Keeps the compressed objects in memory, and throws
 * `too_large` as soon as they exceed `most` bytes.
 */
export async function makeBundle(
  reader: ObjectReader,
  tip: Oid,
  branch: string,
  { signal, progress }: Pick<Call, 'signal' | 'progress'>,
  most = Number.POSITIVE_INFINITY,
  bounds: ContentBounds = UNBOUNDED,
): Promise<Uint8Array> {
  const objects = new Objects(reader, CACHE_BYTES);
  const header = bundleHeader([
    { oid: tip, name: `refs/heads/${branch}` },
    { oid: tip, name: 'HEAD' },
  ]);
  const pack = new GrowingPack(Math.min(most, bounds.packBytes, MAX_ROOM_BYTES), header);
  const levelOf = packLevels();
  const pause = yielding(TURN_MS);
  let [count, inflated] = [0, 0];
  for await (const { oid, type } of reachable(objects, tip)) {
    throwIfCancelled(signal);
    if (count === bounds.objects) throw historyTooLarge(`it has more than ${count} objects`);
    const content = oid === EMPTY_TREE ? new Uint8Array() : (await reader.read(oid)).content;
    inflated += content.length;
    if (inflated > bounds.inflatedBytes) {
      throw historyTooLarge(`once unpacked it has more than ${bounds.inflatedBytes} bytes`);
    }
    pack.begin(entryHeader(type, content.length));
    const append = (part: Uint8Array) => {
      const bytes = pack.length + part.length;
      if (bytes > most) throw bundleTooLarge(bytes, most);
      if (bytes > bounds.packBytes) throw historyTooLarge(`it has more than ${bounds.packBytes} bytes`);
      pack.append(part);
    };
    if (content.length <= STORED_BYTES) append(storedBlock(content));
    else await deflateInParts(content, levelOf(type, content), append);
    count += 1;
    if (count % 1_000 === 0) progress?.(count, 0, 'packing objects');
    await pause();
  }
  throwIfCancelled(signal);
  return (await pack.finish(pause)).bytes;
}

/** Limits for a history whose size is unknown. */
export interface ContentBounds {
  objects: number;
  inflatedBytes: number;
  /** The size of the resulting pack. */
  packBytes: number;
}

const UNBOUNDED: ContentBounds = {
  objects: Number.POSITIVE_INFINITY,
  inflatedBytes: Number.POSITIVE_INFINITY,
  packBytes: Number.POSITIVE_INFINITY,
};
/** Such as commits and trees of few files: to compress them saves few bytes, and takes most of the time. */
const STORED_BYTES = 256;
const TURN_MS = 20;
/** A larger pack is copied as it grows. */
const MAX_ROOM_BYTES = 300_000_000;

const CACHE_BYTES = 4_000_000;

/** @param bytes The size that the bundle would exceed. */
export function bundleTooLarge(bytes: number, most: number): WikiError {
  return new WikiError(
    'too_large',
    {
      happened: `The bundle of the whole history has more than ${bytes} bytes; this backend gives at most ${most} in one call.`,
      now: 'Nothing was exported.',
      next: `For the pages without their history, export a zip. For the history, ${CLONE_INSTEAD}`,
    },
    { bytes, most },
  );
}

const CLONE_INSTEAD =
  'ask the person who runs the wiki to clone its repository with `git clone --bare` where its files are; for a wiki on AWS docs/deploy.md says how, under "Mount the wikis by hand".';
