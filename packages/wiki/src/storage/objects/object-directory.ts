import { errorName, type FileSystem } from '../files/file-system.ts';
import { fileSystemFailure } from '../storage-error.ts';
import { Pack, type PackResources } from './pack.ts';

/** The packs of one `objects/` directory, as far as they are known: others add and delete them at any time. */
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

  /** The packs known now, those that held what was asked for last come first. */
  get packs(): readonly Pack[] {
    return [...this.#packs.values()].reverse();
  }

  /** How many listings began so far: what to give `listSince` to ask for one that begins from now on. */
  get listingsBegun(): number {
    return this.#listingsBegun;
  }

  /** Lists the packs, unless a listing began after `mark`; then waits for that one. Throws StorageError. */
  async listSince(mark: number): Promise<void> {
    if (!this.#listing || this.#listingsBegun <= mark) {
      this.#listingsBegun += 1;
      this.#listing = this.#list();
    }
    await this.#listing;
  }

  /** The pack of this name (`pack-...`), made known without looking whether it is there. */
  add(name: string, create: (path: string) => Pack = (path) => new Pack(path, this.#resources)): Pack {
    const known = this.#packs.get(name);
    if (known) return known;
    const pack = create(`${this.packDirectory}/${name}`);
    this.#packs.set(name, pack);
    return pack;
  }

  /** Notes that a pack held what was asked for: it is likely to hold what is asked for next. */
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
   * The smallest first, so that the largest is searched first of all: it is likely to hold what is asked for. The
   * sizes cost an NFS client nothing, as they came with the listing; an old one does no harm.
   */
  async #bySize(names: readonly string[]): Promise<{ name: string; size: number }[]> {
    const sized = await Promise.all(names.map(async (name) => ({ name, size: await this.#packSize(name) })));
    return sized.sort((a, b) => a.size - b.size);
  }

  async #packSize(name: string): Promise<number> {
    const path = `${this.packDirectory}/${name}.pack`;
    try {
      return (await this.#fs.lstat(path)).size;
    } catch (error) {
      // Deleted since it was listed: whoever opens it will notice.
      if (errorName(error) === 'ENOENT' || errorName(error) === 'ESTALE') return 0;
      throw fileSystemFailure(error, 'Looking at a pack', path);
    }
  }

  async #readdir(): Promise<string[]> {
    try {
      return await this.#fs.readdir(this.packDirectory);
    } catch (error) {
      // A copy without empty directories lacks it where every object is loose or borrowed.
      if (errorName(error) === 'ENOENT') return [];
      throw fileSystemFailure(error, 'Listing the packs', this.packDirectory);
    }
  }
}

/** As for git, a pack is there when both of its files are. */
function packNames(files: readonly string[]): Set<string> {
  const all = new Set(files);
  const indexes = files.filter((file) => file.startsWith('pack-') && file.endsWith('.idx'));
  const names = indexes.map((file) => file.slice(0, -'.idx'.length));
  return new Set(names.filter((name) => all.has(`${name}.pack`)));
}

export function nameOf(pack: Pack): string {
  return pack.path.slice(pack.path.lastIndexOf('/') + 1);
}
