import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTree, serializeTree, type TreeEntry } from './tree.ts';
import { differentPart } from './tree-bytes.ts';

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
  // Like most versions of a folder: the same except for an item or two.
  fc
    .tuple(items, items)
    .map(([before, other]): [TreeEntry[], TreeEntry[]] => [
      before,
      before.map((item) => (item.name === 'b' ? (other[0] ?? item) : item)),
    ]),
);

test('two trees are equal outside of the part that differs, which begins and ends at whole items', () => {
  fc.assert(
    fc.property(pairs, ([oldItems, newItems]) => {
      const [before, after] = [serializeTree(oldItems), serializeTree(newItems)];
      const { from, oldEnd, newEnd } = differentPart(before, after);
      const start = entriesOf(before.subarray(0, from));
      const rest = entriesOf(before.subarray(oldEnd));
      expect(entriesOf(after.subarray(0, from))).toEqual(start);
      expect(entriesOf(after.subarray(newEnd))).toEqual(rest);
      const joined = (middle: TreeEntry[] | null) => [...(start ?? []), ...(middle ?? []), ...(rest ?? [])];
      expect(joined(entriesOf(before.subarray(from, oldEnd)))).toEqual(oldItems);
      expect(joined(entriesOf(after.subarray(from, newEnd)))).toEqual(newItems);
    }),
    { numRuns: 1_000 },
  );
});

test('only the one item that differs is left of two versions of a folder', () => {
  const before = Array.from({ length: 200 }, (_, at): TreeEntry => {
    const number = String(at).padStart(3, '0');
    return { mode: '100644', name: `page-${number}.md`, oid: number.repeat(14).slice(0, 40) };
  });
  const after = before.map((item, at) => (at === 120 ? { ...item, oid: 'f'.repeat(40) } : item));
  const [oldTree, newTree] = [serializeTree(before), serializeTree(after)];
  const { from, oldEnd, newEnd } = differentPart(oldTree, newTree);
  expect(entriesOf(oldTree.subarray(from, oldEnd))).toEqual([before[120]]);
  expect(entriesOf(newTree.subarray(from, newEnd))).toEqual([after[120]]);
  expect(differentPart(oldTree, oldTree)).toEqual({
    from: oldTree.length,
    oldEnd: oldTree.length,
    newEnd: newTree.length,
  });
});

test('a difference lists a page whose name resembles the bytes of a tree entry, and the page that it replaces', () => {
  const oid = '7'.repeat(40);
  const before = serializeTree([{ mode: '100644', name: 'x', oid }]);
  const after = serializeTree([{ mode: '100644', name: 'q 100644 x', oid }]);
  for (const [one, other] of [
    [before, after],
    [after, before],
  ] as const) {
    const { from, oldEnd, newEnd } = differentPart(one, other);
    expect(entriesOf(one.subarray(from, oldEnd))).toEqual(entriesOf(one));
    expect(entriesOf(other.subarray(from, newEnd))).toEqual(entriesOf(other));
  }
});

function entriesOf(bytes: Uint8Array): TreeEntry[] | null {
  const { entries, isWhole } = parseTree(bytes);
  return isWhole ? entries : null;
}
