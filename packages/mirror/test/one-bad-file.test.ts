import fs from 'node:fs';
import { join } from 'node:path';
import type { Wiki } from '@pagetree/wiki/contract';
import { expect, test } from 'vitest';
import { git } from '../../wiki/test/native-git.ts';
import { nodeDisk } from '../src/folder/disk.ts';
import { BothSides } from './both-sides.ts';

/** A commit of native git, as a push makes it. */
function push(sides: BothSides, files: Record<string, Buffer | string>): void {
  const clone = join(sides.folder, '..', 'clone');
  git(join(sides.folder, '..'), ['clone', '--quiet', sides.repository, clone]);
  for (const [path, content] of Object.entries(files)) fs.writeFileSync(join(clone, path), content);
  git(clone, ['add', '--all']);
  git(clone, ['-c', 'user.name=Pia', '-c', 'user.email=pia@example.org', 'commit', '--quiet', '-m', 'Push']);
  git(clone, ['push', '--quiet', 'origin', 'HEAD:main']);
  fs.rmSync(clone, { recursive: true });
}

test('a file of the wiki that is too large to be read holds up no other one', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n', 'Both.bin': 'a' });
  await sides.settle();
  const large = Buffer.alloc(50_000_001);
  push(sides, { 'Both.bin': large, 'Film.mp4': large, 'New.md': 'new\n' });
  sides.write('Mine.md', 'mine\n');
  sides.write('Both.bin', 'mine');
  await sides.settle();
  expect([...sides.files().keys()].sort()).toEqual(['Both.bin', 'Mine.md', 'New.md', 'Tea.md']);
  expect(sides.files().get('Both.bin')).toBe('mine');
  expect((await sides.agentReads('Mine.md'))?.toString()).toBe('mine\n');
  expect(sides.said).toEqual([expect.stringMatching(/^Not kept in step: .*"Film\.mp4".*more bytes/)]);
});

test('a name that the wiki has in two Unicode forms is the composed one, and holds up no other file', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  push(sides, { 'Cafe\u0301.md': 'decomposed\n', 'Caf\u00e9.md': 'composed\n' });
  await sides.settle();
  expect([...sides.files()]).toContainEqual(['Caf\u00e9.md', 'composed\n']);
  sides.write('Caf\u00e9.md', 'mine\n');
  sides.write('Mine.md', 'mine\n');
  await sides.settle();
  expect((await sides.agentReads('Caf\u00e9.md'))?.toString()).toBe('mine\n');
  expect((await sides.agentReads('Cafe\u0301.md'))?.toString()).toBe('decomposed\n');
  expect((await sides.agentReads('Mine.md'))?.toString()).toBe('mine\n');
});

test('a conflict in a folder that may not be written holds up no other file', async () => {
  const sides = await BothSides.open({ 'closed/Tea.md': 'tea\n', 'Milk.md': 'milk\n' });
  await sides.settle();
  sides.write('closed/Tea.md', 'mine\n');
  sides.write('Milk.md', 'my milk\n');
  await sides.agentWrites('closed/Tea.md', 'theirs\n');
  const closed = (path: unknown) => {
    if (String(path).startsWith(sides.place('closed/')))
      throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
  };
  const linkSync: typeof fs.linkSync = (from, to) => {
    closed(to);
    fs.linkSync(from, to);
  };
  await sides.pass({ disk: { ...nodeDisk, linkSync } });
  await sides.settle();
  expect((await sides.agentReads('Milk.md'))?.toString()).toBe('my milk\n');
  expect(sides.read('closed/Tea.md')?.toString()).toBe('mine\n');
  expect(sides.said).toEqual([
    expect.stringMatching(/^Not kept in step: "closed\/Tea\.md" \(.*could not be made: .*EACCES/),
  ]);
});

test('a conflict in a file that another program keeps from being replaced leaves no pile of copies', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  sides.write('Tea.md', 'mine\n');
  await sides.agentWrites('Tea.md', 'theirs\n');
  const renameSync: typeof fs.renameSync = (from, to) => {
    if (to === sides.place('Tea.md')) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
    fs.renameSync(from, to);
  };
  await sides.pass({ disk: { ...nodeDisk, renameSync } });
  await sides.settle();
  await sides.settle();
  expect([...sides.files()]).toEqual([['Tea.md', 'mine\n']]);
  expect(sides.said).toEqual([expect.stringMatching(/^Not kept in step: "Tea\.md" \(.*EBUSY/)]);
  sides.stop();
  await sides.settle();
  expect([...sides.files().values()]).toEqual(['mine\n', 'theirs\n']);
});

test('a conflict that the wiki reports again and again holds up no other file, and is reported once', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  sides.write('Tea.md', 'mine\n');
  sides.write('Milk.md', 'milk\n');
  let commits = 0;
  const wiki: Wiki = {
    ...sides.wiki,
    commit_files: (input, call) => {
      commits += 1;
      const files = input.files.map((file) =>
        file.path === 'Tea.md' ? { ...file, version: 'a'.repeat(40) } : file,
      );
      return sides.wiki.commit_files({ ...input, files }, call);
    },
  };
  await sides.pass({ wiki });
  for (let passes = 0; passes < 60; passes += 1) await sides.pass();
  expect([...(await sides.inWiki())]).toEqual([
    ['Milk.md', 'milk\n'],
    ['Tea.md', 'tea\n'],
  ]);
  expect(sides.said).toEqual([expect.stringMatching(/^Not kept in step: "Tea\.md" \(.*another version/)]);
  expect(commits).toBeLessThan(10);
  sides.stop();
  await sides.settle();
  expect((await sides.inWiki()).get('Tea.md')).toBe('mine\n');
});

test.each(['here', 'in the wiki'])(
  'a name that another one was in the way of is taken once that is deleted %s',
  async (place) => {
    const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
    await sides.settle();
    sides.write('tea.md', 'mine\n');
    await sides.settle();
    expect(await sides.agentReads('tea.md')).toBe(null);
    if (place === 'here') fs.rmSync(sides.place('Tea.md'));
    else await sides.agentDeletes('Tea.md');
    await sides.settle();
    expect((await sides.agentReads('tea.md'))?.toString()).toBe('mine\n');
  },
);
