import { expect, it } from 'vitest';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import { freezing, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

const placement = 'shared';

it.each([
  ['before it was complete', 'rename', (fs: FileSystem) => fs],
  ['while it was written, which NFS answers with ESTALE', 'sync', withoutUnlinked],
] as const)('an attempt whose pack maintenance deleted %s is made again', async (_, step, seenBy) => {
  const directory = await newWiki({ shared: true });
  const quick = await openWriter(directory, { placement });
  await quick.put('First.md', 'first');
  const { fs, frozen, thaw } = freezing(({ name, path }) => name === step && /objects.pack/.test(path));
  const slow = await openWriter(directory, { fs: seenBy(fs), placement });
  const writing = slow.put('Slow.md', 'slow');
  await frozen;
  await quick.put('Quick.md', 'quick');
  expect(await quick.storage.tidy()).toMatchObject({ garbagePacksRemoved: 1 });
  thaw();
  expect(await writing).toMatchObject({ kind: 'committed', replays: 1 });
  await slow.storage.settle();
  expect(nativeView(directory).pages).toEqual({
    'First.md': 'first',
    'Quick.md': 'quick',
    'Slow.md': 'slow',
  });
});

it('a pack that vanishes without another writer is reported', async () => {
  const directory = await newWiki({ shared: true });
  const writer = await openWriter(directory, { fs: alwaysStale(nodeFileSystem), placement });
  await expect(writer.put('Page.md', 'text')).rejects.toMatchObject({
    code: 'io_error',
    data: { errno: 'ESTALE' },
  });
});

/** As an NFS client: what another client removed is gone also for a client that has it open. */
function withoutUnlinked(fs: FileSystem): FileSystem {
  return {
    ...fs,
    open: async (path, flags, mode) => {
      const file = await fs.open(path, flags, mode);
      return {
        ...file,
        sync: async () => {
          await file.sync();
          await fs.lstat(path).catch(() => {
            throw fileSystemError(116, 'Unknown system error -116');
          });
        },
      };
    },
  };
}

function alwaysStale(fs: FileSystem): FileSystem {
  return {
    ...fs,
    rename: async (from, to) => {
      await fs.rename(from, to);
      if (to.endsWith('.idx')) throw fileSystemError(116, 'Unknown system error -116');
    },
  };
}
