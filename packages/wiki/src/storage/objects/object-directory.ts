import type { FileSystem } from '../files/file-system.ts';
import { namesIn, unlessGone } from '../files/unless-gone.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { Pack, type PackResources } from './packed/pack-file.ts';

/** The known packs of one `objects/` directory. Other processes add and delete packs at any time. */
export class ObjectDirectory {
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #resources: PackResources;
  #packs = new Map<string, Pack>();
  #listingsBegun = 0;
  #listing: Promise<void> | null = null;

  constructor(fs: FileSystem, path: string, resources: PackResources) {
    this.#fs = fs;
    this.path = path;
    this.#resources = resources;
  }

  get packDirectory(): string {
    return `${this.path}/pack`;
  }

  /** The packs known now, most recently useful first. */
  get packs(): readonly Pack[] {
    return [...this.#packs.values()].reverse();
  }

  /** The number of listings begun so far. Pass it to `listSince` to request one that begins from now on. */
  get listingsBegun(): number {
    return this.#listingsBegun;
  }

  /** Lists the packs, or waits for a listing that began after `mark`. Throws StorageError. */
  async listSince(mark: number): Promise<void> {
    if (!this.#listing || this.#listingsBegun <= mark) {
      this.#listingsBegun += 1;
      this.#listing = this.#list();
    }
    await this.#listing;
  }

  /** The pack of this name (`pack-...`), registered without checking that it exists. */
  add(name: string, create: (path: string) => Pack = (path) => new Pack(path, this.#resources)): Pack {
    const known = this.#packs.get(name);
    if (known) return known;
    const pack = create(`${this.packDirectory}/${name}`);
    this.#packs.set(name, pack);
    return pack;
  }

  /** Notes that a pack held the requested object: it probably holds the next one too. */
  prefer(pack: Pack): void {
    const name = nameOf(pack);
    if (this.#packs.get(name) !== pack) return;
    this.#packs.delete(name);
    this.#packs.set(name, pack);
  }

  /** Forgets a pack that was deleted. */
  async drop(pack: Pack): Promise<void> {
    const name = nameOf(pack);
    if (this.#packs.get(name) === pack) this.#packs.delete(name);
    await pack.release();
  }

  async #list(): Promise<void> {
    const before = [...this.#packs];
    const listed = packNames(await this.#readdir());
    const gone = before.filter(([name, pack]) => !listed.has(name) && this.#packs.get(name) === pack);
    await Promise.all(gone.map(([, pack]) => this.drop(pack)));
    const added = [...listed].filter((name) => !this.#packs.has(name));
    for (const { name, size } of await this.#bySize(added)) {
      this.add(name, (path) => new Pack(path, this.#resources, size));
    }
  }

  /**
   * Smallest first, so that the largest pack is searched first: it is the most likely to hold the object. The
   * sizes cost an NFS client nothing, as they came with the listing. An outdated size does no harm.
   */
  async #bySize(names: readonly string[]): Promise<{ name: string; size: number }[]> {
    const sized = await Promise.all(names.map(async (name) => ({ name, size: await this.#packSize(name) })));
    return sized.sort((a, b) => a.size - b.size);
  }

  async #packSize(name: string): Promise<number> {
    const path = `${this.packDirectory}/${name}.pack`;
    try {
      // The pack was deleted after the listing. The reader that opens it will notice.
      return (await unlessGone(() => this.#fs.lstat(path)))?.size ?? 0;
    } catch (error) {
      throw fileSystemFailure(error, 'Looking at a pack', path);
    }
  }

  async #readdir(): Promise<string[]> {
    try {
      // The directory is missing in a copy without empty directories if every object is loose or borrowed.
      return await namesIn(this.#fs, this.packDirectory);
    } catch (error) {
      throw fileSystemFailure(error, 'Listing the packs', this.packDirectory);
    }
  }
}

/** As in git, a pack exists when both of its files do. */
function packNames(files: readonly string[]): Set<string> {
  const all = new Set(files);
  const indexes = files.filter((file) => file.startsWith('pack-') && file.endsWith('.idx'));
  const names = indexes.map((file) => file.slice(0, -'.idx'.length));
  return new Set(names.filter((name) => all.has(`${name}.pack`)));
}

export function nameOf(pack: Pack): string {
  return pack.path.slice(pack.path.lastIndexOf('/') + 1);
}
