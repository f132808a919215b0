import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differentPart } from './tree-bytes.ts';
import { parseTree, serializeTree, type TreeItem } from './tree-format.ts';

/** Oids that may look like items, and names that begin alike. */
const items = fc
  .uniqueArray(
    fc.record({
      mode: fc.constantFrom('100644', '40000'),
      name: fc.constantFrom('a', 'aa', 'ab', 'b', 'b-c', 'c', 'd'),
      oid: fc
        .array(fc.constantFrom('00', '20', '31', '61', '62'), { minLength: 20, maxLength: 20 })
        .map((bytes) => bytes.join('')),
    }),
    { selector: ({ name }) => name },
  )
  .map((found) => found.sort((a, b) => (a.name < b.name ? -1 : 1)));
const pairs = fc.oneof(
  fc.tuple(items, items),
  // What most versions of a folder are: the same but for an item or two.
  fc
    .tuple(items, items)
    .map(([before, other]): [TreeItem[], TreeItem[]] => [
      before,
      before.map((item) => (item.name === 'b' ? (other[0] ?? item) : item)),
    ]),
);

test('outside of the different part two trees are the same items, and none is cut in two', () => {
  fc.assert(
    fc.property(pairs, ([oldItems, newItems]) => {
      const [before, after] = [serializeTree(oldItems), serializeTree(newItems)];
      const { from, oldEnd, newEnd } = differentPart(before, after);
      const start = parseTree(before.subarray(0, from));
      const rest = parseTree(before.subarray(oldEnd));
      expect(parseTree(after.subarray(0, from))).toEqual(start);
      expect(parseTree(after.subarray(newEnd))).toEqual(rest);
      const joined = (middle: TreeItem[] | null) => [...(start ?? []), ...(middle ?? []), ...(rest ?? [])];
      expect(joined(parseTree(before.subarray(from, oldEnd)))).toEqual(oldItems);
      expect(joined(parseTree(after.subarray(from, newEnd)))).toEqual(newItems);
    }),
    { numRuns: 1_000 },
  );
});

test('of two versions of a folder that differ in one item only that item is left', () => {
  const before = Array.from({ length: 200 }, (_, at): TreeItem => {
    const number = String(at).padStart(3, '0');
    return { mode: '100644', name: `page-${number}.md`, oid: number.repeat(14).slice(0, 40) };
  });
  const after = before.map((item, at) => (at === 120 ? { ...item, oid: 'f'.repeat(40) } : item));
  const [oldTree, newTree] = [serializeTree(before), serializeTree(after)];
  const { from, oldEnd, newEnd } = differentPart(oldTree, newTree);
  expect(parseTree(oldTree.subarray(from, oldEnd))).toEqual([before[120]]);
  expect(parseTree(newTree.subarray(from, newEnd))).toEqual([after[120]]);
  expect(differentPart(oldTree, oldTree)).toEqual({
    from: oldTree.length,
    oldEnd: oldTree.length,
    newEnd: newTree.length,
  });
});
