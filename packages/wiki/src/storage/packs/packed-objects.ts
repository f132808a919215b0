import { crc32 } from 'node:zlib';
import { inflate } from '../../formats/inflate.ts';
import type { GitObject, Oid } from '../../formats/oid.ts';
import { applyDelta, DeltaError, deltaSizes } from '../../formats/packs/delta.ts';
import { type PackEntry, parseEntryHeader } from '../../formats/packs/pack-entry.ts';
import { yielding } from '../../scheduling/yielding.ts';
import type { FileSystem } from '../files/file-system.ts';
import { isGone } from '../files/unless-gone.ts';
import { fileSystemFailure } from '../storage-error.ts';
import type { PackMap } from './pack-map.ts';
import { RecentValues } from './recent-values.ts';

export interface MappedPack {
  path: string;
  map: PackMap;
}

/**
 * Objects of large packs for a walk through most of the history. Packs have commits and trees close together, so one
 * read of a file serves hundreds of them, and a version mostly rests on the one before it in the walk.
 */
export class PackedObjects {
  readonly #fs: FileSystem;
  readonly #packs: readonly MappedPack[];
  /** By pack and page number. */
  readonly #pages = new RecentValues<Uint8Array>(PAGES_BYTES);
  /** By pack and position in its index. */
  readonly #objects = new RecentValues<GitObject>(OBJECTS_BYTES);
  readonly #pause = yielding(TURN_MS);

  constructor(fs: FileSystem, packs: readonly MappedPack[]) {
    this.#fs = fs;
    this.#packs = packs;
  }

  /**
   * Null if no large pack has the object, or if it cannot be read there: damaged, gone, or too large for a walk. Each
   * entry is compared with its checksum, and the object not with its oid. Throws StorageError.
   */
  async read(oid: Oid): Promise<GitObject | null> {
    const pausing = this.#pause();
    if (pausing !== undefined) await pausing;
    for (const [number, { map }] of this.#packs.entries()) {
      const position = map.find(oid);
      if (position !== null) return this.#resolve(number, position);
    }
    return null;
  }

  /** Follows deltas down to an object that is whole or known, then applies them in reverse order. */
  async #resolve(pack: number, first: number): Promise<GitObject | null> {
    const deltas: { position: number; delta: Uint8Array }[] = [];
    let position = first;
    let object = this.#objects.get(keyOf(pack, position));
    let room = MAX_CHAIN_BYTES;
    while (object === undefined) {
      const reading = this.#entry(pack, position);
      const entry = reading instanceof Promise ? await reading : reading;
      if (entry === null) return null;
      if (entry.kind === 'whole') {
        object = this.#keep(pack, position, entry);
        break;
      }
      // A delta may be many times as long as what it makes.
      room -= entry.delta.length + sizeMadeBy(entry.delta);
      if (!(room >= 0) || deltas.length > MAX_DEPTH) return null;
      deltas.push({ position, delta: entry.delta });
      const base = this.#baseOf(pack, position, entry);
      if (base === null) return null;
      position = base;
      object = this.#objects.get(keyOf(pack, position));
    }
    for (let made = deltas.pop(); made !== undefined; made = deltas.pop()) {
      const content = contentMadeBy(made.delta, object.content);
      if (content === null) return null;
      object = this.#keep(pack, made.position, { type: object.type, content });
    }
    return object;
  }

  #baseOf(pack: number, position: number, entry: Exclude<PackEntry, { kind: 'whole' }>): number | null {
    const map = this.#packs[pack]?.map;
    if (map === undefined) return null;
    if (entry.kind === 'reference_delta') return map.find(entry.baseOid);
    return map.positionAtOffset(map.rangeOf(position).offset - entry.baseDistance);
  }

  #keep(pack: number, position: number, { type, content }: GitObject): GitObject {
    const object = { type, content };
    this.#objects.set(keyOf(pack, position), object, content.length + OBJECT_BYTES);
    return object;
  }

  /** At once if its bytes are in memory. */
  #entry(number: number, position: number): PackEntry | null | Promise<PackEntry | null> {
    const pack = this.#packs[number];
    if (pack === undefined) return null;
    const { offset, end } = pack.map.rangeOf(position);
    if (end - offset > MAX_ENTRY_BYTES) return null;
    const checksum = pack.map.crc32At(position);
    const page = Math.floor(offset / PAGE_BYTES);
    const [from, to] = [offset - page * PAGE_BYTES, end - page * PAGE_BYTES];
    const bytes = this.#pages.get(keyOf(number, page));
    if (bytes !== undefined && to <= bytes.length) return parsed(bytes.subarray(from, to), checksum);
    return this.#readEntry(number, { offset, end, checksum });
  }

  async #readEntry(
    number: number,
    { offset, end, checksum }: { offset: number; end: number; checksum: number },
  ): Promise<PackEntry | null> {
    const parts: Uint8Array[] = [];
    for (let at = offset; at < end; ) {
      const page = Math.floor(at / PAGE_BYTES);
      const bytes = this.#pages.get(keyOf(number, page)) ?? (await this.#readPage(number, page));
      const part = bytes.subarray(at - page * PAGE_BYTES, end - page * PAGE_BYTES);
      if (part.length === 0) return null;
      parts.push(part);
      at += part.length;
    }
    return parsed(Buffer.concat(parts), checksum);
  }

  /** Empty if the pack is gone or ends before. */
  async #readPage(number: number, page: number): Promise<Uint8Array> {
    const path = this.#packs[number]?.path ?? '';
    const bytes = Buffer.allocUnsafeSlow(PAGE_BYTES);
    try {
      const file = await this.#fs.open(path, 'r');
      try {
        const length = await file.read(bytes, 0, PAGE_BYTES, page * PAGE_BYTES);
        this.#pages.set(keyOf(number, page), bytes.subarray(0, length), PAGE_BYTES);
        return bytes.subarray(0, length);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isGone(error)) return bytes.subarray(0, 0);
      throw fileSystemFailure(error, 'Reading a pack', path);
    }
  }
}

/** Null if the bytes are damaged. */
function parsed(bytes: Uint8Array, checksum: number): PackEntry | null {
  if (crc32(bytes) !== checksum) return null;
  const header = parseEntryHeader(bytes);
  if (typeof header === 'string' || header.size > MAX_CHAIN_BYTES) return null;
  const inflated = inflate(bytes.subarray(header.length), header.size);
  return typeof inflated === 'string' ? null : header.entryOf(inflated.content);
}

/** Infinite for a delta that cannot be read. */
function sizeMadeBy(delta: Uint8Array): number {
  return unlessBroken(() => deltaSizes(delta).result) ?? Number.POSITIVE_INFINITY;
}

function contentMadeBy(delta: Uint8Array, base: Uint8Array): Uint8Array | null {
  return unlessBroken(() => applyDelta(base, delta));
}

function unlessBroken<Result>(act: () => Result): Result | null {
  try {
    return act();
  } catch (error) {
    if (error instanceof DeltaError) return null;
    throw error;
  }
}

/** A page number or a position is below 2 ** 22. */
function keyOf(pack: number, part: number): number {
  return pack * 2 ** 22 + part;
}

const TURN_MS = 20;
const PAGE_BYTES = 2 ** 18;
const PAGES_BYTES = 16_000_000;
const OBJECTS_BYTES = 24_000_000;
/** The cost of an object besides its content. */
const OBJECT_BYTES = 200;
/** Larger objects are read in another way, which yields while it reads them. */
const MAX_ENTRY_BYTES = 2 ** 20;
/** All deltas on the way to an object, and all that they make. */
const MAX_CHAIN_BYTES = 50_000_000;
/** Git's own limit. */
const MAX_DEPTH = 4_095;
