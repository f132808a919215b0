import type { Wiki } from '@pagetree/wiki/contract';
import { type Disk, nodeDisk } from '../src/folder/disk.ts';

/** Ends a pass as the death of the process does. */
export class Crash extends Error {}

/**
 * A disk before one of whose calls something happens. `happen` learns whether the call takes away a name: between the last
 * look at a file and that call, no system lets a program exclude that another file gets the name.
 */
export function interruptedDisk(call: number, happen: (takesName: boolean) => void): Disk {
  let count = 0;
  const methods = Object.entries(nodeDisk).map(([name, method]) => [
    name,
    (...args: unknown[]) => {
      const run = () => (method as (...args: unknown[]) => unknown)(...args);
      try {
        if (count === call) happen(name === 'renameSync' || name === 'unlinkSync');
      } catch (error) {
        // A process that dies leaves no file open.
        if (name === 'closeSync') run();
        throw error;
      }
      count += 1;
      return run();
    },
  ]);
  return Object.fromEntries(methods) as Disk;
}

export function crashAt(call: number): Disk {
  return interruptedDisk(call, () => {
    throw new Crash();
  });
}

/** A wiki during whose commit the process dies: `landed` if the commit is made nevertheless. */
export function crashInCommit(wiki: Wiki, landed: boolean): Wiki {
  return {
    ...wiki,
    commit_files: async (...args) => {
      if (landed) await wiki.commit_files(...args);
      throw new Crash();
    },
  };
}
