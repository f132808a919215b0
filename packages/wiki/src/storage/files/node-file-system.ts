import { constants, type Stats } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import type { FileStatus, FileSystem, OpenFile } from './file-system.ts';

/**
 * The machine's file system, including mounts. Each call waits in a thread, and several wait side by side.
 */
export const nodeFileSystem: FileSystem = {
  open: async (path, flags, mode) =>
    openFile(await open(path, flags === 'directory' ? OPEN_DIRECTORY : flags, mode)),
  symlink,
  readlink,
  link,
  rename,
  unlink,
  unlinkLast: unlink,
  mkdir: async (path, mode) => {
    await mkdir(path, mode);
  },
  rmdir,
  readdir,
  lstat: async (path) => fileStatus(await lstat(path)),
};

// Windows has no such flag, and needs none.
export const OPEN_DIRECTORY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);

function openFile(handle: FileHandle): OpenFile {
  return {
    read: async (buffer, offset, length, position) => {
      let total = 0;
      while (total < length) {
        const { bytesRead } = await handle.read(buffer, offset + total, length - total, position + total);
        if (bytesRead === 0) break;
        total += bytesRead;
      }
      return total;
    },
    write: async (data) => {
      let total = 0;
      while (total < data.length) {
        total += (await handle.write(data, total, data.length - total)).bytesWritten;
      }
    },
    sync: () => handle.sync(),
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  };
}

export function fileStatus(stats: Stats): FileStatus {
  return {
    kind: fileKind(stats),
    size: stats.size,
    modifiedMs: stats.mtimeMs,
    mode: stats.mode & 0o777,
    inode: stats.ino,
  };
}

function fileKind(stats: Stats): FileStatus['kind'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}
