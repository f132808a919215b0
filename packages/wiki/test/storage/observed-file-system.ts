import type { FileSystem } from '../../src/storage/files/file-system.ts';
import {
  interceptedFileSystem,
  type FileSystemCall as WholeCall,
} from './file-systems/intercepted-file-system.ts';

/** A call about to be made, such as `{name: 'read', path: '/wiki/main.git/HEAD'}`. */
export type FileSystemCall = Pick<WholeCall, 'name' | 'path' | 'data'>;

/** `fs` with `before` run ahead of each call, which may take its time or throw instead of it. */
export function observedFileSystem(
  fs: FileSystem,
  before: (call: FileSystemCall) => void | Promise<void>,
): FileSystem {
  return interceptedFileSystem(fs, async (call, perform) => {
    try {
      await before(call);
    } catch (error) {
      // The descriptor of a file is free again after a close, also after one that fails.
      if (call.name === 'close') await perform();
      throw error;
    }
    return perform();
  });
}

/** The error that Node reports for this errno: NFS's ESTALE has no name in Node. */
export function fileSystemError(errno: number, code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { errno: -errno, code });
}
