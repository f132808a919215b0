import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { platform } from 'node:os';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import type { WikiError } from '../contract/errors.ts';
import { isShortName, mayLeaveAsFile } from '../core/paths/hostile-path.ts';
import { importTooLarge } from '../core/transfer/import-problems.ts';
import { type AllowedFolder, folderAround, isWindows, namesOf } from './allowed-folder.ts';
import { fileTooLarge, missing, notAFile, notAllowed } from './file-problems.ts';

export { mayLeaveAsFile };

/**
 * The files of this machine that may be read: those below some directories, or every file for a person at a
 * terminal. Only regular files are opened, since a FIFO or a device can block for ever. A path is followed
 * link by link, and nothing outside is examined: so no answer reveals whether something exists there. Paths
 * are examined and files opened without a thread, which takes a tenth of the CPU time.
 */
export class AllowedFiles {
  readonly directories: readonly string[] | null;
  readonly #outer: AllowedFiles | null;
  #stepsLeft = Number.POSITIVE_INFINITY;

  /** `directories` are absolute; null allows every file. */
  constructor(directories: readonly string[] | null, outer: AllowedFiles | null = null) {
    this.directories = directories;
    this.#outer = outer;
  }

  /**
   * The part of the allowed files in this folder. Throws `too_large` after `maxSteps` path components: links
   * can turn a short path into one of any length.
   */
  below(folder: string, maxSteps: number): AllowedFiles {
    const below = new AllowedFiles([folder], this);
    below.#stepsLeft = maxSteps;
    return below;
  }

  /** The real path. Throws `forbidden` if the path leads out, and ENOENT if nothing is there. */
  async resolve(path: string): Promise<string> {
    if (path.includes('\0')) throw missing(path);
    if (this.directories === null) return realpathSync.native(path);
    const roots = this.#roots();
    const start = folderAround(roots, resolve(path));
    if (start === null) throw this.#outside(path);
    let { real } = start;
    let left = start.rest;
    for (let links = 0; left.length > 0; ) {
      const [name = '', ...rest] = left;
      left = rest;
      this.#stepsLeft -= 1;
      if (this.#stepsLeft < 0) throw importTooLarge('following its links takes too long');
      const led = step(roots, real, name);
      if (led === null) throw this.#outside(path);
      real = led.real;
      left = [...led.rest, ...left];
      if (led.isLink) links += 1;
      if (links > MAX_LINKS) throw missing(path);
    }
    // The folder itself may have become a link meanwhile.
    if (this.#outer !== null && (await this.#outer.resolve(real)) !== real) throw this.#outside(path);
    return real;
  }

  /** The part of a real path below the innermost directory. Empty if every file is allowed. */
  async pathBelow(real: string): Promise<string> {
    if (this.directories === null) return '';
    const root = folderAround(this.#roots(), real);
    if (root === null) throw this.#outside(real);
    return root.rest.filter((name) => name !== '').join(sep);
  }

  /**
   * A descriptor for reading a regular file. The caller closes it. Throws `invalid_input` for anything else.
   */
  async open(path: string): Promise<number> {
    return (await this.#open(path)).descriptor;
  }

  /**
   * The same for a file in a folder that `resolve` returned. Null if that is no more where it was, or if there is
   * anything else: `open` says what.
   */
  openIn(folder: string, name: string): number | null {
    const real = join(folder, name);
    let descriptor: number | null = null;
    try {
      if (!lstatSync(real).isFile()) return null;
      descriptor = openSync(real, READ_FILE);
      if (fstatSync(descriptor).isFile() && openedBy(descriptor) === real) return descriptor;
    } catch {
      // As below.
    }
    if (descriptor !== null) closeSync(descriptor);
    return null;
  }

  /** The bytes of a regular file. Throws `too_large` without reading more than `mostBytes`. */
  async read(path: string, mostBytes: number): Promise<Uint8Array> {
    const { descriptor, size } = await this.#open(path);
    try {
      if (size > mostBytes) throw fileTooLarge(path, size, mostBytes);
      const chunks: Buffer[] = [];
      let bytes = 0;
      // The reported size of a file is not reliable: the file may grow, and files in /proc report 0.
      for (;;) {
        const room = Math.min(Math.max(size - bytes, 65_536), mostBytes + 1 - bytes);
        const { bytesRead, buffer } = await readInThread(
          descriptor,
          Buffer.allocUnsafe(room),
          0,
          room,
          bytes,
        );
        if (bytesRead === 0) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        bytes += bytesRead;
        if (bytes > mostBytes) throw fileTooLarge(path, bytes, mostBytes);
        chunks.push(buffer.subarray(0, bytesRead));
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** The names in a directory. */
  async list(path: string): Promise<string[]> {
    const real = await this.resolve(path);
    // Windows cannot open a directory.
    if (isWindows()) return readdirSync(real);
    const descriptor = openSync(real, READ_DIRECTORY);
    try {
      await this.#verify(path, real, descriptor, (found) => found.isDirectory());
      return readdirSync(openedBy(descriptor) === null ? real : nameOf(descriptor));
    } finally {
      closeSync(descriptor);
    }
  }

  async #open(path: string): Promise<{ descriptor: number; size: number }> {
    const real = await this.resolve(path);
    // Checked before opening, which can itself have effects on a device.
    if (!lstatSync(real).isFile()) throw notAFile(path);
    const descriptor = openSync(real, READ_FILE);
    try {
      const { size } = await this.#verify(path, real, descriptor, (found) => found.isFile());
      return { descriptor, size };
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
  }

  /** The directories as given and as real paths, innermost first. */
  #roots(): AllowedFolder[] {
    const found = (this.directories ?? []).flatMap((given) => {
      const real = realPathOf(given);
      return real === null
        ? []
        : [
            { spelled: real, real },
            { spelled: resolve(given), real },
          ];
    });
    return found.sort((a, b) => b.spelled.length - a.spelled.length);
  }

  /**
   * Throws if the opened file is not the one that was checked: another may have taken its place meanwhile.
   */
  async #verify(
    path: string,
    real: string,
    descriptor: number,
    isWanted: (found: Stats) => boolean,
  ): Promise<Stats> {
    const found = fstatSync(descriptor);
    if (!isWanted(found)) throw notAFile(path);
    if (this.directories === null) return found;
    const opened = openedBy(descriptor);
    if (opened !== null) {
      if (opened !== real) throw missing(path);
      return found;
    }
    const again = lstatSync(await this.resolve(path));
    if (again.dev !== found.dev || again.ino !== found.ino) throw missing(path);
    return found;
  }

  #outside(path: string): WikiError {
    return notAllowed(path, this.directories ?? []);
  }
}

/**
 * True if a tool may write a file at these parts of a path. Other programs execute files whose names begin
 * with a dot, and Windows may map a short name to such an existing folder.
 */
export function isSafeToWrite(parts: readonly string[]): boolean {
  return mayLeaveAsFile(parts.join('/')) && !parts.some(isShortName);
}

/** True if the error means that nothing exists at a path. */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'].includes(code);
}

/**
 * Follows one part of a path from a real directory: to `real`, with `rest` to follow. Null if it leads out.
 */
function step(roots: readonly AllowedFolder[], real: string, name: string) {
  if (name === '' || name === '.') return { real, rest: [], isLink: false };
  if (name === '..') {
    const above = dirname(real);
    return folderAround(roots, above) === null ? null : { real: above, rest: [], isLink: false };
  }
  const next = join(real, name);
  if (!lstatSync(next).isSymbolicLink()) return { real: next, rest: [], isLink: false };
  const target = readlinkSync(next);
  const led = isAbsolute(target) ? folderAround(roots, target) : { real, rest: namesOf(target) };
  return led === null ? null : { real: led.real, rest: led.rest, isLink: true };
}

/**
 * The path that a handle has opened, whatever its former path leads to by now. Null on systems other than
 * Linux, which do not report it.
 */
export function openedBy(descriptor: number): string | null {
  if (platform() !== 'linux') return null;
  try {
    return readlinkSync(nameOf(descriptor));
  } catch {
    return null;
  }
}

/** A path that stands for the open handle. */
export function nameOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function realPathOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

const readInThread = promisify(read);
/** The limit of Linux. */
const MAX_LINKS = 40;
// Windows does not have any of the other flags.
export const READ_FILE = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
export const READ_DIRECTORY = READ_FILE | (constants.O_DIRECTORY ?? 0);
