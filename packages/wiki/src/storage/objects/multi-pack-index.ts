import { errorName, type FileSystem } from '../files/file-system.ts';
import { LruCache } from '../files/lru-cache.ts';
import { OpenFiles } from '../files/open-files.ts';
import { PAGE_BYTES, PagedFile, type Region } from '../files/paged-file.ts';
import type { Oid } from '../storage.ts';
import { CHUNKS, HEADER_BYTES, OFFSET_BYTES, parseHeader } from './multi-pack-index-format.ts';
import { OID_BYTES, OidTable } from './oid-table.ts';

/** Where an object is said to lie. */
export interface PackedPlace {
  /** `pack-<name>`. */
  pack: string;
  offset: number;
}

interface Contents {
  /** By the number that stands for each in the file. */
  packs: readonly string[];
  oids: OidTable;
  /** Reads so many bytes, or throws NotReadable. */
  read: (position: number, length: number, region: Region) => Promise<Uint8Array>;
  offsets: Region;
}

/**
 * One index over the packs that the last maintenance left, in the format of git's multi-pack-index: with it an
 * object costs the same round trips among many packs as among few. It is only a hint: packs that it names may be
 * gone and others have come, and where it cannot be read, for whatever reason, it finds nothing: the packs themselves
 * are searched then, and tell where the file system fails. It stands where native git does not look for one, since git
 * fails where such a pack is gone.
 */
export class MultiPackIndex {
  readonly #files: OpenFiles;
  readonly #path: string;
  #opening: Promise<Contents> | null = null;
  #gone = new Set<string>();

  constructor(fs: FileSystem, path: string) {
    // For this one file: others would close it in passing, and open another one that took its name since.
    this.#files = new OpenFiles(fs, 1);
    this.#path = path;
  }

  /** Where the object lies, null where this does not tell. */
  async find(oid: Oid): Promise<PackedPlace | null> {
    return this.#reading(async ({ packs, oids, read, offsets }) => {
      const position = await oids.find(oid);
      if (position === null) return null;
      const place = asView(await read(offsets.from + position * OFFSET_BYTES, OFFSET_BYTES, offsets));
      const pack = packs[place.getUint32(0)];
      return pack && !this.#gone.has(pack) ? { pack, offset: place.getUint32(4) } : null;
    });
  }

  /** The packs of which it tells all objects. */
  async packs(): Promise<ReadonlySet<string>> {
    const named = await this.#reading(async ({ packs }) => packs);
    return new Set(named).difference(this.#gone);
  }

  /** A pack that it named was deleted. Where all were, there is a newer index to be opened. */
  async forget(pack: string): Promise<void> {
    this.#gone.add(pack);
    if ((await this.packs()).size === 0) await this.close();
  }

  /** Closes the file; who asks next opens what is there then. */
  async close(): Promise<void> {
    this.#opening = null;
    this.#gone.clear();
    await this.#files.discard(this.#path);
  }

  /** Null where it cannot be read. A stale handle means that another one took its place, which is read once. */
  async #reading<Result>(read: (contents: Contents) => Promise<Result | null>): Promise<Result | null> {
    for (let attempt = 1; ; attempt += 1) {
      this.#opening ??= openContents(this.#files, this.#path);
      const opening = this.#opening;
      try {
        return await read(await opening);
      } catch (error) {
        if (error instanceof NotReadable) return null;
        const errno = errorName(error);
        if (errno === null) throw error;
        // Who comes next opens what is there then. Where there is none, one is made only by maintenance.
        if (errno !== 'ENOENT' && this.#opening === opening) await this.close();
        if (errno !== 'ESTALE' || attempt === MOST_ATTEMPTS) return null;
      }
    }
  }
}

const MOST_ATTEMPTS = 2;

/** Of what it holds in memory: more than the parts of it that reading a few pages needs. */
const CACHE_BYTES = 4_000_000;

/** Who comes new asks for few objects, each on other pages. */
const FIRST_PAGES_AT_ONCE = 2;

/** The file is none that this version understands, or is damaged. */
class NotReadable extends Error {}

async function openContents(files: OpenFiles, path: string): Promise<Contents> {
  const size = await files.use(path, (opened) => opened.size());
  const file = new PagedFile(files, path, size, new LruCache(CACHE_BYTES), FIRST_PAGES_AT_ONCE);
  const read: Contents['read'] = async (position, length, region) => {
    const bytes = await file.read(position, length, region);
    if (bytes.length < length) throw new NotReadable(`${path} ends too early`);
    return bytes;
  };
  const beginning = { from: 0, to: PAGE_BYTES };
  const header = parseHeader(await file.read(0, HEADER_BYTES, beginning));
  if (header === null) throw new NotReadable(`${path} is no index over several packs`);
  const [names, oids, offsets] = CHUNKS.map((chunk) => header[chunk]);
  if (!names || !oids || !offsets) throw new NotReadable(`${path} lacks a part`);
  const text = new TextDecoder().decode(
    await read(names.from, names.to - names.from, { from: 0, to: names.to }),
  );
  const count = (oids.to - oids.from) / OID_BYTES;
  return {
    packs: text.split('\0').flatMap((name) => /^(pack-[^/]+)\.idx$/.exec(name)?.[1] ?? []),
    oids: new OidTable(read, { at: oids.from, count }),
    read,
    offsets,
  };
}

function asView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
