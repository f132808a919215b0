import type { FileSystem, OpenFile } from '../../../src/storage/files/file-system.ts';

/**
 * `fs` for a process that dies or stays frozen in the middle of its work. `release` closes what it has open and what it is
 * just opening, as the kernel does.
 */
export function rememberingFileSystem(fs: FileSystem): { fs: FileSystem; release(): Promise<void> } {
  const opened = new Set<OpenFile>();
  let isReleased = false;
  const remembering: FileSystem = {
    ...fs,
    open: async (path, flags, mode) => {
      const file = await fs.open(path, flags, mode);
      if (isReleased) await file.close();
      else opened.add(file);
      return { ...file, close: () => file.close().finally(() => opened.delete(file)) };
    },
  };
  return {
    fs: remembering,
    async release() {
      isReleased = true;
      await Promise.all([...opened].map((file) => file.close()));
    },
  };
}
