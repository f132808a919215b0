import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git, temporaryDirectory } from '../../../test/native-git.ts';
import { interceptedFileSystem } from '../../../test/storage/file-systems/intercepted-file-system.ts';
import { newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

it('a repair names a lost commit that the branch named, and moves the branch when git releases its lock', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('Page.md', 'text');
  await writer.storage.close();
  const head = git(directory, ['rev-parse', 'main']);
  const lost = '1'.repeat(40);
  writeFileSync(join(directory, 'refs/heads/main'), `${lost}\n`);
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  let attempts = 0;
  const fs = interceptedFileSystem(nodeFileSystem, async (call, perform) => {
    if (call.path === lock && call.name === 'link') {
      attempts += 1;
      if (attempts === 2) rmSync(lock);
    }
    return perform();
  });
  const { storage } = await openWriter(directory, { fs });
  const report = await storage.repair();
  expect(report).toEqual({ ...NOTHING, commit: null, parent: head, lostCommits: [lost] });
  expect(git(directory, ['rev-parse', 'main'])).toBe(head);
  expect((await storage.check()).problems).toEqual([]);
});

it('a repair names a pushed commit with a lost ancestor', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('Page.md', 'text');
  await writer.storage.close();
  const head = git(directory, ['rev-parse', 'main']);
  const packsBefore = readdirSync(join(directory, 'objects/pack'));
  const clone = join(temporaryDirectory(), 'clone');
  git('/', ['clone', '--quiet', directory, clone]);
  const push = () => {
    git(clone, ['commit', '--quiet', '--allow-empty', '--message=Push']);
    git(clone, ['push', '--quiet', 'origin', 'main']);
  };
  push();
  const first = readdirSync(join(directory, 'objects/pack')).filter((file) => !packsBefore.includes(file));
  push();
  for (const file of first) rmSync(join(directory, 'objects/pack', file));
  const pushed = git(clone, ['rev-parse', 'main']);
  const { storage, put } = await openWriter(directory);
  expect(await storage.repair()).toEqual({ ...NOTHING, commit: null, parent: head, lostCommits: [pushed] });
  expect(await put('After.md', 'after')).toMatchObject({ kind: 'committed', parent: head });
});

it('a repair names a merge whose other side is lost', async () => {
  const directory = await newWiki();
  const writer = await openWriter(directory);
  await writer.put('Page.md', 'text');
  await writer.storage.close();
  const head = git(directory, ['rev-parse', 'main']);
  const committing = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit-tree', 'main^{tree}'];
  const other = git(directory, [...committing, '-m', 'Other side']);
  const merge = git(directory, [...committing, '-p', head, '-p', other, '-m', 'Merge']);
  git(directory, ['update-ref', 'refs/heads/main', merge]);
  rmSync(join(directory, 'objects', other.slice(0, 2), other.slice(2)));
  const { storage, put } = await openWriter(directory);
  await expect(storage.head()).rejects.toMatchObject({ code: 'ref_conflict', data: { ref: merge } });
  expect(await storage.repair()).toEqual({ ...NOTHING, commit: null, parent: head, lostCommits: [merge] });
  expect((await storage.check()).problems).toEqual([]);
  expect(await put('After.md', 'after')).toMatchObject({ kind: 'committed', parent: head });
});

const NOTHING = { lost: [], lostCommits: [], packsReplaced: 0, orderRestored: false };
