import { expect, test } from 'vitest';
import { sampled } from '../../../../../labs/sample.ts';
import { ObjectHeap } from '../../../test/git-input/bundles.ts';
import { toWikiError } from '../../contract/errors.ts';
import { type GitObject, objectId } from '../../formats/oid.ts';
import { Objects } from '../objects.ts';
import { HistoryMeasure } from './measure-history.ts';

/** The names of a folder that are long and in order. */
const longName = (at: number) => `${at}`.padStart(1_000, '0');

test('a history whose commits take long to compare is refused, though each changes two files', async () => {
  const heap = new ObjectHeap();
  const [one, other] = [heap.add('blob', '1'), heap.add('blob', '2')];
  const treeOf = (ends: string) =>
    heap.tree(Array.from({ length: 1_900 }, (_, at) => ['100644', longName(at), at % 1_899 ? one : ends]));
  const trees = [treeOf(one), treeOf(other)];
  let tip: string[] = [];
  for (let at = 0; at < 55; at += 1) tip = [heap.commit(trees[at % 2] ?? '', tip, { message: `${at}\n` })];
  expect(await refusal(heap, tip[0] ?? '')).toMatch(/^too_large: .* to compare its commits takes too long\./);
});

const DEEP: readonly (readonly [commits: number, answer: RegExp])[] = [
  [1_900, /^taken$/],
  [2_300, /^too_large: .* to compare its commits takes too long\./],
];

test.each(sampled(DEEP, DEEP.slice(1)))(
  'so are %d commits that change one short line in a folder deep down, or not: %s',
  async (commits, answer) => {
    const heap = new ObjectHeap();
    const treeOf = (content: string) => {
      let tree = heap.tree([['100644', 'a.md', heap.add('blob', content)]]);
      for (let depth = 1; depth < 90; depth += 1) tree = heap.tree([['40000', 'a', tree]]);
      return tree;
    };
    const trees = [treeOf('1'), treeOf('2')];
    let tip: string[] = [];
    for (let at = 0; at < commits; at += 1)
      tip = [heap.commit(trees[at % 2] ?? '', tip, { message: `${at}\n` })];
    expect(await refusal(heap, tip[0] ?? '')).toMatch(answer);
  },
);

test('a commit of more parents than any merge has is refused', async () => {
  const heap = new ObjectHeap();
  const tree = heap.tree([]);
  const parents = Array.from({ length: 1_001 }, (_, at) => heap.commit(tree, [], { message: `${at}\n` }));
  expect(await refusal(heap, heap.commit(tree, parents.slice(1)))).toBe('taken');
  expect(await refusal(heap, heap.commit(tree, parents))).toMatch(/^too_large: .* more than 1000 parents\./);
});

test('commits that name one another again and again are read once or twice each', async () => {
  const heap = new ObjectHeap();
  const tree = heap.tree([]);
  const commits = [heap.commit(tree)];
  for (let at = 1; at < 40; at += 1)
    commits.push(heap.commit(tree, Array(1_000).fill(commits).flat().slice(-1_000)));
  const reads: string[] = [];
  expect(await refusal(heap, commits.at(-1) ?? '', (oid) => reads.push(oid))).toBe('taken');
  expect(reads.length).toBeLessThanOrEqual(2 * commits.length + 1);
});

test('paths that are long in sum are refused, however few bytes name them', async () => {
  const heap = new ObjectHeap();
  const file = heap.add('blob', '');
  const hundred = (mode: string, oid: string) =>
    heap.tree(Array.from({ length: 100 }, (_, at) => [mode, `${at}`.padStart(2, '0'), oid]));
  const pathsBelow = (levels: number) => {
    let tree = hundred('40000', hundred('100644', file));
    for (let level = 0; level < levels; level += 1) tree = heap.tree([['40000', longName(level), tree]]);
    return heap.commit(tree);
  };
  expect(await refusal(heap, pathsBelow(3))).toBe('taken');
  expect(await refusal(heap, pathsBelow(4))).toMatch(
    /^too_large: .* the paths of one of its commits have more than 40000000 bytes\./,
  );
});

async function refusal(
  { objects }: ObjectHeap,
  tip: string,
  onRead: (oid: string) => void = () => undefined,
): Promise<string> {
  const byOid = new Map<string, GitObject>(
    objects.map((object) => [objectId(object.type, object.content), object]),
  );
  const read = async (oid: string) => {
    onRead(oid);
    const object = byOid.get(oid);
    if (object === undefined) throw new Error(`There is no ${oid}.`);
    return object;
  };
  const measure = new HistoryMeasure(new Objects({ read }, 8_000_000));
  return measure
    .measure(tip, () => undefined)
    .then(
      () => 'taken',
      (error) => toWikiError(error).message,
    );
}
