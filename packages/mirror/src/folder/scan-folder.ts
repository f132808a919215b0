import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { isIgnoredName, nameInCloud } from '../names/ignored-names.ts';
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

/** True if nothing can be said about a key. */
export function isBlocked({ blocked }: Scan, key: string): boolean {
  if (blocked.size === 0) return false;
  if (blocked.has(key)) return true;
  for (let at = key.indexOf('/'); at !== -1; at = key.indexOf('/', at + 1)) {
    if (blocked.has(key.slice(0, at + 1)) || blocked.has(key.slice(0, at))) return true;
  }
  return false;
}

/**
 * The files below a folder. Links are not followed. A walk looks at everything, and `look` only at what may have changed: a
 * change that nobody reports is found by the next walk.
 */
export class FolderScan implements Scan {
  readonly files = new Map<string, ScannedFile>();
  readonly folders = new Map<string, string>();
  readonly blocked = new Map<string, string>();
  readonly #disk: Disk;
  readonly #root: string;
  #count = 0;
  /** False before the first walk, and if an error ended the last look. */
  #isWhole = false;
  #hasTwins = false;

  constructor(disk: Disk, root: string) {
    this.#disk = disk;
    this.#root = root;
  }

  /** Throws if the top folder cannot be read. */
  async walk(): Promise<void> {
    this.#isWhole = false;
    this.#hasTwins = false;
    for (const list of [this.files, this.folders, this.blocked]) list.clear();
    await this.#enter('', this.#disk.lstatSync(this.#root), null);
    this.#isWhole = true;
  }

  /**
   * Looks at these paths, at all below those that are folders, and at the names beside those that came or went. The empty
   * path stands for everything.
   */
  async look(paths: ReadonlySet<string>): Promise<void> {
    if (!this.#isWhole || this.#hasTwins || paths.has('') || paths.size > MAX_LOOKED_AT) return this.walk();
    this.#isWhole = false;
    const toList = new Map<string, Set<string>>();
    const same = new Set<string>();
    for (const path of paths) {
      const other = this.#otherFolderAbove(path, same);
      if (other === '') return this.walk();
      if (other === null && this.#isStillFile(path)) continue;
      const folder = this.#knownFolderAbove(other ?? path);
      const name = path.slice(inFolder(folder, '').length).split('/')[0] ?? '';
      toList.set(folder, (toList.get(folder) ?? new Set()).add(inFolder(folder, name).normalize('NFC')));
    }
    for (const [folder, fresh] of toList) {
      // It may have gone with a folder above.
      if (!this.folders.has(folder)) continue;
      const status = this.#folderStatus(folder);
      if (status === null) return this.walk();
      await this.#enter(folder, status, fresh);
    }
    this.#isWhole = true;
  }

  /** The topmost folder on the way to a path that is another one now, such as a link; null if none is. */
  #otherFolderAbove(path: string, same: Set<string>): string | null {
    for (let end = 0; end !== -1; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      if (same.has(folder)) continue;
      if (!this.folders.has(folder)) return null;
      if (this.#folderStatus(folder) === null) return folder;
      same.add(folder);
    }
    return null;
  }

  /** Null if it is another one than when it was listed. */
  #folderStatus(folder: string): FolderStatus | null {
    const status = this.#attempt(folder.normalize('NFC'), () =>
      this.#disk.lstatSync(join(this.#root, folder)),
    );
    const isSame = status?.isDirectory() === true && identityOf(status) === this.folders.get(folder);
    return isSame ? status : null;
  }

  #isStillFile(path: string): boolean {
    const key = path.normalize('NFC');
    if (this.files.get(key)?.path !== path || this.blocked.has(key)) return false;
    const status = this.#attempt(key, () => this.#disk.lstatSync(join(this.#root, path)));
    if (status?.isFile() !== true) return false;
    this.files.set(key, { path, stat: statOf(status) });
    return true;
  }

  #knownFolderAbove(path: string): string {
    let folder = path;
    do folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')));
    while (folder !== '' && !this.folders.has(folder));
    return folder;
  }

  /** `fresh`: the keys to look at beside those that are new; null for all. */
  async #enter(folder: string, status: FolderStatus, fresh: ReadonlySet<string> | null): Promise<void> {
    const prefix = inFolder(folder, '');
    const before = fresh === null ? null : this.#takeOut(prefix);
    const names = this.#attempt(prefix, () => this.#disk.readdirSync(join(this.#root, folder)));
    const isKept = (path: string) =>
      before?.has(path) === true && fresh?.has(path.normalize('NFC')) === false;
    const kept = new Set(names?.map((name) => prefix + name).filter(isKept));
    for (const [path, file] of before ?? []) if (file === null && !kept.has(path)) this.#drop(path);
    this.folders.delete(folder);
    if (names === null) return;
    this.folders.set(folder, identityOf(status));
    this.#blockFilesInCloud(prefix, names);
    for (const name of names) {
      if (isIgnoredName(name)) continue;
      const path = prefix + name;
      if (!kept.has(path)) {
        if (++this.#count % STATS_IN_A_TURN === 0) await setImmediate();
        await this.#add(path, name, status.dev);
      } else {
        const file = before?.get(path);
        if (file) this.#addFile(path.normalize('NFC'), file);
      }
    }
  }

  async #add(path: string, name: string, dev: number): Promise<void> {
    const key = path.normalize('NFC');
    const status = this.#attempt(key, () => this.#disk.lstatSync(join(this.#root, path)));
    if (status === null) return;
    if (name.includes(NO_CHARACTER)) this.blocked.set(key, 'its name is not in UTF-8');
    else if (status.isFile() || this.files.has(key)) this.#addFile(key, { path, stat: statOf(status) });
    else if (!status.isDirectory()) this.blocked.set(key, 'it is a link, which is never followed');
    else if (status.dev !== dev) this.blocked.set(`${key}/`, 'it is on another file system');
    else await this.#enter(path, status, null);
  }

  #addFile(key: string, file: ScannedFile): void {
    if (this.files.has(key)) {
      this.blocked.set(key, 'its name is there twice, in two Unicode forms');
      this.#hasTwins = true;
    } else this.files.set(key, file);
  }

  /** Forgets the files that are right in a folder, and returns them and, as null, the folders in it. */
  #takeOut(prefix: string): Map<string, ScannedFile | null> {
    const out = new Map<string, ScannedFile | null>();
    const isIn = (path: string) => path.startsWith(prefix) && !path.includes('/', prefix.length);
    for (const path of this.folders.keys()) if (path !== '' && isIn(path)) out.set(path, null);
    for (const [key, file] of this.files) {
      if (!isIn(file.path)) continue;
      out.set(file.path, file);
      this.files.delete(key);
    }
    const keyPrefix = prefix.normalize('NFC');
    for (const key of this.blocked.keys()) {
      const path = key.replace(/\/$/, '');
      if (key === keyPrefix || (path.startsWith(keyPrefix) && !path.includes('/', keyPrefix.length)))
        this.blocked.delete(key);
    }
    return out;
  }

  /** Forgets all that is below a folder. */
  #drop(folder: string): void {
    const prefix = `${folder}/`;
    for (const [key, { path }] of this.files) if (path.startsWith(prefix)) this.files.delete(key);
    for (const path of this.folders.keys())
      if (path === folder || path.startsWith(prefix)) this.folders.delete(path);
    const keyPrefix = prefix.normalize('NFC');
    for (const key of this.blocked.keys()) if (key.startsWith(keyPrefix)) this.blocked.delete(key);
  }

  #blockFilesInCloud(prefix: string, names: readonly string[]): void {
    for (const name of names) {
      const away = nameInCloud(name);
      if (away !== null) this.blocked.set((prefix + away).normalize('NFC'), 'it is in iCloud only');
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

/** A file system may give the number of a removed folder to the next one. */
function identityOf({ ino, birthtimeMs }: FolderStatus): string {
  return `${ino} ${birthtimeMs}`;
}

function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Some milliseconds of work. */
const STATS_IN_A_TURN = 500;
/** If more paths may have changed, a walk costs less. */
const MAX_LOOKED_AT = 1_000;
/** Listed in place of bytes that are not UTF-8. */
const NO_CHARACTER = '\ufffd';
