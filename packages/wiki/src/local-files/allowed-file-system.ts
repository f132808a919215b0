import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FileSystem } from '../storage/files/file-system.ts';
import { openFile } from '../storage/files/local-file-system.ts';
import { fileStatus } from '../storage/files/node-file-system.ts';
import type { AllowedFiles } from './allowed-files.ts';

/**
 * The allowed files as a FileSystem for reading a repository. Refuses any path that leads out of them, at any
 * depth.
 */
export function allowedFileSystem(files: AllowedFiles): FileSystem {
  const lstatOf = async (path: string) =>
    fileStatus(lstatSync(join(await files.resolve(dirname(path)), basename(path))));
  /** The real paths of folders in which a file was opened. */
  const folders = new Map<string, string>();
  return {
    async open(path, flags) {
      if (flags === 'r') return openFile(await openRegular(path));
      if (flags !== 'directory') return readOnly();
      await files.list(path);
      return openDirectory;
    },
    readdir: (path) => files.list(path),
    lstat: lstatOf,
    readlink: readOnly,
    symlink: readOnly,
    link: readOnly,
    rename: readOnly,
    unlink: readOnly,
    unlinkLast: readOnly,
    mkdir: readOnly,
    rmdir: readOnly,
  };

  /** A repository may have 20,000 files of objects in 256 folders: each folder is followed once. */
  async function openRegular(path: string): Promise<number> {
    const known = folders.get(dirname(path));
    const descriptor = known === undefined ? null : files.openIn(known, basename(path));
    if (descriptor !== null) return descriptor;
    folders.set(dirname(path), await files.resolve(dirname(path)));
    return files.open(path);
  }
}

async function readOnly(): Promise<never> {
  throw Object.assign(new Error('EROFS: an imported repository is only read'), { code: 'EROFS', errno: -30 });
}

/** Opened only to verify that it exists. */
const openDirectory = {
  read: readOnly,
  write: readOnly,
  sync: readOnly,
  size: readOnly,
  close: async () => undefined,
};
