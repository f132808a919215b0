import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bareRepository, git, temporaryDirectory } from '../../test/native-git.ts';
import { newWiki } from '../../test/storage/writers.ts';
import { nodeFileSystem } from './files/node-file-system.ts';
import { openedPath } from './layout.ts';
import { openedMark, readOpenedMark, readRepositoryFormat } from './repository-format.ts';

const read = (directory: string) => readRepositoryFormat(nodeFileSystem, directory);

it('accepts repositories of native git and of the wiki, with the branch that HEAD names', async () => {
  const directory = bareRepository();
  git(directory, ['symbolic-ref', 'HEAD', 'refs/heads/drafts/new']);
  expect(await read(directory)).toMatchObject({ branch: 'drafts/new' });
  const { branch, config } = await read(await newWiki());
  expect(branch).toBe('main');
  expect(config.get('pagetree.format')).toBe('1');
});

const refusals: [what: string, say: string, make: () => string][] = [
  ['an empty directory', 'no git repository', () => temporaryDirectory()],
  ['a missing directory', 'no git repository', () => join(temporaryDirectory(), 'missing')],
  ['a file', 'no directory', () => writtenTo(temporaryDirectory(), 'file', '')],
  ['a working tree', 'git clone --mirror', () => made(['init', '--quiet', '.'])],
  ["a working tree's .git", 'git clone --mirror', () => join(made(['init', '--quiet', '.']), '.git')],
  ['SHA-256', 'SHA-256', () => made(['init', '--quiet', '--bare', '--object-format=sha256', '.'])],
  ['a reftable', 'git refs migrate', () => configured('extensions.refStorage', 'reftable')],
  ['an unknown extension', 'extensions.later', () => configured('extensions.later', 'true')],
  ['a newer format of wikis', 'use a newer Pagetree', () => configured('pagetree.format', '2')],
  ['a format that is no number', 'use a newer Pagetree', () => configured('pagetree.format', 'x')],
  [
    'a newer format of repositories',
    'repositoryformatversion',
    () => configured('core.repositoryFormatVersion', '2'),
  ],
  [
    'a shallow clone',
    '--unshallow',
    () => changed((path) => writtenTo(path, 'shallow', `${'5'.repeat(40)}\n`)),
  ],
  [
    'a detached HEAD',
    'git symbolic-ref',
    () => changed((path) => writtenTo(path, 'HEAD', `${'5'.repeat(40)}\n`)),
  ],
  [
    'missing alternates',
    'borrows objects from ../elsewhere',
    () => changed((path) => writtenTo(path, 'objects/info/alternates', '../elsewhere\n')),
  ],
];

it.each(refusals)('refuses %s, and says "%s"', async (_, say, make) => {
  const directory = make();
  await expect(read(directory)).rejects.toMatchObject({
    code: 'unsupported_repository',
    message: expect.stringContaining(say),
  });
});

it.each([
  { branch: 'main', indexed: false },
  { branch: 'main', indexed: true },
  { branch: 'drafts/new', indexed: true },
])('leaves the mark of %o, of which an older version makes the same branch or nothing', async (mark) => {
  const text = openedMark(mark);
  expect(await readMark(text)).toEqual(mark);
  // As versions before the index over all packs read it.
  const older = /^(\d+) (.+)$/.exec(text);
  expect(older?.[2]).toBe(mark.indexed ? undefined : mark.branch);
});

it.each(['1 main indexed', '1 ', '2 main', '1+later main', '1+indexed ', 'main', ''])(
  'ignores the mark "%s" and reads HEAD',
  async (text) => {
    expect(await readMark(text)).toBeNull();
  },
);

async function readMark(text: string) {
  const directory = temporaryDirectory();
  const path = openedPath(directory);
  mkdirSync(join(path, '..'));
  if (text) symlinkSync(text, path);
  return readOpenedMark(nodeFileSystem, directory);
}

function made(command: string[]): string {
  const directory = temporaryDirectory();
  git(directory, command);
  return directory;
}

function changed(change: (directory: string) => unknown): string {
  const directory = bareRepository();
  change(directory);
  return directory;
}

function configured(name: string, value: string): string {
  return changed((directory) => git(directory, ['config', name, value]));
}

function writtenTo(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  rmSync(path, { force: true });
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}
