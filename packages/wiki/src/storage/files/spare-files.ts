import { type MakeFile, makeFileWith, removeLeftover } from './durable-file.ts';
import { errorName, type FileSystem, type OpenFile } from './file-system.ts';

/**
 * Empty files made ahead of time. Allocating a new file can take a disk longer than the rest of a write. So
 * it happens between two writes, and a write only renames the file.
 */
export interface SpareFiles {
  /** Makes the missing files. Callers need not wait for it, and it never fails. */
  prepare(): Promise<void>;
  /** Throws what the file system throws. */
  make: MakeFile;
  /** Removes the unused files. */
  close(): Promise<void>;
}

export interface SpareFilesOptions {
  fs: FileSystem;
  /** A new path in a directory of the same file system. */
  temporaryName(): string;
  /** The mode of each file to keep ready. */
  modes: readonly number[];
}

export function openSpareFiles({ fs, temporaryName, modes }: SpareFilesOptions): SpareFiles {
  const slots = modes.map((mode) => ({ mode, spare: null as Spare | null }));
  const makeFile = makeFileWith(fs);
  /** True once no more files are made. */
  let ended = false;

  async function prepare(): Promise<void> {
    if (ended) return;
    for (const slot of slots) slot.spare ??= spareOf(slot.mode);
    await Promise.all(slots.map(({ spare }) => spare?.opening));
  }

  function spareOf(mode: number): Spare {
    const path = temporaryName();
    // If none can be made ahead, the file is made on demand, and that call reports why it cannot be made.
    return { path, opening: fs.open(path, 'wx', mode).catch(() => null) };
  }

  async function make(path: string, mode: number): Promise<OpenFile> {
    const slot = slots.find((one) => one.mode === mode && one.spare);
    const spare = slot?.spare;
    if (!slot || !spare) return makeFile(path, mode);
    slot.spare = null;
    return (await renamed(spare, path)) ?? makeFile(path, mode);
  }

  /** Null if the rename fails: the file is then made in place. */
  async function renamed(spare: Spare, path: string): Promise<OpenFile | null> {
    const file = await spare.opening;
    if (file === null) return null;
    try {
      await fs.rename(spare.path, path);
      return file;
    } catch (error) {
      // Mostly maintenance took it for a leftover. On another disk (EXDEV) no spare file is ever usable.
      if (errorName(error) === 'EXDEV') await close();
      await drop(spare);
      return null;
    }
  }

  async function drop({ path, opening }: Spare): Promise<void> {
    const file = await opening;
    if (file === null) return;
    try {
      await file.close();
    } catch {
      // The file is empty: nothing is lost.
    }
    await removeLeftover(fs, path);
  }

  async function close(): Promise<void> {
    ended = true;
    const left = slots.flatMap(({ spare }) => spare ?? []);
    for (const slot of slots) slot.spare = null;
    await Promise.all(left.map(drop));
  }

  return { prepare, make, close };
}

interface Spare {
  path: string;
  /** Null if it could not be made. */
  opening: Promise<OpenFile | null>;
}
