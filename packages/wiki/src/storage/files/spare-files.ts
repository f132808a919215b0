import { type MakeFile, makeFileWith, removeLeftover } from './durable-file.ts';
import { errorName, type FileSystem, type OpenFile } from './file-system.ts';

/**
 * Empty files made ahead of time. To find a file its place can take a disk longer than all else that a write asks of
 * it: so it does that between two writes, and what is left is to give the file its name.
 */
export interface SpareFiles {
  /** Makes what is missing. Nobody needs to wait for it, and it never fails. */
  prepare(): Promise<void>;
  /** Throws what the file system throws. */
  make: MakeFile;
  /** Takes away what was not used. */
  close(): Promise<void>;
}

export interface SpareFilesOptions {
  fs: FileSystem;
  /** A new path in a directory of the same file system. */
  temporaryName(): string;
  /** The mode of each file to be kept ready. */
  modes: readonly number[];
}

export function openSpareFiles({ fs, temporaryName, modes }: SpareFilesOptions): SpareFiles {
  const slots = modes.map((mode) => ({ mode, spare: null as Spare | null }));
  const makeFile = makeFileWith(fs);
  /** None is made any more. */
  let ended = false;

  async function prepare(): Promise<void> {
    if (ended) return;
    for (const slot of slots) slot.spare ??= spareOf(slot.mode);
    await Promise.all(slots.map(({ spare }) => spare?.opening));
  }

  function spareOf(mode: number): Spare {
    const path = temporaryName();
    // Where none can be made, the file is made when it is asked for, and that tells why it cannot be.
    return { path, opening: fs.open(path, 'wx', mode).catch(() => null) };
  }

  async function make(path: string, mode: number): Promise<OpenFile> {
    const slot = slots.find((one) => one.mode === mode && one.spare);
    const spare = slot?.spare;
    if (!slot || !spare) return makeFile(path, mode);
    slot.spare = null;
    return (await renamed(spare, path)) ?? makeFile(path, mode);
  }

  /** Null where that cannot be: then the file is made where it is to be. */
  async function renamed(spare: Spare, path: string): Promise<OpenFile | null> {
    const file = await spare.opening;
    if (file === null) return null;
    try {
      await fs.rename(spare.path, path);
      return file;
    } catch (error) {
      // Mostly whoever tidies up took it for a leftover; but on another disk none is ever of use.
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
      // It is empty: there is nothing to lose.
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
  /** Null where it could not be made. */
  opening: Promise<OpenFile | null>;
}
