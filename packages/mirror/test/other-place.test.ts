import fs from 'node:fs';
import { expect, test } from 'vitest';
import { git } from '../../wiki/test/native-git.ts';
import { nodeDisk } from '../src/folder/disk.ts';
import { BothSides } from './both-sides.ts';

const FILES = { 'Tea.md': 'tea\n', 'Coffee.md': 'coffee\n', 'leaf.bin': Buffer.from([0, 255]) };

test('a part of a mirror that was copied to another place deletes nothing in the wiki', async () => {
  const sides = await BothSides.open(FILES);
  await sides.settle();
  sides.stop();
  const original = `${sides.folder}-original`;
  fs.renameSync(sides.folder, original);
  fs.cpSync(`${original}/.pagetree`, sides.place('.pagetree'), { recursive: true });
  fs.cpSync(`${original}/Tea.md`, sides.place('Tea.md'));
  await sides.settle();
  expect(git(sides.repository, ['ls-tree', '-r', '--name-only', 'main']).trim().split('\n')).toHaveLength(3);
  expect(sides.read('Coffee.md')?.toString()).toBe('coffee\n');
  expect(sides.said.join()).toContain('copy of a mirror');
});

test('a mirror that was moved goes on', async () => {
  const sides = await BothSides.open(FILES);
  await sides.settle();
  sides.stop();
  fs.rmSync(sides.place('Tea.md'));
  fs.renameSync(sides.folder, `${sides.folder}-moved`);
  fs.renameSync(`${sides.folder}-moved`, sides.folder);
  await sides.settle();
  expect(git(sides.repository, ['ls-tree', '-r', '--name-only', 'main'])).not.toContain('Tea.md');
});

test.each([{}, { 'Secret.md': 'secret\n' }])(
  'another wiki, with %j, is not mixed with that of the folder',
  async (files) => {
    const [sides, other] = [await BothSides.open(FILES), await BothSides.open(files)];
    await sides.settle();
    for (const _ of ['at first', 'again']) {
      await expect(sides.pass({ wiki: other.wiki })).rejects.toThrow(/does not have the commit/);
    }
    expect(sides.read('Secret.md')).toBe(null);
    expect(sides.read('Tea.md')?.toString()).toBe('tea\n');
    sides.stop();
    await sides.settle();
    const commits = git(other.repository, ['rev-list', '--all', '--count']).trim();
    expect(commits).toBe(String(Object.keys(files).length));
  },
);

test('a disk that gives names back in small letters is refused, and renames no page', async () => {
  const sides = await BothSides.open(FILES);
  const readdirSync = ((...args: [string]) =>
    fs.readdirSync(...args).map((name) => name.toLowerCase())) as typeof fs.readdirSync;
  await expect(sides.pass({ disk: { ...nodeDisk, readdirSync } })).rejects.toThrow(/changes capital letters/);
  expect(git(sides.repository, ['ls-tree', '-r', '--name-only', 'main'])).toContain('Tea.md');
});
