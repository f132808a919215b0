import { expect, test } from 'vitest';
import { bareRepository, git } from '../../../wiki/test/native-git.ts';
import { buildCommit, parseRawCommit } from './raw-commit.ts';

const PEOPLE = 'author Ada <a@b.c> 1700000000 +0000\ncommitter Ada <a@b.c> 1700000000 +0000\n';
const STANDS = { side: 'wiki', oid: '5'.repeat(40), folder: 'Ünï cödé/文档' } as const;
const BRINGS = { tree: '7'.repeat(40), commits: ['8'.repeat(40), '9'.repeat(40)] };

test.each([
  ['a message', `${PEOPLE}\nSubject\n\nBody with\n\npagetree-remote ${'6'.repeat(40)}\n`],
  ['no message', `${PEOPLE}\n`],
  ['an encoding', `${PEOPLE}encoding latin1\n\n\xfc\n`],
])('a commit with %s and a header of ours is read again, and sound for git', (_, words) => {
  const directory = bareRepository();
  const tree = git(directory, ['mktree'], '');
  const parent = git(directory, ['commit-tree', tree, '-m', 'Parent']);
  for (const stands of [STANDS, { ...STANDS, brings: BRINGS }, null]) {
    const { bytes, ...built } = buildCommit({ tree, parents: [parent], words, stands });
    expect(git(directory, ['hash-object', '-t', 'commit', '-w', '--stdin'], bytes)).toBe(built.oid);
    expect(parseRawCommit(built.oid, bytes)).toEqual(built);
    expect(git(directory, ['log', '-1', '--format=%T %P %an', built.oid])).toBe(`${tree} ${parent} Ada`);
  }
  git(directory, ['fsck', '--strict', '--no-dangling']);
});

test('a header that names no commit counts as none', () => {
  const text = `tree ${'1'.repeat(40)}\n${PEOPLE}pagetree-wiki HEAD\n\nx\n`;
  expect(parseRawCommit('2'.repeat(40), Buffer.from(text))?.stands).toBeNull();
});

test.each(['', 'tree x\n\n', `parent ${'1'.repeat(40)}\n`])('%j is no commit', (text) => {
  expect(parseRawCommit('2'.repeat(40), Buffer.from(text))).toBeNull();
});
