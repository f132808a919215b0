import * as nodeFs from 'node:fs';
import { promisify } from 'node:util';
import type { FileSystem, OpenFile } from './file-system.ts';
import { fileStatus, OPEN_DIRECTORY } from './node-file-system.ts';

/**
 * A disk of this machine. Most calls run synchronously: they end sooner than a thread could be asked to make
 * them. Long calls run in a thread: sync, as it waits for the disk; open with 'wx', which makes files
 * ahead of time; the removal of a last name, which frees the file's content; and reads and writes of large
 * parts.
 */
export const localFileSystem: FileSystem = {
  open: async (path, flags, mode) =>
    openFile(
      flags === 'wx'
        ? await open(path, flags, mode)
        : nodeFs.openSync(path, flags === 'directory' ? OPEN_DIRECTORY : flags, mode),
    ),
  symlink: async (target, path) => nodeFs.symlinkSync(target, path),
  readlink: async (path) => nodeFs.readlinkSync(path),
  link: async (existing, path) => nodeFs.linkSync(existing, path),
  rename: async (from, to) => nodeFs.renameSync(from, to),
  unlink: async (path) => nodeFs.unlinkSync(path),
  unlinkLast: promisify(nodeFs.unlink),
  mkdir: async (path, mode) => {
    nodeFs.mkdirSync(path, mode);
  },
  rmdir: async (path) => nodeFs.rmdirSync(path),
  readdir: async (path) => nodeFs.readdirSync(path),
  lstat: async (path) => fileStatus(nodeFs.lstatSync(path)),
};

const CLOSED = -1;
const sync = promisify(nodeFs.fsync);
const open = promisify(nodeFs.open);
const read = promisify(nodeFs.read);
const write = promisify(nodeFs.write);
/** A synchronous write of 99 MB held up other calls for up to 216 ms of processor time. */
const LARGE_BYTES = 2 ** 21;

/** An open file, given its descriptor. */
export function openFile(opened: number): OpenFile {
  let descriptor = opened;
  return {
    read: async (buffer, offset, length, position) => {
      let total = 0;
      while (total < length) {
        const left = length - total;
        const count =
          left < LARGE_BYTES
            ? nodeFs.readSync(descriptor, buffer, offset + total, left, position + total)
            : (await read(descriptor, buffer, offset + total, left, position + total)).bytesRead;
        if (count === 0) break;
        total += count;
      }
      return total;
    },
    write: async (data) => {
      for (let total = 0; total < data.length; ) {
        const left = data.length - total;
        total +=
          left < LARGE_BYTES
            ? nodeFs.writeSync(descriptor, data, total, left)
            : (await write(descriptor, data, total, left)).bytesWritten;
      }
    },
    sync: () => sync(descriptor),
    size: async () => nodeFs.fstatSync(descriptor).size,
    close: async () => {
      const closing = descriptor;
      // Descriptors are reused: closing one twice could close a file that was opened since.
      descriptor = CLOSED;
      nodeFs.closeSync(closing);
    },
  };
}
