import type { FileSystem, OpenFile } from '../../../src/storage/files/file-system.ts';
import { type FileSystemCall, interceptedFileSystem } from './intercepted-file-system.ts';

/** The errors of file systems in trouble, with Linux' numbers. */
export const FAULTS = { EIO: 5, EACCES: 13, EMFILE: 24, ENOSPC: 28, EROFS: 30, ESTALE: 116 } as const;

export type FaultName = keyof typeof FAULTS;

export interface Fault {
  error: FaultName;
  /** The number of the call that fails, from 0. */
  at: number;
  /**
   * `before`: it is not made. `after`: it is made and yet reports the error, as an NFS call does whose reply
   * was lost. `lasting`: it is not made, nor any later call that this error prevents.
   */
  moment: 'before' | 'after' | 'lasting';
}

/** A file system that fails at one call, or from one call on. */
export function faultyFileSystem(fs: FileSystem, { error, at, moment }: Fault): FileSystem {
  let calls = 0;
  return interceptedFileSystem(fs, async (call, perform) => {
    const number = calls++;
    const isHit = number === at || (moment === 'lasting' && number > at && prevents(error, call));
    if (!isHit) return perform();
    // The descriptor of a file is free again after a close, also after one that fails.
    if (moment === 'after' || call.name === 'close') {
      const result: unknown = await perform();
      // Nobody will close what nobody was given.
      if (call.name === 'open') await (result as OpenFile).close();
    }
    throw fileSystemError(error);
  });
}

function prevents(error: FaultName, { name, changes }: FileSystemCall): boolean {
  if (error === 'EMFILE') return name === 'open' || name === 'readdir';
  if (error === 'EIO' || error === 'ESTALE') return name !== 'close';
  return changes && name !== 'sync';
}

/** The error as Node reports it: it knows no name for NFS's ESTALE. */
function fileSystemError(name: FaultName): Error {
  const errno = -FAULTS[name];
  const code = name === 'ESTALE' ? `Unknown system error ${errno}` : name;
  return Object.assign(new Error(`${code}: injected`), { errno, code });
}
