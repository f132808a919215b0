import { expect, test } from 'vitest';
import { ObjectHeap } from '../../../test/git-input/bundles.ts';
import { judgeObject } from './judge-object.ts';

const WHO = 'A <a@example.org> 1700000000 +0000';

const objects: [what: string, type: 'commit' | 'tag', text: string, reason: string][] = [
  [
    'a commit with an author after its headers',
    'commit',
    `author ${WHO}\ncommitter ${WHO}\nauthor ${WHO}\n`,
    'twice',
  ],
  ['a tag too short for git', 'tag', `object ${'a'.repeat(40)}\ntype tag\ntag \n`, 'too short'],
];
test.each(objects)('%s is refused', (_, type, text, reason) => {
  const heap = new ObjectHeap();
  const whole = type === 'commit' ? `tree ${heap.tree([])}\n${text}\nm\n` : text;
  const oid = heap.add(type, whole);
  const object = heap.objects.at(-1);
  if (object === undefined) throw new Error('There is no object.');
  expect(judgeObject(oid, object, '')).toContain(reason);
});

const blob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

test.each([
  [
    'a file and a folder of one name',
    [
      ['100644', 'a', blob],
      ['100644', 'a.b', blob],
      ['40000', 'a', blob],
    ],
    'two entries',
  ],
  ['a name that no system can hold', [['100644', 'a'.repeat(4_097), blob]], '4096 bytes'],
  ['a name that leads out of its folder on Windows', [['100644', 'a\\..\\b', blob]], 'on Windows'],
  ['a folder with the name of a file of git', [['40000', '.gitmodules', blob]], 'is no file'],
] as const)('a tree with %s is refused', (_, entries, reason) => {
  const heap = new ObjectHeap();
  const tree = heap.tree(entries.map((entry) => [...entry]));
  const object = heap.objects.at(-1);
  if (object === undefined) throw new Error('There is no tree.');
  expect(judgeObject(tree, object, '')).toContain(reason);
});

test.each([
  ['is read whole', 100_000, null],
  ['is read in part', 100_001, /has a message of 100001 bytes, and at most 100000 are read/],
])('a commit whose message %s is reported if something is left out', (_, bytes, reason) => {
  const heap = new ObjectHeap();
  const commit = heap.commit(heap.tree([]), [], { message: 'x'.repeat(bytes) });
  const object = heap.objects.at(-1);
  if (object === undefined) throw new Error('There is no commit.');
  const judged = judgeObject(commit, object, '');
  if (reason === null) expect(judged).toBeNull();
  else expect(judged).toMatch(reason);
});
