import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { nativeWiki } from '../../../test/storage/native-wiki.ts';
import { fileSystemError } from '../../../test/storage/observed-file-system.ts';
import { newWiki, openWriter } from '../../../test/storage/writers.ts';
import type { FileSystem } from '../files/file-system.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

const READ_ONLY: [string, number][] = [
  ['EROFS', 30],
  ['EACCES', 13],
];

it.each(READ_ONLY)(
  'a wiki that refuses changes with %s is read as of its newest commit',
  async (code, errno) => {
    const directory = await newWiki();
    const { put, storage } = await openWriter(directory);
    const written = await put('Page.md', 'text');
    await storage.settle();
    const fs = refusing(errno, code);
    const reader = await openWriter(directory, { fs });
    const commit = 'commit' in written && written.commit;
    expect(await reader.storage.head()).toBe(commit);
    // A push that cannot be taken in is not shown: it might come in as another commit.
    const pushed = git(directory, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'By hand']);
    git(directory, ['update-ref', 'refs/heads/main', pushed]);
    expect(await reader.storage.head()).toBe(commit);
    expect(await (await openWriter(directory, { fs })).storage.head()).toBe(commit);
  },
);

it.each(READ_ONLY)(
  'a repository of native git that refuses changes with %s is read as it is',
  async (code, errno) => {
    const directory = nativeWiki(3);
    const { storage } = await openWriter(directory, { fs: refusing(errno, code) });
    expect(await storage.head()).toBe(git(directory, ['rev-parse', 'main']));
  },
);

it('a disk that fails for a moment is not taken for one that can only be read', async () => {
  const directory = nativeWiki(3);
  const { storage } = await openWriter(directory, { fs: refusing(5, 'EIO') });
  await expect(storage.head()).rejects.toMatchObject({ code: 'io_error' });
});

function refusing(errno: number, code: string): FileSystem {
  return interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    if (call.changes && call.name !== 'sync') throw fileSystemError(errno, code);
    return perform();
  });
}
