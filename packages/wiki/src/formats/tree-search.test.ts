import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTree, serializeTree } from './tree.ts';
import { searchForEntries } from './tree-search.ts';

const digits = (count: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: count, maxLength: count })
    .map((each) => each.join(''));
/** Some begin alike, so that what is only similar is met as well. */
const oid = fc.oneof(
  digits(40),
  digits(1).map((last) => `${'80000000'.padEnd(39, '0')}${last}`),
);
const name = fc.string({ minLength: 1, unit: fc.constantFrom('a', ' ', '.', '\xc3', '\x80', '4', '/') });
const entry = fc.record({ mode: fc.constantFrom('100644', '40000', '160000'), name, oid });
const entries = fc.array(entry, { maxLength: 40 });

test('a tree is read back as written', () => {
  fc.assert(
    fc.property(entries, (given) => {
      expect(parseTree(serializeTree(given))).toEqual({ entries: given, isWhole: true });
    }),
  );
});

test('a search finds exactly the tree entries that name one of the objects', () => {
  fc.assert(
    fc.property(entries, fc.array(oid), fc.infiniteStream(fc.boolean()), (given, others, isPicked) => {
      const picked = given.filter(() => isPicked.next().value);
      const oids = new Map([...others, ...picked.map((each) => each.oid)].map((each) => [each, null]));
      const expected = given.filter((each) => oids.has(each.oid));
      const search = searchForEntries(oids);
      expect(search(serializeTree(given))).toEqual(expected);
      const [taken] = expected;
      if (!taken) return;
      oids.delete(taken.oid);
      const left = expected.filter((each) => each.oid !== taken.oid);
      expect(search(serializeTree(given))).toEqual(left);
    }),
  );
});

test('a tree that ends within an entry is read without that entry', () => {
  const given = ['a', 'b'].map((letter) => ({
    mode: '100644',
    name: `${letter}.md`,
    oid: letter.repeat(40),
  }));
  const oids = new Map(given.map((each) => [each.oid, null]));
  const tree = serializeTree(given);
  for (let end = tree.length / 2; end < tree.length; end += 1) {
    expect(parseTree(tree.subarray(0, end))).toEqual({
      entries: given.slice(0, 1),
      isWhole: end === tree.length / 2,
    });
    expect(searchForEntries(oids)(tree.subarray(0, end))).toEqual(given.slice(0, 1));
  }
});

test('bytes that are not a tree have entries only where they look like entries', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const found = parseTree(bytes).entries;
      expect(found.every((each) => /^[0-9a-f]{40}$/.test(each.oid))).toBe(true);
      const oids = new Map(found.map((each) => [each.oid, null]));
      expect(searchForEntries(oids)(bytes)).toEqual(found);
    }),
  );
});
