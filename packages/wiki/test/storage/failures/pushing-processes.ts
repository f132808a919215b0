import { expect } from 'vitest';
import type { FileSystem } from '../../../src/storage/files/file-system.ts';
import { pagePush, pushTo } from '../pushes.ts';
import { openProcess, PAGE, type Process, writeByAnother } from './processes.ts';

/** Pushes the page. */
export async function push(process: Process): Promise<void> {
  const storage = await openProcess(process);
  const outcome = await pushTo(storage, await pagePush(storage, await storage.head(), PAGE, 'new'));
  expect(outcome.kind).toBe('landed');
  process.acknowledged.add(PAGE);
  await storage.settle();
  await storage.close();
}

/** Another process writes while the push stores its pack. */
export async function pushAfterLosing(process: Process): Promise<void> {
  let isMet = false;
  const fs: FileSystem = {
    ...process.fs,
    symlink: async (target, path) => {
      if (!isMet && path.includes('/chain-')) {
        isMet = true;
        const other = writeByAnother(process);
        process.others.push(other);
        await other;
      }
      return process.fs.symlink(target, path);
    },
  };
  const storage = await openProcess({ ...process, fs });
  const given = await pagePush(storage, await storage.head(), PAGE, 'new');
  expect((await pushTo(storage, given)).kind).toBe('moved');
  await storage.settle();
  await storage.close();
}
