import { openSerialQueue } from '../../../src/scheduling/serial-queue.ts';
import type { FileSystem, OpenFile } from '../../../src/storage/files/file-system.ts';
import { type Disk, type Node, scanDisk } from './disk.ts';
import { makesFile } from './intercepted-file-system.ts';

/**
 * A file system below `root` that also keeps account of what a disk would hold after a power cut: what was
 * synced is there, of the rest any part may be. Everything there at the beginning counts as synced.
 */
export function powerCutFileSystem(fs: FileSystem, root: string): { fs: FileSystem; disk: Disk } {
  const disk = scanDisk(root);
  // One after another, so that the account is kept in the order in which things happen.
  const inTurn = openSerialQueue();
  const accounted = (call: () => Promise<void>, note: () => void) =>
    inTurn(async () => {
      await call();
      note();
    });
  const accountedFile = (file: OpenFile, node: Node): OpenFile => ({
    ...file,
    write: (data) =>
      accounted(
        () => file.write(data),
        () => disk.append(node, data),
      ),
    sync: () =>
      accounted(
        () => file.sync(),
        () => disk.sync(node),
      ),
  });
  const accounting: FileSystem = {
    ...fs,
    open: (path, flags, mode) =>
      inTurn(async () => {
        const file = await fs.open(path, flags, mode);
        if (makesFile(flags)) disk.create(path);
        return accountedFile(file, disk.find(path));
      }),
    symlink: (target, path) =>
      accounted(
        () => fs.symlink(target, path),
        () => disk.symlink(target, path),
      ),
    link: (existing, path) =>
      accounted(
        () => fs.link(existing, path),
        () => disk.link(existing, path),
      ),
    rename: (from, to) =>
      accounted(
        () => fs.rename(from, to),
        () => disk.rename(from, to),
      ),
    unlink: (path) =>
      accounted(
        () => fs.unlink(path),
        () => disk.remove(path),
      ),
    unlinkLast: (path) =>
      accounted(
        () => fs.unlinkLast(path),
        () => disk.remove(path),
      ),
    mkdir: (path, mode) =>
      accounted(
        () => fs.mkdir(path, mode),
        () => disk.mkdir(path),
      ),
    rmdir: (path) =>
      accounted(
        () => fs.rmdir(path),
        () => disk.remove(path),
      ),
  };
  return { fs: accounting, disk };
}
