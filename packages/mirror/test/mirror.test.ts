import fs from 'node:fs';
import { expect, test } from 'vitest';
import { git } from '../../wiki/test/native-git.ts';
import { BothSides } from './both-sides.ts';

const LATIN = Buffer.from([0x54, 0xe9, 0x0d, 0x0a]);
const BOM = Buffer.from('\ufeffText without an end');

test('an empty folder is filled, byte by byte, and what is saved there becomes one commit of the person', async () => {
  const sides = await BothSides.open({ 'a/Tea.md': LATIN, 'b.png': Buffer.from([0, 1, 2]), 'Bom.md': BOM });
  await sides.settle();
  expect(sides.files()).toEqual(await sides.inWiki());
  sides.write('a/Tea.md', 'one\r\ntwo');
  sides.write('New.md', BOM);
  sides.write('LICENSE', 'free');
  fs.unlinkSync(sides.place('b.png'));
  await sides.settle();
  expect(sides.files()).toEqual(await sides.inWiki());
  expect(sides.files().size).toBe(4);
  expect(git(sides.repository, ['rev-list', '--count', 'main'])).toBe('4');
  expect(git(sides.repository, ['log', '-1', '--format=%an %ae'])).toBe('Ada ada@example.org');
  expect(git(sides.repository, ['log', '-1', '--format=%B'])).not.toContain('Agent:');
  expect(sides.said).toEqual([]);
});

test('a rename is one commit, also of the case alone', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  fs.renameSync(sides.place('Tea.md'), sides.place('tea.md'));
  await sides.settle();
  expect([...(await sides.inWiki()).keys()]).toEqual(['tea.md']);
  expect(git(sides.repository, ['log', '-1', '--format=%s'])).toBe('Rename Tea to tea');
  await sides.agentMoves('tea.md', 'TEA.md', Buffer.from('tea\n'));
  await sides.settle();
  expect([...sides.files().keys()]).toEqual(['TEA.md']);
});

test('a file waits until it has been the same for a moment', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  for (const size of [10, 20, 30]) {
    sides.write('Tea.md', 'x'.repeat(size));
    expect((await sides.pass()).nextInMs).toBeGreaterThan(0);
  }
  expect(git(sides.repository, ['rev-list', '--count', 'main'])).toBe('1');
  await sides.settle();
  expect((await sides.inWiki()).get('Tea.md')).toBe('x'.repeat(30));
});

test('changes of different lines are merged, and the others keep both texts', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'a\nb\nc\nd\n', 'Milk.md': 'milk\n', 'x.bin': 'a\0' });
  await sides.settle();
  sides.write('Tea.md', 'mine\nb\nc\nd\n');
  sides.write('Milk.md', 'my milk\n');
  sides.write('x.bin', 'mine\0');
  await sides.agentWrites('Tea.md', 'a\nb\nc\ntheirs\n');
  await sides.agentWrites('Milk.md', 'their milk\n');
  await sides.agentWrites('x.bin', 'theirs\0');
  await sides.settle();
  const files = sides.files();
  expect(files).toEqual(await sides.inWiki());
  expect(files.get('Tea.md')).toBe('mine\nb\nc\ntheirs\n');
  expect(files.get('Milk.md')).toBe('their milk\n');
  const copies = [...files].filter(([path]) => path.includes('(conflict '));
  expect(copies.map(([path]) => path.replace(/\d{4}-\d\d-\d\d \d\d\.\d\d/, 'TIME'))).toEqual([
    'Milk (conflict TIME Ada).md',
    'x (conflict TIME Ada).bin',
  ]);
  expect(copies.map(([, text]) => text)).toEqual(['my milk\n', 'mine\0']);
  expect(sides.said).toEqual([
    expect.stringMatching(/^"Milk\.md" changed here and in the wiki.*in "Milk \(conflict .* Ada\)\.md"\.$/),
    expect.stringMatching(/^"x\.bin" changed here and in the wiki/),
  ]);
});

test('a change outlives a deletion on the other side', async () => {
  const sides = await BothSides.open({ 'Mine.md': 'a\n', 'Theirs.md': 'b\n' });
  await sides.settle();
  sides.write('Mine.md', 'changed\n');
  fs.unlinkSync(sides.place('Theirs.md'));
  await sides.agentDeletes('Mine.md');
  await sides.agentWrites('Theirs.md', 'changed too\n');
  await sides.settle();
  expect(sides.files()).toEqual(
    new Map([
      ['Mine.md', 'changed\n'],
      ['Theirs.md', 'changed too\n'],
    ]),
  );
  expect(sides.files()).toEqual(await sides.inWiki());
  expect(sides.said).toHaveLength(2);
});

test('a folder with files and a wiki join: what differs is kept twice', async () => {
  const sides = await BothSides.open({ 'Same.md': 'same\n', 'Wiki.md': 'w\n', 'Both.md': 'theirs\n' });
  for (const [path, text] of [
    ['Same.md', 'same\n'],
    ['Mine.md', 'm\n'],
    ['Both.md', 'mine\n'],
  ] as const) {
    sides.write(path, text);
  }
  await sides.settle();
  const files = sides.files();
  expect(files).toEqual(await sides.inWiki());
  expect(files.size).toBe(5);
  expect(files.get('Both.md')).toBe('theirs\n');
  expect([...files.values()]).toContain('mine\n');
});

test('a folder that went away deletes nothing', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  fs.renameSync(sides.folder, `${sides.folder}-away`);
  await expect(sides.pass()).rejects.toThrow(/is not there any more/);
  fs.mkdirSync(sides.folder);
  await expect(sides.pass()).rejects.toThrow(/is not there any more/);
  fs.rmdirSync(sides.folder);
  fs.renameSync(`${sides.folder}-away`, sides.folder);
  await sides.settle();
  expect((await sides.inWiki()).size).toBe(1);
});

test('links are never followed, neither in nor out', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  const outside = `${sides.folder}-outside`;
  fs.mkdirSync(outside);
  fs.writeFileSync(`${outside}/Secret.md`, 'secret\n');
  fs.symlinkSync(outside, sides.place('out'));
  fs.symlinkSync(`${outside}/Secret.md`, sides.place('Link.md'));
  await sides.agentWrites('out/New.md', 'through\n');
  await sides.agentWrites('Link.md', 'through\n');
  await sides.settle();
  expect(fs.readdirSync(outside)).toEqual(['Secret.md']);
  expect(fs.readFileSync(`${outside}/Secret.md`, 'utf8')).toBe('secret\n');
  expect((await sides.inWiki()).get('Link.md')).toBe('through\n');
  expect(sides.said.join('\n')).toMatch(/Not kept in step: .*"Link\.md" \(it is a link/);
});

test('an agreed file that a link replaced is not taken for a deleted one', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n', 'a/B.md': 'b\n' });
  await sides.settle();
  fs.unlinkSync(sides.place('Tea.md'));
  fs.symlinkSync('/etc/hostname', sides.place('Tea.md'));
  fs.renameSync(sides.place('a'), sides.place('.a'));
  fs.symlinkSync('.a', sides.place('a'));
  await sides.settle();
  expect([...(await sides.inWiki()).keys()]).toEqual(['Tea.md', 'a/B.md']);
});

test('a name that differs only in case stays here, and is reported once', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  sides.write('TEA.md', 'other\n');
  sides.write('con.md', 'device\n');
  sides.write('Fine.md', 'fine\n');
  await sides.settle();
  await sides.settle();
  expect([...(await sides.inWiki()).keys()]).toEqual(['Fine.md', 'Tea.md']);
  expect(sides.read('TEA.md')?.toString()).toBe('other\n');
  expect(sides.said).toHaveLength(1);
  fs.unlinkSync(sides.place('Tea.md'));
  await sides.settle();
  sides.wait(60_000);
  await sides.settle();
  expect([...(await sides.inWiki()).keys()]).toEqual(['Fine.md', 'TEA.md']);
});

test('under a scope only its folders are here, and only those that may be changed go back', async () => {
  const sides = await BothSides.open({ 'in/A.md': 'a\n', 'also/B.md': 'b\n', 'Out.md': 'x\n' });
  sides.scope = { read: ['in/', 'also/'], write: ['in/'] };
  await sides.settle();
  expect([...sides.files().keys()].sort()).toEqual(['also/B.md', 'in/A.md']);
  for (const path of ['in/A.md', 'also/B.md', 'Out.md', 'in/New.md']) sides.write(path, 'mine\n');
  await sides.settle();
  const wiki = await sides.inWiki();
  expect(wiki.get('in/A.md')).toBe('mine\n');
  expect(wiki.get('in/New.md')).toBe('mine\n');
  expect(wiki.get('also/B.md')).toBe('b\n');
  expect(wiki.get('Out.md')).toBe('x\n');
  sides.stop();
  sides.scope = undefined;
  await expect(sides.pass()).rejects.toThrow(/was made with/);
});

test('a wiki that was put back to an older state deletes nothing here', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  sides.write('Mine.md', 'mine\n');
  await sides.settle();
  sides.stop();
  const other = await BothSides.open({ 'Other.md': 'other\n' });
  fs.cpSync(sides.folder, other.folder, { recursive: true });
  await other.settle();
  expect([...(await other.inWiki()).keys()]).toEqual(['Mine.md', 'Other.md', 'Tea.md']);
  expect(other.files()).toEqual(await other.inWiki());
});

test('git in the folder leaves the state of the mirror alone', async () => {
  const sides = await BothSides.open({ 'Tea.md': 'tea\n' });
  await sides.settle();
  git(sides.folder, ['init', '--quiet']);
  git(sides.folder, ['add', '--all']);
  expect(git(sides.folder, ['ls-files'])).toBe('Tea.md');
});
