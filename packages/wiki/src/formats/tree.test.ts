import * as fs from 'node:fs';
import fc from 'fast-check';
import isomorphic from 'isomorphic-git';
import { expect, test } from 'vitest';
import { bareRepository, gitBytes } from '../../test/native-git.ts';
import { decodeName, encodeName } from './names.ts';
import { objectId } from './oid.ts';
import { isTree, parseTree, serializeTree, sortKey, type TreeEntry } from './tree.ts';
import { findEntry, withEntries } from './tree-search.ts';

const modes = fc.constantFrom('100644', '100755', '120000', '160000', '40000');
const oids = fc.stringMatching(/^[0-9a-f]{40}$/);
const textNames = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((name) => !/^\.{1,2}$|[/\0]|^\.git$/i.test(name));

function itemsOf(names: fc.Arbitrary<string>): fc.Arbitrary<TreeEntry[]> {
  return fc
    .uniqueArray(fc.record({ mode: modes, name: names, oid: oids }), { selector: (item) => item.name })
    .map((items) => items.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)));
}

const byteNames = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('latin1').replace(/[\0/]/g, 'x'))
  .filter((name) => name !== '.' && name !== '..' && name !== '.git');

test('a tree of any names has the bytes that native git gives it', () => {
  const gitdir = bareRepository();
  fc.assert(
    fc.property(itemsOf(byteNames), (items) => {
      const input = items
        .map(({ mode, name, oid }) => `${mode.padStart(6, '0')} ${typeOf(mode)} ${oid}\t${name}\0`)
        .join('');
      const oid = gitBytes(gitdir, ['mktree', '-z', '--missing'], {
        input: Buffer.from(input, 'latin1'),
      });
      expect(objectId('tree', serializeTree(items))).toBe(oid.toString().trim());
    }),
    { numRuns: 40 },
  );
});

test('a tree has the bytes that isomorphic-git gives it', async () => {
  const gitdir = bareRepository();
  await fc.assert(
    fc.asyncProperty(itemsOf(textNames.map(encodeName)), async (items) => {
      const tree = items.map(({ mode, name, oid }) => ({
        mode: mode.padStart(6, '0'),
        path: decodeName(name) ?? '',
        oid,
        type: typeOf(mode),
      }));
      const oid = await isomorphic.writeTree({ fs, gitdir, tree });
      expect(objectId('tree', serializeTree(items))).toBe(oid);
    }),
    { numRuns: 40 },
  );
});

test('a serialized tree is parsed back, item by item', () => {
  fc.assert(
    fc.property(itemsOf(byteNames), (items) => {
      expect(parseTree(serializeTree(items))).toEqual({ entries: items, isWhole: true });
    }),
  );
});

test('each item is found by its name, and another name is not', () => {
  fc.assert(
    fc.property(itemsOf(byteNames), byteNames, (items, other) => {
      const tree = serializeTree(items);
      for (const item of items) expect(findEntry(tree, item.name)).toEqual(item);
      expect(findEntry(tree, other)).toEqual(items.find(({ name }) => name === other));
      expect(isTree(tree)).toBe(true);
    }),
  );
});

test('items that take the place of others change their oids alone', () => {
  const changed = itemsOf(byteNames).chain((items) => fc.tuple(fc.constant(items), fc.subarray(items), oids));
  fc.assert(
    fc.property(changed, ([items, some, oid]) => {
      const tree = serializeTree(items);
      const fresh = some.map((item) => ({ ...item, oid }));
      const after = items.map((item) => (some.includes(item) ? { ...item, oid } : item));
      expect(parseTree(withEntries(tree, fresh) ?? Buffer.from('none')).entries).toEqual(after);
      expect(parseTree(tree).entries).toEqual(items);
    }),
  );
});

test.each([
  ['is taken out', null],
  ['is new', { mode: '100644', name: 'b.md', oid: 'cd'.repeat(20) }],
  ['becomes a folder', { mode: '40000', name: 'a.md', oid: 'cd'.repeat(20) }],
])('other items may move if an item %s', (_, item) => {
  const tree = serializeTree([{ mode: '100644', name: 'a.md', oid: 'ab'.repeat(20) }]);
  expect(withEntries(tree, [item])).toBeNull();
});

test('a tree that native tools wrote in an old way comes out byte for byte', () => {
  const old = Buffer.concat([
    Buffer.from('100664 group-writable\0'),
    Buffer.alloc(20, 1),
    Buffer.from('040000 padded\0'),
    Buffer.alloc(20, 2),
  ]);
  expect(serializeTree(parseTree(old).entries)).toEqual(old);
});

test('a cut tree is refused, at any length', () => {
  const tree = serializeTree([{ mode: '100644', name: 'a.md', oid: 'ab'.repeat(20) }]);
  for (let length = 1; length < tree.length; length++) {
    expect(parseTree(tree.subarray(0, length))).toEqual({ entries: [], isWhole: false });
    expect(isTree(tree.subarray(0, length))).toBe(false);
  }
});

test('a name that is not UTF-8 has no text, and keeps its bytes', () => {
  expect(decodeName('\xff\xfe')).toBeNull();
  expect(decodeName(encodeName('Ünï/x'))).toBeNull();
  fc.assert(fc.property(textNames, (name) => decodeName(encodeName(name)) === name));
});

function typeOf(mode: string): 'tree' | 'commit' | 'blob' {
  if (mode === '40000') return 'tree';
  return mode === '160000' ? 'commit' : 'blob';
}
