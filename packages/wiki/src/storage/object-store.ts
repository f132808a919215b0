import type { FileSystem } from './file-system.ts';
import type { EncodedPack } from './pack-writer.ts';
import type { ObjectReader, Oid } from './storage.ts';

export interface ObjectStoreOptions {
  fs: FileSystem;
  /** The bare repository; its objects are in `objects/` below it. */
  gitDirectory: string;
  /** How many bytes of objects and of pack indexes to keep in memory. */
  cacheBytes: number;
}

/** The objects of one repository, read by position from packs, and from loose files and alternates. */
export interface ObjectStore extends ObjectReader {
  has(oid: Oid): Promise<boolean>;
  /** Every oid of a stored object that begins with `prefix` (4 to 40 digits), at most `limit`, sorted. */
  expand(prefix: string, limit: number): Promise<Oid[]>;
  /** Makes known, without any call of the file system, a pack that this process just landed as `pack-<name>`. */
  addPack(name: string, pack: EncodedPack): void;
  /**
   * Says that `pack-<name>` should be there, as the chain told: it is opened by name, without a listing.
   * Where it is not (merged since) nothing happens; its objects are then found as any others.
   */
  expectPack(name: string): Promise<void>;
  /** Closes every file. Reads that go on finish first or fail. */
  close(): Promise<void>;
}
