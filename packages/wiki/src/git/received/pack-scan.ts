import { createHash } from 'node:crypto';
import { mostBytesOfOthers } from '../../formats/deflate.ts';
import { inflateAside, inflateThrough } from '../../formats/inflate.ts';
import { CHECKSUM_BYTES, type ObjectType, type Oid, objectHeader } from '../../formats/oid.ts';
import { DeltaError, deltaSizes } from '../../formats/packs/delta.ts';
import { PACK_HEADER_BYTES, parsePackHeader } from '../../formats/packs/pack.ts';
import { type EntryHeader, parseEntryHeader } from '../../formats/packs/pack-entry.ts';
import { BOUNDS } from './bounds.ts';
import type { Refusals } from './refusals.ts';

/** One entry of a pack that is being read; `oid` is null until the object is known. */
export interface PackEntry {
  offset: number;
  end: number;
  /** The offset of the compressed bytes. */
  dataAt: number;
  /** The size of the inflated content. */
  size: number;
  /** Null for a delta, whose `base` is an offset or an oid. */
  type: ObjectType | null;
  base: number | Oid | null;
  crc32: number;
  oid: Oid | null;
}

/** Iterates over the entries of a pack, and adds up their declared sizes before anything is inflated. */
export class PackScan {
  readonly entries: PackEntry[] = [];
  readonly #bytes: Uint8Array;
  readonly #refusals: Refusals;
  readonly #end: number;
  readonly #count: number;
  #at = PACK_HEADER_BYTES;
  #inflatedBytes = 0;

  constructor(bytes: Uint8Array, refusals: Refusals) {
    this.#refusals = refusals;
    const count = parsePackHeader(bytes);
    if (count === null) throw damaged(refusals);
    if (count === 'unknown version') throw refusals.broken('its pack is not of version 2');
    this.#bytes = bytes;
    this.#end = bytes.length - CHECKSUM_BYTES;
    this.#count = count;
    if (this.#count > BOUNDS.objects) {
      throw refusals.tooLarge(`it says that it has ${this.#count} objects; the most is ${BOUNDS.objects}`);
    }
  }

  /** False at the end of the pack. Throws if the pack has bytes after its last entry. */
  isUnfinished(): boolean {
    if (this.entries.length < this.#count) return true;
    if (this.#at !== this.#end) throw damaged(this.#refusals);
    return false;
  }

  /**
   * The next entry with its inflated content; null for large content, which is streamed and not kept. A large
   * file gets its oid here.
   */
  async next(): Promise<{ entry: PackEntry; content: Uint8Array | null }> {
    const offset = this.#at;
    const header = parseEntryHeader(
      this.#bytes.subarray(offset, Math.min(offset + MAX_HEADER_BYTES, this.#end)),
    );
    if (typeof header === 'string') throw damaged(this.#refusals);
    const { size } = header;
    const kind = kindOf(header, offset);
    this.#add(size, kind.type ?? 'delta');
    const dataAt = offset + header.length;
    const entry: PackEntry = { offset, end: dataAt, dataAt, size, ...kind, crc32: 0, oid: null };
    const content = await this.#inflate(entry);
    this.entries.push(entry);
    this.#at = entry.end;
    return { entry, content };
  }

  /** Sets the end of the entry, and counts the size of a delta's result. */
  async #inflate(entry: PackEntry): Promise<Uint8Array | null> {
    const { dataAt, size, type } = entry;
    const bytes = this.#bytes.subarray(dataAt, Math.min(this.#end, dataAt + mostBytesOfOthers(size)));
    if (size < LARGE_BYTES || type === 'commit' || type === 'tree' || type === 'tag') {
      const inflated = await inflateAside(bytes, size);
      if (typeof inflated === 'string') throw damaged(this.#refusals);
      entry.end += inflated.compressedLength;
      if (type === null) this.#countResult(inflated.content);
      return inflated.content;
    }
    const hash = type === null ? null : createHash('sha1').update(objectHeader(type, size));
    let isFirst = true;
    const length = await inflateThrough(bytes, size, (part) => {
      if (type === null && isFirst) this.#countResult(part);
      isFirst = false;
      hash?.update(part);
    });
    if (typeof length === 'string') throw damaged(this.#refusals);
    entry.end += length;
    entry.oid = hash?.digest('hex') ?? null;
    return null;
  }

  #countResult(delta: Uint8Array): void {
    try {
      this.#add(deltaSizes(delta).result, 'delta');
    } catch (error) {
      throw error instanceof DeltaError ? damaged(this.#refusals, error) : error;
    }
  }

  /** Written so that NaN counts as too large. */
  #add(bytes: number, type: ObjectType | 'delta'): void {
    const most = BOUNDS.bytesOf[type];
    if (!(bytes <= most)) {
      const what = type === 'blob' || type === 'delta' ? 'an object' : `a ${type}`;
      throw this.#refusals.tooLarge(`it says that ${what} has ${bytes} bytes; the most is ${most}`);
    }
    this.#inflatedBytes += bytes;
    if (this.#inflatedBytes > BOUNDS.inflatedBytes) {
      throw this.#refusals.tooLarge(`once unpacked it has more than ${BOUNDS.inflatedBytes} bytes`);
    }
  }
}

function kindOf(header: EntryHeader, offset: number): Pick<PackEntry, 'type' | 'base'> {
  const entry = header.entryOf(NOTHING);
  if (entry.kind === 'whole') return { type: entry.type, base: null };
  return { type: null, base: entry.kind === 'reference_delta' ? entry.baseOid : offset - entry.baseDistance };
}

export function damaged({ broken }: Refusals, cause?: unknown) {
  return broken('its pack is damaged', cause);
}

const NOTHING = new Uint8Array();
const LARGE_BYTES = 2 ** 18;
/** The maximum length of an entry's header: a length of 50 digits and the oid of a base are shorter. */
const MAX_HEADER_BYTES = 64;
