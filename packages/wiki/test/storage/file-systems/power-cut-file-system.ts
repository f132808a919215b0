import type { FileSystem, OpenFile } from '../../../src/storage/file-system.ts';
import { type Disk, scanDisk } from './disk.ts';

/**
 * A file system below `root` that also keeps account of what a disk would hold after a power cut: what was
 * synced is there, of the rest any part may be. Everything there at the beginning counts as synced.
 */
export function powerCutFileSystem(fs: FileSystem, root: string): { fs: FileSystem; disk: Disk } {
  const disk = scanDisk(root);
  const accounting: FileSystem = {
    ...fs,
    open: async (path, flags, mode) => {
      const file = await fs.open(path, flags, mode);
      if (flags !== 'r') disk.create(path);
      return accountedFile(file, disk, path);
    },
    symlink: async (target, path) => {
      await fs.symlink(target, path);
      disk.symlink(target, path);
    },
    link: async (existing, path) => {
      await fs.link(existing, path);
      disk.link(existing, path);
    },
    rename: async (from, to) => {
      await fs.rename(from, to);
      disk.rename(from, to);
    },
    unlink: async (path) => {
      await fs.unlink(path);
      disk.remove(path);
    },
    mkdir: async (path) => {
      await fs.mkdir(path);
      disk.mkdir(path);
    },
    rmdir: async (path) => {
      await fs.rmdir(path);
      disk.remove(path);
    },
  };
  return { fs: accounting, disk };
}

function accountedFile(file: OpenFile, disk: Disk, path: string): OpenFile {
  const node = disk.find(path);
  return {
    ...file,
    write: async (data) => {
      await file.write(data);
      disk.append(node, data);
    },
    sync: async () => {
      await file.sync();
      disk.sync(node);
    },
  };
}
