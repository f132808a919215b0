import type { FileSystem, OpenFile } from '../../../src/storage/file-system.ts';
import { interceptedFileSystem } from './intercepted-file-system.ts';

export interface CrashPoint {
  /** The number of the call at which the process dies, from 0. */
  at: number;
  /** `torn`: where that call is a write, half of its bytes arrive; any other call is not made. */
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
  /** Resolved when the process is dead and nothing of it is under way any more. */
  crashed: Promise<void>;
  /** Closes what the dead process had open, as the kernel does. */
  release(): Promise<void>;
} {
  const crashed = Promise.withResolvers<void>();
  const opened = new Set<OpenFile>();
  const underWay = new Set<Promise<unknown>>();
  let calls = 0;
  let isDead = false;

  const remembering: FileSystem = {
    ...fs,
    open: async (path, flags, mode) => {
      const file = await fs.open(path, flags, mode);
      opened.add(file);
      return { ...file, close: () => file.close().finally(() => opened.delete(file)) };
    },
  };

  async function tracked<T>(call: Promise<T>): Promise<T> {
    underWay.add(call);
    try {
      return await call;
    } finally {
      underWay.delete(call);
    }
  }

  async function die(last: Promise<unknown> | null): Promise<never> {
    isDead = true;
    await Promise.allSettled([last, ...underWay]);
    crashed.resolve();
    return NEVER;
  }

  const crashing = interceptedFileSystem(remembering, async (call, perform) => {
    if (isDead) return NEVER;
    if (calls++ !== at) {
      const result = await tracked(perform());
      return isDead ? NEVER : result;
    }
    if (moment === 'torn' && call.data) return die(perform(call.data.subarray(0, call.data.length / 2)));
    return die(moment === 'after' ? perform() : null);
  });
  return {
    fs: crashing,
    crashed: crashed.promise,
    release: async () => void (await Promise.all([...opened].map((file) => file.close()))),
  };
}

const NEVER = new Promise<never>(() => undefined);
