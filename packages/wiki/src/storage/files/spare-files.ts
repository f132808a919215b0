import { type MakeFile, makeFileWith, removeLeftover } from './durable-file.ts';
import type { FileSystem, OpenFile } from './file-system.ts';

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
  /** Milliseconds since 1970. */
  now(): number;
  /** A new path in a directory of the same file system. */
  temporaryName(): string;
  /** The mode of each file to be kept ready. */
  modes: readonly number[];
}

export function openSpareFiles({ fs, now, temporaryName, modes }: SpareFilesOptions): SpareFiles {
  const spares: Spare[] = [];
  const makeFile = makeFileWith(fs);
  let closed = false;

  async function prepare(): Promise<void> {
    if (closed) return;
    const dropping = dropOld();
    const missing = [...modes];
    for (const { mode } of spares) missing.splice(missing.indexOf(mode), 1);
    for (const mode of missing) spares.push(spare(mode));
    await Promise.all([dropping, ...spares.map(({ opening }) => opening)]);
  }

  function spare(mode: number): Spare {
    const path = temporaryName();
    // Where none can be made, the file is made when it is asked for, and that tells why it cannot be.
    const opening = fs.open(path, 'wx', mode).catch(() => null);
    return { path, mode, opening, made: now() };
  }

  async function make(path: string, mode: number): Promise<OpenFile> {
    const at = spares.findIndex((one) => one.mode === mode);
    const [taken] = at === -1 ? [] : spares.splice(at, 1);
    return (taken && (await renamed(taken, path))) ?? makeFile(path, mode);
  }

  async function renamed(taken: Spare, path: string): Promise<OpenFile | null> {
    const file = await taken.opening;
    if (file === null) return null;
    try {
      await fs.rename(taken.path, path);
      return file;
    } catch {
      // Somebody swept it away, or the file is to be on another disk: then it is made where it is to be.
      await drop(taken);
      return null;
    }
  }

  /** What lies about for long is taken for a leftover by whoever tidies up. */
  async function dropOld(): Promise<void> {
    const oldest = now() - MOST_AGE_MS;
    const old = spares.filter(({ made }) => made < oldest);
    for (const one of old) spares.splice(spares.indexOf(one), 1);
    await Promise.all(old.map(drop));
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

  return {
    prepare,
    make,
    async close() {
      closed = true;
      await Promise.all(spares.splice(0).map(drop));
    },
  };
}

interface Spare {
  path: string;
  mode: number;
  /** Null where it could not be made. */
  opening: Promise<OpenFile | null>;
  made: number;
}

/** Far less than the age at which maintenance takes a temporary file for a leftover. */
const MOST_AGE_MS = 600_000;
