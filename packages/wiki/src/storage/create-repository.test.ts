import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../test/storage/observed-file-system.ts';
import { openWriter } from '../../test/storage/writers.ts';
import { createRepository } from './create-repository.ts';
import { nodeFileSystem } from './files/node-file-system.ts';
import { nodeHost } from './files/node-host.ts';

const options = (directory: string) => ({
  fs: nodeFileSystem,
  host: nodeHost(),
  directory,
  branch: 'main',
  shared: false,
});

it('makes a bare repository that native git takes, with the branch that it was given', async () => {
  const directory = join(temporaryDirectory(), 'deep', 'wiki.git');
  expect(await createRepository({ ...options(directory), branch: 'drafts/new' })).toBe(true);
  git(directory, ['fsck', '--strict']);
  expect(git(directory, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/drafts/new');
  await (await openWriter(directory)).put('Page.md', 'text');
  expect(git(directory, ['log', '--format=%s', 'drafts/new'])).toBe('Write Page.md');
});

it('makes one repository if two are made at once, and leaves nothing else', async () => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const made = await Promise.all([1, 2, 3].map(() => createRepository(options(directory))));
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(readdirSync(dirname(directory))).toEqual(['wiki.git']);
});

it('leaves existing files alone', async () => {
  const directory = join(temporaryDirectory(), 'notes');
  mkdirSync(directory);
  writeFileSync(join(directory, 'Note.md'), 'mine');
  expect(await createRepository(options(directory))).toBe(false);
  expect(readdirSync(directory)).toEqual(['Note.md']);
});

it('removes its own files when it fails', async () => {
  const directory = join(temporaryDirectory(), 'wiki.git');
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (name === 'open' && path.endsWith('config')) throw fileSystemError(28, 'ENOSPC');
  });
  await expect(createRepository({ ...options(directory), fs })).rejects.toMatchObject({
    code: 'out_of_space',
  });
  expect(readdirSync(dirname(directory))).toEqual([]);
});
