import fs from 'node:fs';
import { promisify } from 'node:util';

/**
 * The calls of the file system that the mirror makes. Most do not go through a thread, which takes a tenth of the
 * processor time, as the files are small.
 */
export const nodeDisk = {
  closeSync: fs.closeSync,
  linkSync: fs.linkSync,
  lstatSync: fs.lstatSync,
  mkdirSync: fs.mkdirSync,
  openSync: fs.openSync,
  readFileSync: fs.readFileSync,
  readdirSync: fs.readdirSync,
  renameSync: fs.renameSync,
  rmdirSync: fs.rmdirSync,
  unlinkSync: fs.unlinkSync,
  writeFileSync: fs.writeFileSync,
  fsync: promisify(fs.fsync),
};

export type Disk = typeof nodeDisk;

/** What tells whether a file is the one that was seen before. */
export interface FileStat {
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  ino: number;
}

export function statOf({ size, mtimeMs, ctimeMs, ino }: FileStat): FileStat {
  return { size, mtimeMs, ctimeMs, ino };
}

export function isSameStat(one: FileStat | null | undefined, other: FileStat | null | undefined): boolean {
  if (one == null || other == null) return false;
  return (
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.ino === other.ino
  );
}

/** The code of an error of the file system, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

/** The status of what is at a path, of a link itself; null if there is nothing. */
export function statusAt(disk: Disk, path: string) {
  try {
    return disk.lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Writes a file that is complete on the disk before it has its name, so that a power cut leaves the old one or the new one. */
export async function writeDurably(disk: Disk, path: string, content: Uint8Array | string): Promise<void> {
  const descriptor = disk.openSync(path, 'wx', 0o644);
  try {
    disk.writeFileSync(descriptor, content);
    await disk.fsync(descriptor);
  } finally {
    disk.closeSync(descriptor);
  }
}

/** Makes the names in a folder durable. Windows and some file systems cannot, and need not. */
export async function syncFolder(disk: Disk, folder: string): Promise<void> {
  let descriptor: number;
  try {
    descriptor = disk.openSync(folder, 'r');
  } catch (error) {
    if (isMissing(error) || ['EISDIR', 'EPERM', 'EACCES'].includes(codeOf(error))) return;
    throw error;
  }
  try {
    await disk.fsync(descriptor);
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'ENOTSUP', 'EBADF'].includes(codeOf(error))) throw error;
  } finally {
    disk.closeSync(descriptor);
  }
}
