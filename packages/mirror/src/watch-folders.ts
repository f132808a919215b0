import type { FSWatcher, watch as watchOf } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { isIgnoredName, nameInCloud } from './names/ignored-names.ts';

export interface WatchParts {
  root: string;
  watch: typeof watchOf;
  /** True if one watch sees all folders below. On Linux Node would make one for each file. */
  isRecursive: boolean;
  /** Something changed at this path, or, if it is empty, anywhere: a hint, which may be missing or wrong. */
  changed: (path: string) => void;
  /** Called once if the system has no room for more watches. */
  failed: (reason: string) => void;
}

/** Watches the folders of a mirror, so that a save is noticed at once. */
export class FolderWatches {
  readonly #parts: WatchParts;
  readonly #watchers = new Map<string, { watcher: FSWatcher; identity: string }>();
  #hasFailed = false;
  #ignoredCount = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Watches these folders and no others. One that was made anew needs another watch. */
  update(folders: ReadonlyMap<string, string>): void {
    const wanted = this.#parts.isRecursive ? new Map([['', folders.get('') ?? '']]) : folders;
    for (const [folder, { identity }] of [...this.#watchers]) {
      if (wanted.get(folder) !== identity) this.#end(folder);
    }
    for (const [folder, identity] of wanted) {
      if (!this.#watchers.has(folder) && !this.#hasFailed) this.#begin(folder, identity);
    }
  }

  close(): void {
    for (const folder of [...this.#watchers.keys()]) this.#end(folder);
  }

  #begin(folder: string, identity: string): void {
    const { root, watch, isRecursive } = this.#parts;
    try {
      const watcher = watch(join(root, folder), { recursive: isRecursive, persistent: false }, (_, name) =>
        this.#hint(folder, name),
      );
      watcher.on('error', () => this.#end(folder));
      this.#watchers.set(folder, { watcher, identity });
      // Something may have changed before the watch began.
      this.#parts.changed(folder);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      // A folder that is gone by now is no fault.
      if (code === 'ENOENT' || code === 'ENOTDIR') return;
      this.#hasFailed = true;
      this.#parts.failed(code);
    }
  }

  #hint(folder: string, name: string | null): void {
    const parts = name?.split(sep) ?? [];
    const isSeen = parts.every(
      (part, at) => !isIgnoredName(part) || (at === parts.length - 1 && nameInCloud(part) !== null),
    );
    if (!isSeen) this.#ignore();
    else this.#parts.changed(parts.length === 0 ? '' : posix.join(folder, ...parts));
  }

  /** Linux drops events when too many wait, and Node does not report that. Those that were dropped may be of other files. */
  #ignore(): void {
    this.#ignoredCount += 1;
    if (this.#ignoredCount % MAX_IGNORED === 0) this.#parts.changed('');
  }

  #end(folder: string): void {
    this.#watchers.get(folder)?.watcher.close();
    this.#watchers.delete(folder);
    // A folder of the same name may be another one, which the next look finds.
    this.#parts.changed(folder);
  }
}

/** Less than half of the events that Linux keeps: a full queue has so many of ignored names, or of others. */
const MAX_IGNORED = 8_000;
