import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { type FileSystemCall, interceptedFileSystem } from './intercepted-file-system.ts';
import { rememberingFileSystem } from './remembering-file-system.ts';

export interface CrashPoint {
  /** The call at which the process dies: its number, from 0, or a check that recognises it. */
  at: number | ((call: FileSystemCall) => boolean);
  /** `torn`: if that call is a write, half of its bytes arrive; any other call is not made. */
  moment: 'before' | 'torn' | 'after';
}

/**
 * A file system whose process dies at one of its calls: that call and every later one never return, and
 * nothing of them happens but what `moment` says. Calls that were under way end.
 */
export function crashingFileSystem(
  fs: FileSystem,
  { at, moment }: CrashPoint,
): {
  fs: FileSystem;
  /** Resolved to the last call when the process is dead and nothing of it is under way any more. */
  crashed: Promise<FileSystemCall>;
  /** Closes what the dead process had open, as the kernel does. */
  release(): Promise<void>;
} {
  const { fs: remembering, release } = rememberingFileSystem(fs);
  const crashed = Promise.withResolvers<FileSystemCall>();
  const underWay = new Set<Promise<unknown>>();
  let calls = 0;
  let isDead = false;

  async function tracked<T>(call: Promise<T>): Promise<T> {
    underWay.add(call);
    try {
      return await call;
    } finally {
      underWay.delete(call);
    }
  }

  async function die(call: FileSystemCall, last: Promise<unknown> | null): Promise<never> {
    isDead = true;
    await Promise.allSettled([last, ...underWay]);
    crashed.resolve(call);
    return NEVER;
  }

  const crashing = interceptedFileSystem(remembering, async (call, perform) => {
    if (isDead) return NEVER;
    const isLast = typeof at === 'number' ? calls++ === at : at(call);
    if (!isLast) {
      const result = await tracked(perform());
      return isDead ? NEVER : result;
    }
    if (moment === 'torn' && call.data)
      return die(call, perform(call.data.subarray(0, call.data.length / 2)));
    return die(call, moment === 'after' ? perform() : null);
  });
  return { fs: crashing, crashed: crashed.promise, release };
}

const NEVER = new Promise<never>(() => undefined);
