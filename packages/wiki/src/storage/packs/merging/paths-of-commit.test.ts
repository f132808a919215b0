import { expect, test } from 'vitest';
import { git } from '../../../../test/native-git.ts';
import { allObjects, nativeWiki } from '../../../../test/storage/native-wiki.ts';
import type { GitObject } from '../../../formats/oid.ts';
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
