import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { readTextFile } from './text-file.ts';

/** A file that was replaced on the server, whose client returns ESTALE at `failing` calls of this kind. */
function staleFile(kind: 'open' | 'read', isStale: (directoriesOpened: number) => boolean) {
  const path = join(temporaryDirectory(), 'ref');
  writeFileSync(path, 'text');
  let directoriesOpened = 0;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path: called }) => {
    if (name === 'open' && called === dirname(path)) directoriesOpened += 1;
    if (name === kind && called === path && isStale(directoriesOpened)) throw fileSystemError(116, 'ESTALE');
  });
  return { path, fs, opened: () => directoriesOpened };
}

test.each(['open', 'read'] as const)(
  'a file whose %s is stale until its directory is opened is read then',
  async (kind) => {
    const { path, fs, opened } = staleFile(kind, (directories) => directories === 0);
    expect(await readTextFile(fs, path)).toBe('text');
    expect(opened()).toBe(1);
  },
);

test('a file that stays stale is given up', async () => {
  const { path, fs, opened } = staleFile('open', () => true);
  await expect(readTextFile(fs, path)).rejects.toMatchObject({ code: 'ESTALE' });
  expect(opened()).toBe(4);
});
