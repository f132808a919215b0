import type { LruCache } from '../files/lru-cache.ts';
import type { OpenFiles } from '../files/open-files.ts';
import { PagedFile, type Region } from '../files/paged-file.ts';
import type { Oid } from '../storage.ts';
import { StorageError } from '../storage-error.ts';
import { OID_BYTES, OidTable } from './oid-table.ts';
import { ENTRY_BYTES, indexedObjects, LARGE_OFFSET, OIDS_AT, TRAILER_BYTES } from './pack-index-layout.ts';

const HEADER: Region = { from: 0, to: OIDS_AT };

/**
 * The `.idx` of a pack, version 2, searched where it lies. Not even its fan-out table is read; that an object is
 * not there is said only after the header was checked. Methods throw StorageError `corrupt_pack`, and what the file system throws.
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

  /** `packBytes` is the length of the pack: only one beyond 2 GB has offsets that take more room. */
  static async open(
    files: OpenFiles,
    path: string,
    packBytes: number,
    cache: LruCache<Uint8Array>,
  ): Promise<PackIndex> {
    const size = await files.use(path, (opened) => opened.size());
    const file = new PagedFile(files, path, size, cache);
    const plain = (size - OIDS_AT - TRAILER_BYTES) / ENTRY_BYTES;
    const isPlain = packBytes < LARGE_OFFSET && Number.isInteger(plain) && plain >= 0;
    return new PackIndex(
      file,
      path,
      isPlain ? plain : parseHeader(await file.read(0, OIDS_AT, HEADER), path),
    );
  }

  /** Where in the pack the object begins, or null if it is not in it. */
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
    const least = OIDS_AT + count * ENTRY_BYTES + TRAILER_BYTES;
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

/** How many objects the index has. */
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
