import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isIgnoredName } from '../names/ignored-names.ts';
import { codeOf, type Disk, type FileStat, isMissing, statOf } from './disk.ts';

/** A file of the folder: its path as the folder spells it, with slashes, and its status. */
export interface ScannedFile {
  path: string;
  stat: FileStat;
}

export interface Scan {
  /** By the path in NFC. */
  files: ReadonlyMap<string, ScannedFile>;
  /** The folders, with what tells one from another one that was made anew, from the top one, which is the empty text. */
  folders: ReadonlyMap<string, string>;
  /** Keys that say nothing, with the reason: a file that cannot be read is not a deleted one. Folders end with a slash. */
  blocked: ReadonlyMap<string, string>;
}

interface FolderStatus {
  dev: number;
  ino: number;
  birthtimeMs: number;
}

/** Lists the files below a folder, without following links. Throws if the top folder cannot be read. */
export async function scanFolder(disk: Disk, root: string): Promise<Scan> {
  const scanner = new Scanner(disk, root);
  await scanner.enter('', disk.lstatSync(root));
  return scanner;
}

/** True if nothing can be said about a key. */
export function isBlocked({ blocked }: Scan, key: string): boolean {
  if (blocked.size === 0) return false;
  if (blocked.has(key)) return true;
  for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) {
    if (blocked.has(key.slice(0, at + 1)) || blocked.has(key.slice(0, at))) return true;
  }
  return false;
}

class Scanner implements Scan {
  readonly files = new Map<string, ScannedFile>();
  readonly folders = new Map<string, string>();
  readonly blocked = new Map<string, string>();
  readonly #disk: Disk;
  readonly #root: string;
  #count = 0;

  constructor(disk: Disk, root: string) {
    this.#disk = disk;
    this.#root = root;
  }

  async enter(folder: string, { dev, ino, birthtimeMs }: FolderStatus): Promise<void> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = this.#attempt(prefix, () => this.#disk.readdirSync(join(this.#root, folder)));
    if (names === null) return;
    // A file system may give the number of a removed folder to the next one.
    this.folders.set(folder, `${ino} ${birthtimeMs}`);
    this.#blockFilesInCloud(prefix, names);
    for (const name of names) {
      if (isIgnoredName(name)) continue;
      if (++this.#count % STATS_IN_A_TURN === 0) await setImmediate();
      const path = prefix + name;
      const key = path.normalize('NFC');
      const status = this.#attempt(key, () => this.#disk.lstatSync(join(this.#root, path)));
      if (status === null) continue;
      if (name.includes(NO_CHARACTER)) this.blocked.set(key, 'its name is not in UTF-8');
      else if (this.files.has(key)) this.blocked.set(key, 'its name is there twice, in two Unicode forms');
      else if (status.isFile()) this.files.set(key, { path, stat: statOf(status) });
      else if (!status.isDirectory()) this.blocked.set(key, 'it is a link, which is never followed');
      else if (status.dev !== dev) this.blocked.set(`${key}/`, 'it is on another file system');
      else await this.enter(path, status);
    }
  }

  #blockFilesInCloud(prefix: string, names: readonly string[]): void {
    for (const name of names) {
      const away = CLOUD_NAME.exec(name)?.[1];
      if (away !== undefined) this.blocked.set((prefix + away).normalize('NFC'), 'it is in iCloud only');
    }
  }

  /** Null if it is gone since it was listed, or cannot be read. */
  #attempt<Result>(key: string, look: () => Result): Result | null {
    try {
      return look();
    } catch (error) {
      if (key === '') throw error;
      if (!isMissing(error)) this.blocked.set(key, `it cannot be read (${codeOf(error)})`);
      return null;
    }
  }
}

/** Until version 14, macOS keeps this in place of a file that it moved to iCloud. */
const CLOUD_NAME = /^\.(.+)\.icloud$/;
/** Some milliseconds of work. */
const STATS_IN_A_TURN = 500;
/** Listed in place of bytes that are not UTF-8. */
const NO_CHARACTER = '\ufffd';
