import { OID_BYTES, type Oid } from '../../../formats/oid.ts';
import {
  INDEX_ENTRY_BYTES,
  INDEX_TRAILER_BYTES,
  indexedObjects,
  LARGE_OFFSET,
  OIDS_AT,
} from '../../../formats/packs/pack-index.ts';
import type { LruCache } from '../../files/lru-cache.ts';
import type { OpenFiles } from '../../files/open-files.ts';
import { PagedFile, type Region } from '../../files/paged-file.ts';
import { StorageError } from '../../storage-error.ts';
import { OidTable } from './oid-table.ts';

const HEADER: Region = { from: 0, to: OIDS_AT };

/**
 * The `.idx` of a pack, version 2, searched in place. Not even its fan-out table is read. The header is
 * checked before an object is reported as missing. Methods throw StorageError `corrupt_pack` and what the
 * file system throws.
 */
export class PackIndex {
  readonly #file: PagedFile;
  readonly #path: string;
  readonly #objectCount: number;
  readonly #oids: OidTable;
  #checked = false;

  private constructor(file: PagedFile, path: string, objectCount: number) {
    this.#file = file;
    this.#path = path;
    this.#objectCount = objectCount;
    this.#oids = new OidTable((position, length, region) => this.#read(position, length, region), {
      at: OIDS_AT,
      count: objectCount,
    });
  }

  /** `packBytes` is the length of the pack: only packs beyond 2 GB use 64-bit offsets. */
  static async open(
    files: OpenFiles,
    path: string,
    packBytes: number,
    cache: LruCache<Uint8Array>,
  ): Promise<PackIndex> {
    const size = await files.use(path, (opened) => opened.size());
    const file = new PagedFile(files, path, size, cache);
    const plain = (size - OIDS_AT - INDEX_TRAILER_BYTES) / INDEX_ENTRY_BYTES;
    const isPlain = packBytes < LARGE_OFFSET && Number.isInteger(plain) && plain >= 0;
    return new PackIndex(
      file,
      path,
      isPlain ? plain : parseHeader(await file.read(0, OIDS_AT, HEADER), path),
    );
  }

  /** The position of the object in the pack, or null if it is not in it. */
  async find(oid: Oid): Promise<number | null> {
    const position = await this.#oids.find(oid);
    if (position !== null) return this.#offset(position);
    await this.#check();
    return null;
  }

  /** The oids that begin with `prefix`, at most `limit`, in order. */
  async expand(prefix: string, limit: number): Promise<Oid[]> {
    await this.#check();
    return this.#oids.expand(prefix, limit);
  }

  async #check(): Promise<void> {
    if (this.#checked) return;
    const count = parseHeader(await this.#file.read(0, OIDS_AT, HEADER), this.#path);
    const least = OIDS_AT + count * INDEX_ENTRY_BYTES + INDEX_TRAILER_BYTES;
    if (count !== this.#objectCount || this.#file.size < least || this.#file.size > least + count * 8) {
      throw this.#corrupt('has the wrong size');
    }
    this.#checked = true;
  }

  async #offset(position: number): Promise<number> {
    const offsetsAt = OIDS_AT + this.#objectCount * (OID_BYTES + 4);
    const largeOffsetsAt = offsetsAt + this.#objectCount * 4;
    const region = { from: offsetsAt, to: largeOffsetsAt };
    const offset = asView(await this.#read(offsetsAt + position * 4, 4, region)).getUint32(0);
    if (offset < LARGE_OFFSET) return offset;
    const at = largeOffsetsAt + (offset - LARGE_OFFSET) * 8;
    const large = asView(await this.#read(at, 8, { from: largeOffsetsAt, to: this.#file.size })).getBigUint64(
      0,
    );
    if (large > BigInt(Number.MAX_SAFE_INTEGER)) throw this.#corrupt('holds an impossible offset');
    return Number(large);
  }

  async #read(position: number, length: number, region: Region): Promise<Uint8Array> {
    const bytes = await this.#file.read(position, length, region);
    if (bytes.length < length) throw this.#corrupt('ends too early');
    return bytes;
  }

  #corrupt(what: string): StorageError {
    return corruptIndex(this.#path, what);
  }
}

/** The number of objects in the index. */
function parseHeader(bytes: Uint8Array, path: string): number {
  if (bytes.length < OIDS_AT) throw corruptIndex(path, 'ends too early');
  const count = indexedObjects(bytes);
  if (count === null) throw corruptIndex(path, 'is not a version 2 pack index');
  return count;
}

function asView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function corruptIndex(path: string, what: string): StorageError {
  return new StorageError('corrupt_pack', `The pack index ${path} ${what}.`, { path });
}
