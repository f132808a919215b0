import { closeSync, fstatSync, lstatSync, opendirSync, openSync, read, readSync, type Stats } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WikiError } from '../contract/errors.ts';
import { quoted } from '../core/text/markdown/hidden-characters.ts';
import { importTooLarge } from '../core/transfer/import-problems.ts';
import { yielding } from '../scheduling/yielding.ts';
import {
  type AllowedFiles,
  isMissing,
  nameOf,
  openedBy,
  READ_DIRECTORY,
  READ_FILE,
} from './allowed-files.ts';
import { fileTooLarge } from './file-problems.ts';

/**
 * Reads the files below one folder. Paths are relative to it, with `/`. Links are listed and never followed.
 */
export interface FolderReader {
  /**
   * The entries of a folder; the top folder has an empty path. Throws `too_large` for more than `maxEntries`.
   */
  list(folder: string, maxEntries: number): Promise<FolderEntry[]>;
  /**
   * The bytes of a regular file, valid until the next read. Throws `too_large` above `mostBytes`,
   * `invalid_input` if there is no file any more.
   */
  read(path: string, mostBytes: number): Promise<Uint8Array>;
  close(): void;
}

export interface FolderEntry {
  name: string;
  status: Stats;
}

/** `folder` is a real path, and `files` allows everything below it. */
export async function openFolder(files: AllowedFiles, folder: string): Promise<FolderReader> {
  return (await HandleReader.open(files, folder)) ?? new PathReader(files, folder);
}

/**
 * Reads by handles, as Linux allows: opens each folder from the handle of its parent, and each file from the
 * handle of its folder. So nothing outside is opened even if a folder is replaced meanwhile, and no path is
 * resolved for each file. The calls run without a thread, which takes a tenth of the CPU time; only the
 * contents of large files are read in one.
 */
export class HandleReader implements FolderReader {
  readonly #root: string;
  /** Reused for each small file: new buffers for all of them would be as much garbage. */
  readonly #buffer = Buffer.allocUnsafeSlow(LARGE_BYTES);
  /** The open folders from the root to the most recently used one, each inside the one before. */
  readonly #opened: { name: string; real: string; descriptor: number }[] = [];

  private constructor(root: string, descriptor: number) {
    this.#root = root;
    this.#opened.push({ name: '', real: root, descriptor });
  }

  /** Null on systems that do not report what a handle has opened. */
  static async open(files: AllowedFiles, folder: string): Promise<HandleReader | null> {
    if (platform() !== 'linux') return null;
    if ((await files.resolve(folder)) !== folder) throw changed(folder);
    const descriptor = openSync(folder, READ_DIRECTORY);
    const opened = openedBy(descriptor);
    if (opened === folder) return new HandleReader(folder, descriptor);
    closeSync(descriptor);
    if (opened === null) return null;
    throw changed(folder);
  }

  async list(folder: string, maxEntries: number): Promise<FolderEntry[]> {
    return unlessChanged(join(this.#root, folder), async () => {
      const descriptor = this.#folder(folder);
      const entries: FolderEntry[] = [];
      const yieldIfDue = yielding();
      const directory = opendirSync(nameOf(descriptor), { bufferSize: NAMES_AT_ONCE });
      try {
        for (let found = directory.readSync(); found !== null; found = directory.readSync()) {
          if (entries.length === maxEntries) throw tooManyEntries();
          entries.push({ name: found.name, status: statusOf(inFolder(descriptor, found.name), found.name) });
          await yieldIfDue();
        }
      } finally {
        directory.closeSync();
      }
      return entries;
    });
  }

  async read(path: string, mostBytes: number): Promise<Uint8Array> {
    const at = path.lastIndexOf('/');
    return unlessChanged(join(this.#root, path), async () => {
      const place = inFolder(this.#folder(path.slice(0, Math.max(at, 0))), path.slice(at + 1));
      // Checked before opening, which can itself have effects on a device.
      if (!lstatSync(place).isFile()) throw changed(path);
      const descriptor = openSync(place, READ_FILE);
      try {
        const found = fstatSync(descriptor);
        if (!found.isFile()) throw changed(path);
        if (found.size > mostBytes) throw fileTooLarge(path, found.size, mostBytes);
        const buffer = found.size < LARGE_BYTES ? this.#buffer : Buffer.allocUnsafe(found.size);
        return await firstBytes(descriptor, buffer.subarray(0, found.size));
      } finally {
        closeSync(descriptor);
      }
    });
  }

  close(): void {
    for (const { descriptor } of this.#opened.splice(0)) closeSync(descriptor);
  }

  /** The handle of a folder. Its parents stay open; all others are closed. */
  #folder(path: string): number {
    const names = path === '' ? [] : path.split('/');
    let depth = 0;
    while (depth < names.length && this.#opened[depth + 1]?.name === names[depth]) depth += 1;
    for (const { descriptor } of this.#opened.splice(depth + 1)) closeSync(descriptor);
    let last = this.#opened[depth];
    for (const name of names.slice(depth)) {
      if (last === undefined) break;
      const descriptor = openSync(inFolder(last.descriptor, name), READ_DIRECTORY);
      last = { name, real: join(last.real, name), descriptor };
      this.#opened.push(last);
      // The folder was moved, perhaps out of the allowed directories.
      if (openedBy(descriptor) !== last.real) throw changed(last.real);
    }
    if (last === undefined) throw changed(this.#root);
    return last.descriptor;
  }
}

/** Reads by paths, resolving and checking each one again: for other systems. */
export class PathReader implements FolderReader {
  readonly #files: AllowedFiles;
  readonly #root: string;

  constructor(files: AllowedFiles, root: string) {
    this.#files = files;
    this.#root = root;
  }

  async list(folder: string, maxEntries: number): Promise<FolderEntry[]> {
    const real = join(this.#root, folder);
    return unlessChanged(real, async () => {
      const names = await this.#files.list(real);
      if (names.length > maxEntries) throw tooManyEntries();
      const entries: FolderEntry[] = [];
      for (const name of names) entries.push({ name, status: statusOf(join(real, name), name) });
      return entries;
    });
  }

  async read(path: string, mostBytes: number): Promise<Uint8Array> {
    const real = join(this.#root, path);
    return unlessChanged(real, async () => {
      if (!lstatSync(real).isFile()) throw changed(path);
      return this.#files.read(real, mostBytes);
    });
  }

  close(): void {}
}

/** If a name is not UTF-8, its decoded form names nothing. */
function statusOf(place: string, name: string): Stats {
  try {
    return lstatSync(place);
  } catch (error) {
    throw isMissing(error) && name.includes(NO_CHARACTER) ? notUtf8(name) : error;
  }
}

/** Listed in place of bytes that are not UTF-8. */
const NO_CHARACTER = '\ufffd';

function notUtf8(name: string): WikiError {
  return new WikiError('invalid_path', {
    happened: `The name of a file or folder is not in UTF-8: ${quoted(name)}.`,
    now: 'Nothing was imported.',
    next: 'Rename it, and import again.',
  });
}

/** If a listed file is gone, or has become a link or a folder, somebody changed it. */
async function unlessChanged<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw isMissing(error) ? changed(path, error) : error;
  }
}

function changed(path: string, cause?: unknown): WikiError {
  return new WikiError(
    'invalid_input',
    {
      happened: `${quoted(path)} was moved, removed or replaced while its folder was read.`,
      now: 'Nothing was imported.',
      next: 'Import it again when nothing changes it.',
    },
    {},
    { cause },
  );
}

function tooManyEntries(): WikiError {
  return importTooLarge('it has too many files and folders');
}

/** As many bytes of a file as fit into the buffer. The file may have become shorter. */
async function firstBytes(descriptor: number, buffer: Buffer): Promise<Uint8Array> {
  const size = buffer.length;
  for (let at = 0; at < size; ) {
    const count =
      size < LARGE_BYTES
        ? readSync(descriptor, buffer, at, size - at, at)
        : (await readInThread(descriptor, buffer, at, size - at, at)).bytesRead;
    if (count === 0) return buffer.subarray(0, at);
    at += count;
  }
  return buffer;
}

function inFolder(descriptor: number, name: string): string {
  return `${nameOf(descriptor)}/${name}`;
}

const readInThread = promisify(read);
const LARGE_BYTES = 2 ** 18;
const NAMES_AT_ONCE = 256;
