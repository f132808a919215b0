import type { GitObject, Oid } from '../../formats/oid.ts';
import type { ObjectReader, PackedEntries } from '../../storage/storage.ts';
import type { RepositoryStorage } from '../storage-failures.ts';

/** Reads objects one by one, and from the packs at large once they are many. */
export class WalkReader implements ObjectReader {
  readonly #storage: RepositoryStorage;
  #reads = 0;
  #packed: PackedEntries | null = null;
  #objects: ReturnType<PackedEntries['objects']> | null = null;

  constructor(storage: RepositoryStorage) {
    this.#storage = storage;
  }

  async read(oid: Oid): Promise<GitObject> {
    this.#reads += 1;
    if (this.#reads < MANY) return this.#storage.read(oid);
    this.#objects ??= (await this.packed()).objects();
    // What is not there or damaged there may have a sound copy elsewhere.
    return (await this.#objects.read(oid)) ?? this.#storage.read(oid);
  }

  size(oid: Oid): Promise<number> {
    return this.#storage.size(oid);
  }

  beginning(oid: Oid, most: number): Promise<Uint8Array> {
    return this.#storage.beginning(oid, most);
  }

  /** The large packs, as they were when they were asked for first. */
  async packed(): Promise<PackedEntries> {
    this.#packed ??= await this.#storage.packedEntries();
    return this.#packed;
  }
}

/** To open the packs at large takes as long as to read so many. */
const MANY = 500;
