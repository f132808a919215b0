import type { FileSystem, OpenFile } from '../../src/storage/files/file-system.ts';

/** A call about to be made, such as `{name: 'read', path: '/wiki/main.git/HEAD'}`. */
export interface FileSystemCall {
  name: Exclude<keyof FileSystem | keyof OpenFile, 'size'>;
  path: string;
}

/**
 * `fs` with `before` run ahead of each call, which may take its time or throw instead of it. `size` is not
 * among the calls: who just opened a file knows its size, also on NFS.
 */
export function observedFileSystem(
  fs: FileSystem,
  before: (call: FileSystemCall) => void | Promise<void>,
): FileSystem {
  return {
    open: async (path, flags, mode) => {
      await before({ name: 'open', path });
      return observedFile(await fs.open(path, flags, mode), path, before);
    },
    symlink: async (target, path) => {
      await before({ name: 'symlink', path });
      await fs.symlink(target, path);
    },
    readlink: async (path) => {
      await before({ name: 'readlink', path });
      return fs.readlink(path);
    },
    link: async (existing, path) => {
      await before({ name: 'link', path });
      await fs.link(existing, path);
    },
    rename: async (from, to) => {
      await before({ name: 'rename', path: to });
      await fs.rename(from, to);
    },
    unlink: async (path) => {
      await before({ name: 'unlink', path });
      await fs.unlink(path);
    },
    mkdir: async (path) => {
      await before({ name: 'mkdir', path });
      await fs.mkdir(path);
    },
    rmdir: async (path) => {
      await before({ name: 'rmdir', path });
      await fs.rmdir(path);
    },
    readdir: async (path) => {
      await before({ name: 'readdir', path });
      return fs.readdir(path);
    },
    lstat: async (path) => {
      await before({ name: 'lstat', path });
      return fs.lstat(path);
    },
  };
}

function observedFile(
  file: OpenFile,
  path: string,
  before: (call: FileSystemCall) => void | Promise<void>,
): OpenFile {
  return {
    read: async (buffer, offset, length, position) => {
      await before({ name: 'read', path });
      return file.read(buffer, offset, length, position);
    },
    write: async (data) => {
      await before({ name: 'write', path });
      await file.write(data);
    },
    sync: async () => {
      await before({ name: 'sync', path });
      await file.sync();
    },
    size: () => file.size(),
    close: async () => {
      try {
        await before({ name: 'close', path });
      } finally {
        await file.close();
      }
    },
  };
}

/** The error that Node reports for this errno: NFS's ESTALE has no name in Node. */
export function fileSystemError(errno: number, code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { errno: -errno, code });
}
