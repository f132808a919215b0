import { expect } from 'vitest';
import { parseCommit } from '../../../src/formats/commit.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { mergeInto, pagePush } from '../pushes.ts';
import { openProcess, PAGE, type Process, writeByAnother } from './processes.ts';

/** Merges a commit that adds the page beside the newest one. */
export async function merge(process: Process): Promise<void> {
  const storage = await openProcess(process);
  expect((await mergeInto(storage, await pageBeside(storage))).kind).toBe('merged');
  process.acknowledged.add(PAGE);
  await storage.settle();
  await storage.close();
}

/** Another process writes while the merge stores its pack: it is built again. */
export async function mergeAfterLosing(process: Process): Promise<void> {
  let isMet = false;
  const storage = await openProcess({
    ...process,
    fs: {
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
    },
  });
  expect((await mergeInto(storage, await pageBeside(storage))).kind).toBe('merged');
  process.acknowledged.add(PAGE);
  await storage.settle();
  await storage.close();
}

/** The next call goes on, whatever the first one left. */
export async function mergeAgain(storage: Storage): Promise<void> {
  const head = (await storage.head()) ?? '';
  const given = await pageBeside(storage);
  const { kind, commit } = await mergeInto(storage, given);
  expect(kind).toBe('merged');
  expect(parseCommit((await storage.read(commit)).content).parents[1]).toBe(given.to);
  expect(await mergeInto(storage, given)).toEqual({ kind, commit });
  expect(head).not.toBe('');
}

/** On the first commit of the wiki. */
async function pageBeside(storage: Storage) {
  let first = (await storage.head()) ?? '';
  for (;;) {
    const [parent] = parseCommit((await storage.read(first)).content).parents;
    if (parent === undefined) return pagePush(storage, first, PAGE, 'new');
    first = parent;
  }
}
