import { OID_BYTES, type Oid } from '../../../formats/oid.ts';
import { CHUNKS, HEADER_BYTES, OFFSET_BYTES, parseHeader } from '../../../formats/packs/multi-pack-index.ts';
import { errorName, type FileSystem } from '../../files/file-system.ts';
import { LruCache } from '../../files/lru-cache.ts';
import { OpenFiles } from '../../files/open-files.ts';
import { PAGE_BYTES, PagedFile, type Region } from '../../files/paged-file.ts';
import { OidTable } from './oid-table.ts';

/** The place of an object according to the index. */
export interface PackedPlace {
  /** `pack-<name>`. */
  pack: string;
  offset: number;
}

interface Contents {
  /** Indexed by the number that stands for each pack in the file. */
  packs: readonly string[];
  oids: OidTable;
  /** Reads exactly so many bytes, or throws NotReadable. */
  read: (position: number, length: number, region: Region) => Promise<Uint8Array>;
  offsets: Region;
}

/**
 * One index over the packs that the last maintenance left, in the format of git's multi-pack-index. With it,
 * finding an object costs the same round trips among many packs as among few. It is only a hint: packs that
 * it names may be gone, and new ones may exist. If it cannot be read, for whatever reason, it finds nothing.
 * Then the packs themselves are searched, and they report failures of the file system. It lies where native
 * git does not look for one, since git fails if a listed pack is gone.
 */
export class MultiPackIndex {
  readonly #files: OpenFiles;
  readonly #path: string;
  #opening: Promise<Contents> | null = null;
  #gone = new Set<string>();

  constructor(fs: FileSystem, path: string) {
    // A separate instance for this one file: a shared one would close it to make room, and reopen another
    // file of the same name.
    this.#files = new OpenFiles(fs, 1);
    this.#path = path;
  }

  /** The place of the object, or null if the index does not list it. */
  async find(oid: Oid): Promise<PackedPlace | null> {
    return this.#reading(async ({ packs, oids, read, offsets }) => {
      const position = await oids.find(oid);
      if (position === null) return null;
      const place = asView(await read(offsets.from + position * OFFSET_BYTES, OFFSET_BYTES, offsets));
      const pack = packs[place.getUint32(0)];
      return pack && !this.#gone.has(pack) ? { pack, offset: place.getUint32(4) } : null;
    });
  }

  /** The packs whose objects are all listed. */
  async packs(): Promise<ReadonlySet<string>> {
    const named = await this.#reading(async ({ packs }) => packs);
    return new Set(named).difference(this.#gone);
  }

  /** Notes that a listed pack was deleted. If all were, a newer index exists and is opened. */
  async forget(pack: string): Promise<void> {
    this.#gone.add(pack);
    if ((await this.packs()).size === 0) await this.#reopen();
  }

  /** Closes the file for good. A later call still reads it, and closes it again. */
  async close(): Promise<void> {
    await this.#files.close();
  }

  /** Has the next call open the file that exists then. */
  async #reopen(): Promise<void> {
    this.#opening = null;
    this.#gone.clear();
    await this.#files.discard(this.#path);
  }

  /**
   * Null if the index cannot be read. A stale handle means that another file took its place, which is read
   * once.
   */
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
        // The next call opens the file that exists then. If there is none, only maintenance can make one.
        if (errno !== 'ENOENT' && this.#opening === opening) await this.#reopen();
        if (errno !== 'ESTALE' || attempt === MAX_ATTEMPTS) return null;
      }
    }
  }
}

const MAX_ATTEMPTS = 2;

/** The memory limit in bytes: more than the parts needed to read a few pages. */
const CACHE_BYTES = 4_000_000;

/** A new client asks for few objects, each on another page. */
const FIRST_PAGES_AT_ONCE = 2;

/** Thrown if the file is damaged or in a format that this version does not understand. */
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
