import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { freezing, nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

it('brings in a commit although a later one on top of it was only about to come in', async () => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  await put('Ours.md', 'first');
  const [below, above] = lineOfCommits(directory, ['Below.md', 'Above.md']);
  await put('Ours.md', 'second');
  // Left by a process that died before it linked the commit.
  const external = join(directory, 'refs/pagetree/external');
  mkdirSync(external, { recursive: true });
  writeFileSync(join(external, `${above}`), `${above}\n`);
  git(directory, ['update-ref', 'refs/heads/main', `${below}`]);
  const { storage } = await openWriter(directory);
  await storage.head();
  await storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Below.md': 'text', 'Ours.md': 'second' });
});

it.each(['loose', 'packed'])(
  'brings in nothing again that came in below a later commit, whose ref is %s',
  async (kind) => {
    const directory = await newWiki();
    const { put, storage } = await openWriter(directory);
    await put('Ours.md', 'first');
    const line = lineOfCommits(directory, ['One.md', 'Two.md', 'Three.md']);
    await put('Ours.md', 'second');
    git(directory, ['update-ref', 'refs/heads/main', `${line.at(-1)}`]);
    await storage.head();
    for (const page of ['One.md', 'Two.md', 'Three.md']) await put(page, 'changed since');
    await storage.settle();
    if (kind === 'packed') git(directory, ['pack-refs', '--all', '--prune']);
    const { commits, pages } = nativeView(directory);
    const refs = git(directory, ['for-each-ref', 'refs/pagetree']);
    for (const commit of line) {
      git(directory, ['update-ref', 'refs/heads/main', commit]);
      const cold = await openWriter(directory);
      await cold.storage.settle();
      expect(await cold.storage.head()).toBe(commits[0]);
      await cold.storage.settle();
      expect(nativeView(directory)).toEqual({ commits, pages });
      expect(git(directory, ['for-each-ref', 'refs/pagetree'])).toBe(refs);
    }
  },
);

it('brings in nothing again while another call still learns what came in', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Ours.md', 'first');
  const line = lineOfCommits(directory, ['One.md', 'Two.md', 'Three.md']);
  await put('Ours.md', 'second');
  git(directory, ['update-ref', 'refs/heads/main', `${line[2]}`]);
  await storage.head();
  await put('One.md', 'changed since');
  await storage.settle();
  const head = await storage.head();
  const [first = '', second = ''] = line;
  git(directory, ['update-ref', 'refs/heads/main', first]);
  const { fs, frozen, thaw } = freezing(
    ({ name, path }) => name === 'open' && path.endsWith(`/${second.slice(0, 2)}/${second.slice(2)}`),
  );
  const cold = await openWriter(directory, { fs });
  const learning = cold.storage.head();
  await frozen;
  const other = cold.storage.head();
  // It waits for the same commit. One that took what is half learned for all of it would come to its end.
  await Promise.race([other, pause(500)]);
  thaw();
  expect([await learning, await other]).toEqual([head, head]);
});

it.each([
  ['kept', 'rename', 'external'],
  ['compared with others', 'readdir', 'external'],
  ['looked up among those that came in', 'readlink', 'requests'],
])('brings in nothing while a commit cannot be %s, and all of it later', async (_, step, place) => {
  const directory = await newWiki();
  const { put } = await openWriter(directory);
  await put('Ours.md', 'first');
  const [foreign = ''] = lineOfCommits(directory, ['Theirs.md']);
  await put('Ours.md', 'second');
  git(directory, ['update-ref', 'refs/heads/main', foreign]);
  let isBroken = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (isBroken && name === step && path.includes(`/${place}`)) throw fileSystemError(5, 'EIO');
  });
  const { storage } = await openWriter(directory, { fs });
  await expect(storage.head()).rejects.toMatchObject({
    code: 'io_error',
    message: expect.stringContaining(place === 'external' ? 'foreign commit' : 'request'),
  });
  isBroken = false;
  await storage.head();
  await storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Ours.md': 'second', 'Theirs.md': 'text' });
});

/** Commits on top of the branch, each of which adds a page; no branch names them. */
function lineOfCommits(directory: string, pages: readonly string[]): string[] {
  let parent = git(directory, ['rev-parse', 'main']);
  return pages.map((page) => {
    const blob = git(directory, ['hash-object', '-w', '--stdin'], 'text');
    const others = git(directory, ['ls-tree', parent]);
    const tree = git(directory, ['mktree'], `${others}\n100644 blob ${blob}\t${page}\n`);
    parent = git(directory, ['commit-tree', tree, '-p', parent, '-m', `Add ${page}`]);
    return parent;
  });
}
