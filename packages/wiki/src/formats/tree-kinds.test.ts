import { expect, test } from 'vitest';
import { bareRepository, git, gitBytes } from '../../test/native-git.ts';
import { FOLDER_MODE, fileMode, kindOf, parseTree, SUBMODULE_MODE, serializeTree, sortKey } from './tree.ts';
import { findEntry, withEntries } from './tree-search.ts';

const [ONE, TWO] = ['1'.repeat(40), '2'.repeat(40)];
const entry = (mode: string, name: string, oid = ONE) => ({ mode, name, oid });

test('the kinds of entries are those of git, modes of old repositories included', () => {
  for (const [mode, kind] of [
    ['100644', 'file'],
    ['100755', 'file'],
    ['100664', 'file'],
    [FOLDER_MODE, 'folder'],
    ['040000', 'folder'],
    ['120000', 'symlink'],
    [SUBMODULE_MODE, 'submodule'],
    ['0', 'file'],
  ] as const) {
    expect(kindOf(entry(mode, 'x')), mode).toBe(kind);
  }
  const modes = ['100644', '100755', '100664', '100775', '100600'].map((mode) => fileMode(entry(mode, 'x')));
  expect(modes).toEqual(['100644', '100755', '100644', '100755', '100644']);
});

test('entries in the order of their keys are those that git writes, whatever the names', () => {
  const directory = bareRepository();
  const names = ['a', 'a.md', 'a-b', 'a0', 'b', '\xc3\x96', 'a b', 'A'];
  const folder = git(directory, ['mktree', '--missing'], `100644 blob ${ONE}\tx\n`);
  for (const isFolder of [(at: number) => at % 2 === 0, (at: number) => at % 2 === 1]) {
    const entries = names.map((name, at) =>
      isFolder(at)
        ? entry(FOLDER_MODE, name, folder)
        : entry(['100644', '120000', '160000'][at % 3] ?? '', name),
    );
    const lines = entries.map((each) => {
      const type = { folder: 'tree', submodule: 'commit', file: 'blob', symlink: 'blob' }[kindOf(each)];
      return `${each.mode.padStart(6, '0')} ${type} ${each.oid}\t${each.name}\0`;
    });
    const input = Buffer.from(lines.join(''), 'latin1');
    const tree = gitBytes(directory, ['mktree', '-z', '--missing'], { input }).toString().trim();
    const sorted = entries.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    expect(parseTree(gitBytes(directory, ['cat-file', 'tree', tree])).entries).toEqual(sorted);
  }
});

test('an entry is found by its whole name, and replaced only where it stays in its place', () => {
  const entries = [
    entry('100644', 'a'),
    entry('100644', 'ab', TWO),
    entry(FOLDER_MODE, 'b'),
    entry('100644', 'ca'),
  ];
  const tree = serializeTree(entries);
  for (const each of entries) expect(findEntry(tree, each.name)).toEqual(each);
  for (const name of ['', 'c', 'abc', 'aa', 'A', 'bb']) expect(findEntry(tree, name), name).toBeUndefined();
  // A tree that is cut within an entry.
  expect(findEntry(tree.subarray(0, -1), 'ca')).toBeUndefined();
  expect(findEntry(tree.subarray(0, -21), 'ca')).toBeUndefined();
  expect(findEntry(tree.subarray(0, -1), 'b')).toEqual(entries[2]);
  const changed = withEntries(tree, [entry('100644', 'ab', ONE), entry(FOLDER_MODE, 'b', TWO)]);
  expect(parseTree(changed ?? new Uint8Array()).entries).toEqual([
    entry('100644', 'a'),
    entry('100644', 'ab', ONE),
    entry(FOLDER_MODE, 'b', TWO),
    entry('100644', 'ca'),
  ]);
  expect(parseTree(tree).entries).toEqual(entries);
  for (const change of [null, entry('100644', 'new'), entry('100755', 'a'), entry('100644', 'b')])
    expect(withEntries(tree, [entry('100644', 'a', TWO), change])).toBeNull();
});
