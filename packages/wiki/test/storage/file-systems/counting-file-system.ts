import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { type FileSystemCall, interceptedFileSystem } from './intercepted-file-system.ts';

/** `fs`, and the list of all calls in the order in which they were begun. */
export function countingFileSystem(fs: FileSystem): { fs: FileSystem; calls: FileSystemCall[] } {
  const calls: FileSystemCall[] = [];
  const counting = interceptedFileSystem(fs, (call, perform) => {
    calls.push(call);
    return perform();
  });
  return { fs: counting, calls };
}
