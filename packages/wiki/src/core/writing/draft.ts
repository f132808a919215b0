import type { Oid } from '../../contract/ids.ts';
import { blobOid } from '../content-hash.ts';
import { folderOf, lastPartOf } from '../paths/page-path.ts';
import type { FileWrite, FolderEntry, Snapshot, TreeEntry } from '../ports.ts';

/**
 * A snapshot with files written over it, none of which is stored yet. `folder` also lists folders that the
 * writes leave empty.
 */
export class Draft implements Snapshot {
  readonly base: Snapshot;
  /** The total size of all blobs read from it. */
  bytesRead = 0;
  readonly #written = new Map<string, FileWrite>();
  readonly #entries = new Map<string, TreeEntry | null>();
  /** The names in each folder that the writes touched. */
  readonly #names = new Map<string, Set<string>>();
  readonly #contents = new Map<Oid, Uint8Array>();
  readonly #reads = new Map<Oid, () => Promise<Uint8Array>>();

  constructor(base: Snapshot) {
    this.base = base;
  }

  get commit(): Oid | null {
    return this.base.commit;
  }

  write(files: readonly FileWrite[]): void {
    for (const file of files) {
      // Hashed once: each change of a batch requests the entry of its page several times.
      const entry = entryOf(file);
      this.#written.set(file.path, file);
      this.#entries.set(file.path, entry);
      this.#addNames(file.path);
      if ('read' in file) this.#reads.set(file.oid, () => file.read());
      if ('content' in file && entry !== null) this.#contents.set(entry.oid, file.content);
    }
  }

  /** The writes that turn the base into the draft, each path once. */
  writes(): FileWrite[] {
    return [...this.#written.values()].map((file) => {
      const content = 'oid' in file ? this.#contents.get(file.oid) : undefined;
      return content === undefined ? file : { path: file.path, content, ...modeOf(file) };
    });
  }

  async entry(path: string): Promise<TreeEntry | null> {
    const entry = this.#entries.get(path);
    return entry === undefined ? this.base.entry(path) : entry;
  }

  async folder(path: string): Promise<FolderEntry[] | null> {
    const present = await this.base.folder(path);
    const written = this.#names.get(path);
    if (written === undefined) return present;
    const kept = (present ?? []).filter(({ name, kind }) => kind === 'folder' || !written.has(name));
    const folders = new Set(kept.map(({ name }) => name));
    const added = [...written].flatMap((name): FolderEntry[] => {
      const place = path === '' ? name : `${path}/${name}`;
      const entry = this.#entries.get(place);
      if (entry) return [{ name, kind: 'file', oid: entry.oid }];
      const isFolder = this.#names.has(place) && !folders.has(name);
      return isFolder ? [{ name, kind: 'folder', oid: NO_TREE }] : [];
    });
    if (present === null && added.length === 0) return null;
    return added.length === 0 ? kept : [...kept, ...added].sort(inOrderOfGit);
  }

  #addNames(path: string): void {
    for (let place = path; place !== ''; place = folderOf(place)) {
      const names = this.#names.get(folderOf(place));
      if (names?.has(lastPartOf(place))) return;
      if (names === undefined) this.#names.set(folderOf(place), new Set([lastPartOf(place)]));
      else names.add(lastPartOf(place));
    }
  }

  async *files(folder = ''): AsyncIterable<TreeEntry> {
    for await (const entry of this.base.files(folder)) if (!this.#written.has(entry.path)) yield entry;
    for (const entry of this.#entries.values()) {
      if (entry !== null && (folder === '' || entry.path.startsWith(`${folder}/`))) yield entry;
    }
  }

  quarantined() {
    return this.base.quarantined();
  }

  async blob(oid: Oid): Promise<Uint8Array> {
    const content = this.#contents.get(oid) ?? (await (this.#reads.get(oid)?.() ?? this.base.blob(oid)));
    this.bytesRead += content.length;
    return content;
  }

  async size(oid: Oid): Promise<number> {
    return (await this.blob(oid)).length;
  }

  async beginning(oid: Oid, most: number): Promise<Uint8Array> {
    return (await this.blob(oid)).subarray(0, most);
  }
}

/** Stands for the tree of a folder that is not stored yet. */
const NO_TREE = '0'.repeat(40);

function inOrderOfGit(one: FolderEntry, other: FolderEntry): number {
  return Buffer.compare(Buffer.from(sortKey(one)), Buffer.from(sortKey(other)));
}

function sortKey({ name, kind }: FolderEntry): string {
  return kind === 'folder' ? `${name}/` : name;
}

function entryOf(file: FileWrite): TreeEntry | null {
  if ('remove' in file) return null;
  const oid = 'oid' in file ? file.oid : blobOid(file.content);
  return { path: file.path, oid, mode: file.mode ?? '100644' };
}

function modeOf(file: FileWrite) {
  return 'mode' in file && file.mode !== undefined ? { mode: file.mode } : {};
}
