import { dirname, join } from 'node:path';
import type { Oid } from '@pagetree/wiki/contract';
import {
  codeOf,
  type Disk,
  type FileStat,
  isMissing,
  isSameStat,
  statOf,
  statusAt,
  syncFolder,
  writeDurably,
} from './disk.ts';
import type { KeptLinks } from './kept-links.ts';

/** The file that a write may replace, at its path as the folder spells it. Its status is null if it need only have the version. */
export interface Expected {
  path: string;
  version: Oid;
}

export type Placed =
  | { kind: 'placed'; stat: FileStat | null }
  /** Somebody was faster: the folder is left as it is. */
  | { kind: 'changed' }
  | { kind: 'impossible'; reason: string };

/**
 * Writes into the folder what comes from the wiki. Never follows a link, never leaves a path absent on the way to its new
 * content, and never replaces what was not expected there.
 */
export class FolderWriter {
  readonly #disk: Disk;
  readonly #root: string;
  readonly #temporary: string;
  readonly #kept: KeptLinks;
  readonly #now: () => number;
  #unsynced = new Set<string>();
  #touched = new Set<string>();
  #count = 0;

  constructor(disk: Disk, root: string, temporary: string, kept: KeptLinks, now: () => number) {
    this.#disk = disk;
    this.#root = root;
    this.#temporary = temporary;
    this.#kept = kept;
    this.#now = now;
    disk.mkdirSync(temporary, { recursive: true });
    for (const name of disk.readdirSync(temporary)) disk.unlinkSync(join(temporary, name));
  }

  /** Stores a content durably under a name of its own. */
  async prepare(content: Uint8Array): Promise<string> {
    this.#count += 1;
    const name = join(this.#temporary, `${this.#count}`);
    try {
      await writeDurably(this.#disk, name, content);
    } catch (error) {
      this.#discard(name);
      throw error;
    }
    return name;
  }

  /** The paths that may have changed since the last call. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /** Puts a prepared content at a path, in place of the expected file or, if that is null, of none. */
  place(key: string, prepared: string, expected: Expected | null): Placed {
    this.#touched.add(expected?.path ?? key);
    try {
      return unlessRefused(() =>
        expected === null ? this.#create(key, prepared) : this.#replace(key, prepared, expected),
      );
    } finally {
      this.#discard(prepared);
    }
  }

  remove(key: string, expected: Expected): Placed {
    this.#touched.add(expected.path);
    return unlessRefused(() => this.#remove(key, expected));
  }

  /** Makes the names durable that were made or removed. Only then may the state count on them. */
  async sync(): Promise<void> {
    for (const folder of this.#unsynced) await syncFolder(this.#disk, folder);
    this.#unsynced = new Set();
  }

  #remove(key: string, expected: Expected): Placed {
    const way = this.#wayTo(expected.path, false);
    if (way !== null) return way;
    const place = join(this.#root, expected.path);
    const kept = this.#keep(place, key, expected);
    if (kept === 'changed') return { kind: 'changed' };
    this.#disk.unlinkSync(place);
    this.#unsynced.add(dirname(place));
    this.#removeEmpty(dirname(expected.path));
    return { kind: 'placed', stat: null };
  }

  #create(path: string, prepared: string): Placed {
    const way = this.#wayTo(path, true);
    if (way !== null) return way;
    const place = join(this.#root, path);
    const stat = statusAt(this.#disk, prepared);
    if (statusAt(this.#disk, place)?.isDirectory() === true) this.#removeEmptyTree(place);
    try {
      this.#link(prepared, place);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return this.#occupied(place);
      if (isMissing(error)) return { kind: 'changed' };
      throw error;
    }
    this.#discard(prepared);
    this.#unsynced.add(dirname(place));
    return this.#placedAt(place, stat);
  }

  /** A link fails if the name is taken. */
  #link(prepared: string, place: string): void {
    try {
      this.#disk.linkSync(prepared, place);
    } catch (error) {
      if (!NO_LINKS.includes(codeOf(error)) || statusAt(this.#disk, place) !== null) throw error;
      this.#disk.renameSync(prepared, place);
    }
  }

  #replace(key: string, prepared: string, expected: Expected): Placed {
    const way = this.#wayTo(expected.path, false);
    if (way !== null) return way;
    const place = join(this.#root, expected.path);
    const stat = statusAt(this.#disk, prepared);
    // Nothing may come between the last look in it and the rename.
    if (this.#keep(place, key, expected) === 'changed') return { kind: 'changed' };
    this.#disk.renameSync(prepared, place);
    this.#unsynced.add(dirname(place));
    return this.#placedAt(place, stat);
  }

  /** Right before a file is replaced: compares it once more, and keeps it reachable for a save that comes late. */
  #keep(place: string, key: string, { version }: Expected): 'changed' | 'kept' {
    if (statusAt(this.#disk, place)?.isFile() !== true) return 'changed';
    const kept = this.#kept.keep(place, key, version, this.#now());
    if (kept === 'changed') return 'changed';
    if (kept === null) return 'kept';
    // Another file may have got the name since.
    const status = statusAt(this.#disk, place);
    if (status !== null && isSameStat(statOf(status), kept)) return 'kept';
    this.#kept.release(kept);
    return 'changed';
  }

  /** The status counts only if it is that of the prepared file: somebody may have saved since. */
  #placedAt(place: string, prepared: FileStat | null): Placed {
    const status = statusAt(this.#disk, place);
    const isOurs =
      status !== null &&
      status.ino === prepared?.ino &&
      status.size === prepared.size &&
      status.mtimeMs === prepared.mtimeMs;
    return { kind: 'placed', stat: isOurs ? statOf(status) : null };
  }

  #occupied(place: string): Placed {
    const status = statusAt(this.#disk, place);
    if (status === null || status.isFile()) return { kind: 'changed' };
    return { kind: 'impossible', reason: status.isDirectory() ? 'a folder is there' : 'a link is there' };
  }

  /** Null if real folders lead to a path. */
  #wayTo(path: string, makes: boolean): Placed | null {
    let folder = this.#root;
    for (const part of path.split('/').slice(0, -1)) {
      const above = folder;
      folder = join(folder, part);
      let status = statusAt(this.#disk, folder);
      if (status === null && makes) {
        this.#disk.mkdirSync(folder, { recursive: true });
        this.#unsynced.add(above);
        status = statusAt(this.#disk, folder);
      }
      if (status === null) return { kind: 'changed' };
      if (!status.isDirectory()) {
        return { kind: 'impossible', reason: `${JSON.stringify(part)} is there and is no folder` };
      }
    }
    return null;
  }

  #removeEmpty(folder: string): void {
    for (let each = folder; each !== '.'; each = dirname(each)) {
      try {
        this.#disk.rmdirSync(join(this.#root, each));
      } catch (error) {
        if (['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM', 'EACCES'].includes(codeOf(error)) || isMissing(error))
          return;
        throw error;
      }
      this.#unsynced.add(dirname(join(this.#root, each)));
    }
  }

  /** Removes a folder in which there are no files, which git does not have either. */
  #removeEmptyTree(folder: string): void {
    for (const name of this.#disk.readdirSync(folder)) {
      const inner = join(folder, name);
      if (statusAt(this.#disk, inner)?.isDirectory() === true) this.#removeEmptyTree(inner);
    }
    try {
      this.#disk.rmdirSync(folder);
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error)) && !isMissing(error)) throw error;
    }
  }

  #discard(prepared: string): void {
    try {
      this.#disk.unlinkSync(prepared);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}

/** A single file or folder that may not be written must not hold up the others. */
function unlessRefused(write: () => Placed): Placed {
  try {
    return write();
  } catch (error) {
    const code = codeOf(error);
    if (!REFUSALS.includes(code)) throw error;
    return { kind: 'impossible', reason: `the system does not let it be written (${code})` };
  }
}

const REFUSALS = ['EACCES', 'EPERM', 'EBUSY', 'ENAMETOOLONG', 'EINVAL', 'EISDIR', 'ELOOP', 'ETXTBSY'];
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
