import { dirname, join } from 'node:path';
import { refreshDirectory } from './files/directories.ts';
import { replaceFile } from './files/durable-file.ts';
import { errorName, type FileSystem } from './files/file-system.ts';
import { type Host, randomName } from './files/host.ts';
import { unlessGone, unlessMissing } from './files/unless-gone.ts';
import { readWholeFile } from './files/whole-file.ts';
import { fileSystemFailure } from './storage-error.ts';

/** The uploads of one wiki. */
export interface UploadsPlace {
  fs: FileSystem;
  host: Host;
  /** Holds a file for each part. Made with its parent when it is needed: their parent must be there. */
  directory: string;
}

/** A part of an upload. */
interface Part {
  upload: string;
  offset: number;
  bytes: number;
}

/**
 * Parts of bytes that wait for the call that names them, each in a file whose name says which part it is. A name appears
 * when the part is complete. Several processes may work here at once. Throws StorageError.
 */
export class StoredUploads {
  readonly #place: UploadsPlace;

  constructor(place: UploadsPlace) {
    this.#place = place;
  }

  /** By their place. `upload` is a name of 64 hexadecimal digits. */
  async parts(upload: string): Promise<Part[]> {
    const parts = (await this.#all()).filter((part) => part.upload === upload);
    return parts.sort((one, other) => one.offset - other.offset);
  }

  /**
   * Replaces the same part. Returns false if there is no room for it, also after the uploads went of which no part came
   * for a while: nobody may keep the room from others.
   */
  async add(upload: string, offset: number, bytes: Uint8Array): Promise<boolean> {
    const { fs, host, directory } = this.#place;
    const name = nameOf({ upload, offset, bytes: bytes.length });
    if ((await this.#heldBeside(name)) + bytes.length > MAX_HELD_BYTES) {
      await this.#removeUntouched(MAX_PAUSE_MS, upload);
      if ((await this.#heldBeside(name)) + bytes.length > MAX_HELD_BYTES) return false;
    }
    await this.#doing('Holding a part of an upload', async () => {
      await fs.mkdir(dirname(directory)).catch(unlessThere);
      await replaceFile(
        fs,
        join(directory, name),
        join(directory, `${randomName(host)}${UNFINISHED}`),
        bytes,
      );
    });
    return true;
  }

  /** All parts together, which must have this length; null if they have not. */
  async read(upload: string, length: number): Promise<Uint8Array | null> {
    const parts = await this.parts(upload);
    const end = parts.reduce((at, part) => (part.offset === at ? at + part.bytes : Number.NaN), 0);
    if (end !== length) return null;
    const whole = new Uint8Array(length);
    for (const part of parts) {
      const bytes = await this.#read(part);
      if (bytes?.length !== part.bytes) return null;
      whole.set(bytes, part.offset);
    }
    return whole;
  }

  async drop(upload: string): Promise<void> {
    await this.#remove((await this.parts(upload)).map(nameOf));
  }

  /** Removes uploads of which no part came within a day. Returns the number of removed files. */
  async removeOld(): Promise<number> {
    const { fs, directory } = this.#place;
    const removed = await this.#removeUntouched(MAX_AGE_MS);
    await fs.rmdir(directory).catch(unlessInUse);
    return removed;
  }

  async #heldBeside(name: string): Promise<number> {
    const others = (await this.#all()).filter((part) => nameOf(part) !== name);
    return others.reduce((sum, part) => sum + part.bytes, 0);
  }

  /** Removes the uploads of which no part came for so long, but for one. Returns the number of removed files. */
  async #removeUntouched(forMs: number, except?: string): Promise<number> {
    const { fs, host, directory } = this.#place;
    const newest = new Map<string, { files: string[]; modifiedMs: number }>();
    for (const name of await this.#names()) {
      const status = await this.#doing('Looking at an upload', () =>
        unlessGone(() => fs.lstat(join(directory, name))),
      );
      if (status === null) continue;
      const upload = partOf(name)?.upload ?? name;
      if (upload === except) continue;
      const { files, modifiedMs } = newest.get(upload) ?? { files: [], modifiedMs: 0 };
      newest.set(upload, {
        files: [...files, name],
        modifiedMs: Math.max(modifiedMs, status.modifiedMs),
      });
    }
    const old = [...newest.values()].filter(({ modifiedMs }) => modifiedMs < host.now() - forMs);
    const names = old.flatMap(({ files }) => files);
    await this.#remove(names);
    return names.length;
  }

  async #all(): Promise<Part[]> {
    return (await this.#names()).flatMap((name) => partOf(name) ?? []);
  }

  async #names(): Promise<string[]> {
    const { fs, directory } = this.#place;
    const list = () => unlessMissing(() => fs.readdir(directory));
    return this.#doing('Looking for uploads', async () => {
      const names = await list();
      if (names !== null) return names;
      // An NFS client may only remember that it was not there.
      await refreshDirectory(fs, dirname(dirname(directory)));
      return (await refreshDirectory(fs, dirname(directory))) ? ((await list()) ?? []) : [];
    });
  }

  /** Null if it was removed. A part that came again replaced the file, which NFS reports to those that read it. */
  async #read(part: Part): Promise<Uint8Array | null> {
    const { fs, directory } = this.#place;
    const read = () => readWholeFile(fs, join(directory, nameOf(part)));
    return this.#doing('Reading an upload', async () => (await unlessGone(read)) ?? (await unlessGone(read)));
  }

  async #remove(names: readonly string[]): Promise<void> {
    const { fs, directory } = this.#place;
    await this.#doing('Removing an upload', async () => {
      for (const name of names) await unlessGone(() => fs.unlinkLast(join(directory, name)));
    });
  }

  async #doing<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw fileSystemFailure(error, what, this.#place.directory);
    }
  }
}

function nameOf({ upload, offset, bytes }: Part): string {
  return `${upload}-${offset}-${bytes}`;
}

/** Null for a file that is being written. */
function partOf(name: string): Part | null {
  const [, upload, offset, bytes] = PART_NAME.exec(name) ?? [];
  return upload === undefined ? null : { upload, offset: Number(offset), bytes: Number(bytes) };
}

function unlessThere(error: unknown): void {
  if (errorName(error) !== 'EEXIST') throw error;
}

/** Also if an upload came into the directory meanwhile. */
function unlessInUse(error: unknown): void {
  if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorName(error) ?? '')) throw error;
}

const PART_NAME = /^([0-9a-f]{64})-(\d{1,12})-(\d{1,12})$/;
const UNFINISHED = '.unfinished';
/** The room that all uploads to a wiki may take together. */
const MAX_HELD_BYTES = 1_000_000_000;
/** Parts of 4 MB come after one another, over a slow line too. */
const MAX_PAUSE_MS = 10 * 60 * 1000;
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
