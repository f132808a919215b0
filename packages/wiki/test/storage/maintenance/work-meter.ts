import { onTestFinished, vi } from 'vitest';
import type { StepLimits } from '../../../src/scheduling/stepwise.ts';
import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { nodeFileSystem } from '../../../src/storage/files/node-file-system.ts';
import { ObjectStore } from '../../../src/storage/objects/object-store.ts';
import { interceptedFileSystem } from '../file-systems/intercepted-file-system.ts';

/** Measures the work between two steps of a run, without a clock. */
export interface WorkMeter {
  /** Counts each call. */
  fs: FileSystem;
  /** Runs one call and counts its work from one step to the next, without what the process does in passing later. */
  meter<T>(limits: StepLimits, call: (limits: StepLimits) => Promise<T>): Promise<T>;
  /** The most objects read and calls of the file system made from one step to the next. */
  most(): number;
  total(): number;
}

export function workMeter(): WorkMeter {
  let [sinceStep, most, total] = [0, 0, 0];
  let isAtWork = false;
  const count = () => {
    if (!isAtWork) return;
    sinceStep += 1;
    total += 1;
    most = Math.max(most, sinceStep);
  };
  const { read } = ObjectStore.prototype;
  const spy = vi.spyOn(ObjectStore.prototype, 'read').mockImplementation(function (this: ObjectStore, oid) {
    count();
    return read.call(this, oid);
  });
  onTestFinished(() => spy.mockRestore());
  return {
    fs: interceptedFileSystem(nodeFileSystem, (_, perform) => {
      count();
      return perform();
    }),
    async meter({ goOn }, call) {
      [isAtWork, sinceStep] = [true, 0];
      const counted = () => {
        sinceStep = 0;
        return goOn();
      };
      try {
        return await call({ goOn: counted });
      } finally {
        isAtWork = false;
      }
    },
    most: () => most,
    total: () => total,
  };
}
