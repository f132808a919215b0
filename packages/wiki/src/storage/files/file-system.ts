import { constants } from 'node:os';

/**
 * The file-system calls that storage makes, and no others: tests count them, delay them, fail them and
 * end the process between them. Each method means what its namesake in node:fs/promises means, and throws
 * what Node throws; branch on `errorName`, never on `code` alone.
 */
export interface FileSystem {
  /** `directory` opens a directory: without it an NFS client asks for a file first, in a round trip of its own. */
  open(path: string, flags: 'r' | 'w' | 'wx' | 'directory', mode?: number): Promise<OpenFile>;
  symlink(target: string, path: string): Promise<void>;
  readlink(path: string): Promise<string>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** `unlink` for the last name of a file: to free what was in it can take a disk longer than most other calls. */
  unlinkLast(path: string): Promise<void>;
  mkdir(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  lstat(path: string): Promise<FileStatus>;
}

/** An open file or directory; opening a directory refreshes what an NFS client knows of it. */
export interface OpenFile {
  /** Reads at a byte position; returns how many bytes came, fewer than asked only at the end of the file. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  write(data: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface FileStatus {
  kind: 'file' | 'directory' | 'symlink' | 'other';
  size: number;
  modifiedMs: number;
}

/**
 * The errno name of what a file-system call threw, such as 'ENOENT'; null where it is no file-system error.
 * Node knows no name for ESTALE, which NFS answers with, and reports errno -116 with the code
 * 'Unknown system error -116': so the number decides.
 */
export function errorName(error: unknown): string | null {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return null;
  return ERRNO_NAMES.get(Math.abs(error.errno)) ?? `errno ${Math.abs(error.errno)}`;
}

// Some numbers have two names (EAGAIN and EWOULDBLOCK, ENOTSUP and EOPNOTSUPP): the first, which Node uses, stays.
const ERRNO_NAMES = new Map(
  Object.entries(constants.errno)
    .reverse()
    .map(([name, number]) => [number, name]),
);
