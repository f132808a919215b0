import { errorName, type FileSystem, type OpenFile } from './file-system.ts';

interface Entry {
  opening: Promise<OpenFile>;
  users: number;
  /** No longer listed: its last user closes it. */
  discarded: boolean;
}

/**
 * Files kept open for reading, because opening and closing are two round trips on NFS. At most `limit`
 * stay open unused; the ones used longest ago are closed first.
 */
export class OpenFiles {
  readonly #fs: FileSystem;
  readonly #limit: number;
  readonly #entries = new Map<string, Entry>();
  #closed = false;

  constructor(fs: FileSystem, limit: number) {
    this.#fs = fs;
    this.#limit = limit;
  }

  /** Runs `action` on the file and opens it if needed. Throws what the file system throws. */
  async use<Result>(path: string, action: (file: OpenFile) => Promise<Result>): Promise<Result> {
    const entry = this.#entry(path);
    entry.users += 1;
    this.#closeOldest();
    try {
      return await action(await entry.opening);
    } finally {
      entry.users -= 1;
      if (entry.discarded && entry.users === 0) await closeQuietly(entry);
      else if (this.#closed) await this.discard(path);
    }
  }

  /** Closes the file as soon as it is unused. The next use opens the file that is then at the path. */
  async discard(path: string): Promise<void> {
    const entry = this.#entries.get(path);
    if (!entry || entry.discarded) return;
    this.#entries.delete(path);
    entry.discarded = true;
    if (entry.users === 0) await closeQuietly(entry);
  }

  /**
   * Closes the unused files now, and the others after their use. Files that are used after this do not stay open: a call
   * may still be reading, and nothing closes them later.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#entries.keys()].map((path) => this.discard(path)));
  }

  #entry(path: string): Entry {
    const known = this.#entries.get(path);
    if (known) {
      this.#entries.delete(path);
      this.#entries.set(path, known);
      return known;
    }
    const entry: Entry = { opening: this.#open(path), users: 0, discarded: false };
    this.#entries.set(path, entry);
    entry.opening.catch(() => {
      // The caller that awaits it gets the error. This only lets the next caller try again.
      if (this.#entries.get(path) === entry) this.#entries.delete(path);
    });
    return entry;
  }

  async #open(path: string): Promise<OpenFile> {
    try {
      return await this.#fs.open(path, 'r');
    } catch (error) {
      if (errorName(error) !== 'EMFILE' && errorName(error) !== 'ENFILE') throw error;
      await Promise.all(this.#idle().map((idle) => this.discard(idle)));
      return this.#fs.open(path, 'r');
    }
  }

  #closeOldest(): void {
    const surplus = this.#entries.size - this.#limit;
    if (surplus <= 0) return;
    for (const path of this.#idle().slice(0, surplus)) void this.discard(path);
  }

  #idle(): string[] {
    return [...this.#entries].filter(([, entry]) => entry.users === 0).map(([path]) => path);
  }
}

async function closeQuietly(entry: Entry): Promise<void> {
  try {
    await (await entry.opening).close();
  } catch {
    // The file was open for reading: closing it loses nothing. A file that failed to open needs no closing.
  }
}
