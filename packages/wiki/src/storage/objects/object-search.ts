import { StorageError } from '../storage-error.ts';
import type { ObjectDirectory } from './object-directory.ts';
import type { Pack } from './packed/pack-file.ts';

/** One search for one object: the places already searched, and what was found there. */
export class Search {
  readonly searched = new Set<Pack>();
  readonly #marks = new Map<ObjectDirectory, number>();
  /** The first damaged copy. It counts only if no good copy is found. */
  damage: StorageError | null = null;

  constructor(main: ObjectDirectory) {
    this.enter(main);
  }

  /** From here on, a listing of this directory is recent enough for this search. */
  enter(directory: ObjectDirectory): void {
    if (!this.#marks.has(directory)) this.#marks.set(directory, directory.listingsBegun);
  }

  /** The object may now lie in a pack that no listing so far need show. */
  outdate(directory: ObjectDirectory): void {
    this.#marks.set(directory, directory.listingsBegun);
  }

  mark(directory: ObjectDirectory): number {
    return this.#marks.get(directory) ?? 0;
  }

  async unlessDamaged<Result>(action: () => Promise<Result>): Promise<Result | null> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof StorageError) || !DAMAGE.has(error.code)) throw error;
      this.damage ??= error;
      return null;
    }
  }
}

const DAMAGE: ReadonlySet<string> = new Set(['corrupt_object', 'corrupt_pack']);
