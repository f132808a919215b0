import { expect, test } from 'vitest';
import { git } from '../../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../../test/storage/native-wiki.ts';
import type { GitObject, Oid } from '../../../formats/oid.ts';
import { pathsOfCommit } from './paths-of-commit.ts';

test('every known folder and file of a commit has the path that native git gives it', () => {
  const directory = nativeWiki(30);
  const commit = git(directory, ['rev-parse', 'main']);
  const objects = new Map(allObjects(directory).map(({ oid, ...object }) => [oid, object as GitObject]));
  const listed = git(directory, ['ls-tree', '-rtz', '--format=%(objectname) /%(path)', 'main']).split('\0');
  const lines = listed.filter((line) => objects.has(line.slice(0, 40)));
  const paths = pathsOfCommit(commit, (oid) => objects.get(oid));
  const root = git(directory, ['rev-parse', 'main^{tree}']);
  for (const [oid, path] of paths) {
    if (oid === root) expect(path).toBe('');
    else expect(lines).toContain(`${oid} ${Buffer.from(path, 'latin1').toString()}`);
  }
  expect(paths.size).toBe(new Set(lines.map((line) => line.slice(0, 40))).size + 1);
  const withoutRoot = pathsOfCommit(commit, (oid) => (oid === root ? undefined : objects.get(oid)));
  expect([...withoutRoot]).toEqual([]);
});

test('a page whose text looks like a folder gives no path to what it seems to hold', () => {
  const hidden = '5'.repeat(40);
  const looksLikeFolder = Buffer.concat([Buffer.from('100644 a.md\0'), Buffer.from(hidden, 'hex')]);
  const [commit, root, page] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [Oid, Oid, Oid];
  const entry = Buffer.concat([Buffer.from('100644 page.md\0'), Buffer.from(page, 'hex')]);
  const objects = new Map<Oid, GitObject>([
    [commit, { type: 'commit', content: Buffer.from(`tree ${root}\n\nm\n`) }],
    [root, { type: 'tree', content: entry }],
    [page, { type: 'blob', content: looksLikeFolder }],
    [hidden, { type: 'blob', content: Buffer.from('x') }],
  ]);
  const paths = pathsOfCommit(commit, (oid) => objects.get(oid));
  expect([...paths]).toEqual([
    [root, ''],
    [page, '/page.md'],
  ]);
  expect([...pathsOfCommit(hidden, (oid) => objects.get(oid))]).toEqual([]);
  expect([...pathsOfCommit('9'.repeat(40), (oid) => objects.get(oid))]).toEqual([]);
});
