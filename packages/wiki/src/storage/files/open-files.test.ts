import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { OpenFiles } from './open-files.ts';

test('a file is closed once, after its last use, even if others are discarded meanwhile', async () => {
  const { paths, fs, events } = watchedFiles(6);
  const files = new OpenFiles(fs, 2);
  const uses = Array.from({ length: 400 }, (_, number) => async () => {
    const path = paths[(number * 7) % paths.length] as string;
    if (number % 11 === 0) await files.discard(path);
    const text = await files.use(path, (file) => readText(file));
    expect(text).toBe(path);
  });
  await Promise.all(uses.map((use) => use()));
  await files.close();
  expect(events.usedAfterClose).toBe(0);
  expect(events.closedTwice).toBe(0);
  expect(events.opened).toBe(events.closed);
});

test('no more files than the limit stay open when nobody uses them', async () => {
  const { paths, fs, events } = watchedFiles(8);
  const files = new OpenFiles(fs, 3);
  for (const path of [...paths, ...paths]) await files.use(path, readText);
  expect(events.opened - events.closed).toBe(3);
  await files.close();
  expect(events.opened).toBe(events.closed);
});

test('no file stays open after the end, also if a call was about to read it or still reads', async () => {
  const { paths, fs, events } = watchedFiles(3);
  const files = new OpenFiles(fs, 3);
  const [unused, used, late] = paths as [string, string, string];
  await files.use(unused, readText);
  const { promise: closing, resolve: startClosing } = Promise.withResolvers<void>();
  const reading = files.use(used, async (file) => {
    await closing;
    return readText(file);
  });
  await files.close();
  startClosing();
  expect(await reading).toBe(used);
  expect(await Promise.all([files.use(late, readText), files.use(late, readText)])).toEqual([late, late]);
  expect(events).toEqual({ opened: 3, closed: 3, closedTwice: 0, usedAfterClose: 0 });
});

test('a file that does not open fails for its caller, and is tried again by the next', async () => {
  const { paths, fs } = watchedFiles(1);
  let failing = true;
  const files = new OpenFiles(
    {
      ...fs,
      open: async (path, flags) => {
        if (failing) throw fileSystemError(5, 'EIO');
        return fs.open(path, flags);
      },
    },
    3,
  );
  const path = paths[0] as string;
  const asked = [files.use(path, readText), files.use(path, readText)];
  for (const each of asked) await expect(each).rejects.toThrow('EIO');
  failing = false;
  expect(await files.use(path, readText)).toBe(path);
  await files.close();
});

/** Files that hold their own path, and what happened to them. */
function watchedFiles(count: number) {
  const directory = temporaryDirectory();
  const paths = Array.from({ length: count }, (_, number) => join(directory, `${number}`));
  for (const path of paths) writeFileSync(path, path);
  const events = { opened: 0, closed: 0, closedTwice: 0, usedAfterClose: 0 };
  const fs: FileSystem = {
    ...nodeFileSystem,
    open: async (path, flags) => {
      const file = await nodeFileSystem.open(path, flags);
      events.opened += 1;
      let closed = false;
      return {
        ...file,
        read: (...parameters) => {
          if (closed) events.usedAfterClose += 1;
          return file.read(...parameters);
        },
        close: async () => {
          if (closed) events.closedTwice += 1;
          closed = true;
          events.closed += 1;
          await file.close();
        },
      };
    },
  };
  return { paths, fs, events };
}

async function readText(file: OpenFile): Promise<string> {
  const buffer = Buffer.alloc(500);
  return buffer.toString('utf8', 0, await file.read(buffer, 0, buffer.length, 0));
}
