import fs from 'node:fs';
import { join } from 'node:path';
import { FolderWatches } from '../src/watch-folders.ts';

/** The hints of the system, with a way to wait until all have come. */
export class Hints {
  readonly #root: string;
  readonly #watches: FolderWatches;
  #hints = new Set<string>();
  #marks = 0;
  #arrived: (mark: string) => void = () => {};

  constructor(root: string) {
    this.#root = root;
    const watch = ((path: string, options: fs.WatchOptions, listener: fs.WatchListener<string>) =>
      fs.watch(path, { ...options, encoding: 'utf8' }, (event, name) => {
        if (name?.startsWith(MARK)) this.#arrived(name);
        else listener(event, name);
      })) as typeof fs.watch;
    this.#watches = new FolderWatches({
      ...{ root, watch, isRecursive: process.platform !== 'linux' },
      changed: (path) => this.#hints.add(path),
      failed: (reason) => {
        throw new Error(`The system cannot watch the folders: ${reason}`);
      },
    });
  }

  update(folders: ReadonlyMap<string, string>): void {
    this.#watches.update(folders);
  }

  /** Null if the folder is not there, or is another one. */
  async take(): Promise<ReadonlySet<string> | null> {
    if (!fs.existsSync(join(this.#root, '.pagetree'))) return null;
    this.#marks += 1;
    const mark = `${MARK}${this.#marks}`;
    const arrived = new Promise<void>((resolve) => {
      this.#arrived = (name) => name === mark && resolve();
    });
    // A system reports what happens in the order in which it happens.
    fs.writeFileSync(join(this.#root, mark), '');
    await arrived;
    fs.unlinkSync(join(this.#root, mark));
    const hints = this.#hints;
    this.#hints = new Set();
    return hints;
  }

  close(): void {
    this.#watches.close();
  }
}

const MARK = '.mark-';
