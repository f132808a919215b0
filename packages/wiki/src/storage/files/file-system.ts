import { constants } from 'node:os';

/**
 * The file-system calls that storage makes, and no others: tests count them, delay them, make them fail and
 * end the process between them. Each method means the same as its namesake in node:fs/promises and throws
 * what Node throws. Branch on `errorName`, never on `code` alone.
 */
export interface FileSystem {
  /**
   * `directory` opens a directory. Without this flag an NFS client first asks for a file, in an extra round
   * trip.
   */
  open(path: string, flags: 'r' | 'w' | 'wx' | 'directory', mode?: number): Promise<OpenFile>;
  symlink(target: string, path: string): Promise<void>;
  readlink(path: string): Promise<string>;
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /**
   * `unlink` for the last name of a file: freeing its content can take a disk longer than most other calls.
   */
  unlinkLast(path: string): Promise<void>;
  mkdir(path: string, mode?: number): Promise<void>;
  rmdir(path: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  lstat(path: string): Promise<FileStatus>;
}

/** An open file or directory. Opening a directory refreshes what an NFS client knows of it. */
export interface OpenFile {
  /**
   * Reads at a byte position. Returns the number of bytes read, fewer than requested only at the end of the
   * file.
   */
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
  /** The permissions, such as 0o755. Meaningless on Windows. */
  mode: number;
  /** The number of the file in its file system. A copy of the file has another one. */
  inode: number;
}

/**
 * The errno name of an error thrown by a file-system call, such as 'ENOENT'; null for any other error. Node
 * knows no name for ESTALE, which NFS returns, and reports errno -116 with the code 'Unknown system error
 * -116': so the number decides.
 */
export function errorName(error: unknown): string | null {
  if (!(error instanceof Error) || !('errno' in error) || typeof error.errno !== 'number') return null;
  return ERRNO_NAMES.get(Math.abs(error.errno)) ?? `errno ${Math.abs(error.errno)}`;
}

// Some numbers have two names (EAGAIN and EWOULDBLOCK, ENOTSUP and EOPNOTSUPP). The first one, which Node
// uses, stays.
const ERRNO_NAMES = new Map(
  Object.entries(constants.errno)
    .reverse()
    .map(([name, number]) => [number, name]),
);
