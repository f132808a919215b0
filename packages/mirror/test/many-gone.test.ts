import fs from 'node:fs';
import { expect, test } from 'vitest';
import { git } from '../../wiki/test/native-git.ts';
import { BothSides } from './both-sides.ts';

const COUNT = 40;

async function withManyFiles(): Promise<BothSides> {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  for (let number = 0; number < COUNT; number += 1) sides.write(`notes/${number}.md`, `${number}\n`);
  await sides.settle();
  return sides;
}

test('a folder that is removed slowly deletes nothing in the wiki', async () => {
  const sides = await withManyFiles();
  for (let number = 0; number < COUNT; number += 1) {
    fs.unlinkSync(sides.place(`notes/${number}.md`));
    if (number % 10 === 9) await sides.pass();
  }
  await sides.pass();
  fs.rmSync(sides.folder, { recursive: true });
  await expect(sides.pass()).rejects.toThrow(/Nothing was deleted in the wiki/);
  expect((await sides.inWiki()).size).toBe(COUNT + 1);
});

test('many files that stay gone are deleted in the wiki, with a message to the person', async () => {
  const sides = await withManyFiles();
  fs.rmSync(sides.place('notes'), { recursive: true });
  await sides.settle();
  expect((await sides.inWiki()).size).toBe(1);
  expect(git(sides.repository, ['log', '-1', '--format=%s'])).toMatch(/^Delete 40 files: /);
  expect(sides.said).toEqual([expect.stringMatching(/^40 files are gone from the folder, and were deleted/)]);
});

test('a folder with many files that is renamed is one commit', async () => {
  const sides = await withManyFiles();
  const before = git(sides.repository, ['rev-list', '--count', 'main']);
  fs.renameSync(sides.place('notes'), sides.place('ideas'));
  await sides.settle();
  expect(sides.files()).toEqual(await sides.inWiki());
  expect(Number(git(sides.repository, ['rev-list', '--count', 'main']))).toBe(Number(before) + 1);
  expect(sides.said).toEqual([]);
});

test('a file that the system moved to iCloud is not deleted in the wiki', async () => {
  const sides = await BothSides.open({ 'a/Tea.md': 'tea\n' });
  await sides.settle();
  fs.renameSync(sides.place('a/Tea.md'), sides.place('a/.Tea.md.icloud'));
  await sides.settle();
  expect((await sides.inWiki()).get('a/Tea.md')).toBe('tea\n');
  expect(sides.said).toEqual(['Not kept in step: "a/Tea.md" (it is in iCloud only).']);
});

test('a save right before the clock is put back is committed without a wait for the old time', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  sides.write('Tea.md', 'mine\n');
  await sides.pass();
  sides.wait(-3_600_000);
  await sides.pass();
  await sides.pass();
  expect((await sides.inWiki()).get('Tea.md')).toBe('mine\n');
});

test('many that are gone wait also if the wiki has refused as many others', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  for (let number = 0; number < 30; number += 1) sides.write(`in/${number}.md`, `${number}\n`);
  for (let number = 0; number < 30; number += 1) sides.write(`con/${number}.md`, `con ${number}\n`);
  await sides.settle();
  sides.wait(10_000);
  await sides.pass();
  fs.rmSync(sides.place('in'), { recursive: true });
  for (let passes = 0; passes < 4; passes += 1) await sides.pass();
  expect((await sides.inWiki()).size).toBe(31);
  await sides.settle();
  expect((await sides.inWiki()).size).toBe(1);
});

test('a folder that is renamed to a name that the wiki refuses stays in the wiki until it has another one', async () => {
  const sides = await BothSides.open({
    'notes/Tea.md': 'tea\n',
    'notes/Milk.md': 'milk\n',
    'notes/x.md': 'x\n',
  });
  await sides.settle();
  const before = await sides.inWiki();
  const count = Number(git(sides.repository, ['rev-list', '--count', 'main']));
  fs.renameSync(sides.place('notes'), sides.place('con'));
  fs.unlinkSync(sides.place('con/x.md'));
  await sides.settle();
  expect(await sides.inWiki()).toEqual(new Map([...before].filter(([path]) => path !== 'notes/x.md')));
  expect(sides.said).toEqual([
    expect.stringMatching(
      /^Not kept in step: ("con\/(\w+)\.md" \([^()]+; the wiki keeps it as "notes\/\2\.md"\)(, |\.$)){2}/,
    ),
  ]);
  sides.stop();
  await sides.settle();
  expect((await sides.inWiki()).size).toBe(2);
  fs.renameSync(sides.place('con'), sides.place('ideas'));
  await sides.settle();
  expect([...(await sides.inWiki()).keys()]).toEqual(['ideas/Milk.md', 'ideas/Tea.md']);
  expect(Number(git(sides.repository, ['rev-list', '--count', 'main']))).toBe(count + 2);
});

test('each file with a refused name keeps one file of its content in the wiki', async () => {
  const sides = await BothSides.open({ 'a.md': 'same\n', 'b.md': 'same\n' });
  await sides.settle();
  sides.write('con.md', 'same\n');
  for (const name of ['a.md', 'b.md']) fs.unlinkSync(sides.place(name));
  await sides.settle();
  expect((await sides.inWiki()).size).toBe(1);
  fs.unlinkSync(sides.place('con.md'));
  await sides.settle();
  expect((await sides.inWiki()).size).toBe(0);
});

test('a page that is moved to where only others may write stays in the wiki', async () => {
  const sides = await BothSides.open({ 'mine/Tea.md': 'tea\n', 'theirs/Milk.md': 'milk\n' });
  sides.scope = { read: ['mine/', 'theirs/'], write: ['mine/'] };
  await sides.settle();
  fs.renameSync(sides.place('mine/Tea.md'), sides.place('theirs/Tea.md'));
  await sides.settle();
  expect([...(await sides.inWiki()).keys()]).toEqual(['mine/Tea.md', 'theirs/Milk.md']);
  expect(sides.said.join()).toContain('"theirs/Tea.md" (it may not be changed from here');
});
