import { describe, expect, test } from 'vitest';
import { lengthBytes, ObjectHeap, packOf, type RawEntry } from '../../../../test/git-input/bundles.ts';
import { LONG_PAGE, openedForPush, packOfHeap, refusalOf } from '../../../../test/git-input/pushes.ts';
import { git } from '../../../../test/native-git.ts';
import { objectId } from '../../../formats/oid.ts';

describe('a push is refused if', () => {
  test('it does not descend from the head', async () => {
    const { from, index } = await openedForPush();
    const heap = new ObjectHeap();
    const to = heap.commit(heap.tree([]));
    const error = await refusalOf(index({ from, to, pack: packOfHeap(heap) }));
    expect(error.code).toBe('version_conflict');
    expect(error.data).toEqual({ reason: 'non_fast_forward', head: from });
  });

  const lacks: [what: string, make: (heap: ObjectHeap, from: string) => string, words: RegExp][] = [
    [
      'a file',
      (heap, from) => heap.commit(heap.tree([['100644', 'A.md', '1'.repeat(40)]]), [from]),
      /lacks the blob 1{40}/,
    ],
    [
      'a folder',
      (heap, from) => heap.commit(heap.tree([['40000', 'a', '1'.repeat(40)]]), [from]),
      /lacks the tree 1{40}/,
    ],
    ['the tree of a commit', (heap, from) => heap.commit('1'.repeat(40), [from]), /lacks the tree 1{40}/],
    [
      'a parent',
      (heap, from) => heap.commit(heap.tree([]), [from, '1'.repeat(40)]),
      /lacks the commit 1{40}/,
    ],
    ['its own commit', () => '1'.repeat(40), /lacks the commit 1{40}/],
  ];
  test.each(lacks)('%s is neither in it nor in the wiki', async (_, make, words) => {
    const { from, index } = await openedForPush();
    const heap = new ObjectHeap();
    const to = make(heap, from);
    const error = await refusalOf(index({ from, to, pack: packOfHeap(heap) }));
    expect(error.message).toMatch(/^invalid_input: The push is refused: /);
    expect(error.message).toMatch(words);
  });

  test('what the wiki merely stores is not complete', async () => {
    const { wiki, from, index } = await openedForPush();
    const folder = git(wiki, ['mktree', '--missing'], `100644 blob ${'1'.repeat(40)}\tx.md\n`).trim();
    const heap = new ObjectHeap();
    const to = heap.commit(heap.tree([['40000', 'a', folder]]), [from]);
    const error = await refusalOf(index({ from, to, pack: packOfHeap(heap) }));
    expect(error.message).toMatch(/lacks the blob 1{40}/);
  });

  test('a delta rests on an object that is not there', async () => {
    const { from, index } = await openedForPush();
    const content = Buffer.concat([lengthBytes(5), lengthBytes(5), Buffer.from([0x90, 5])]);
    const pack = packOf([{ kind: 'ref_delta', base: '1'.repeat(40), content }]);
    const error = await refusalOf(index({ from, to: '2'.repeat(40), pack }));
    expect(error.message).toMatch(/a delta rests on an object that is neither in it nor in the wiki/);
  });

  const B = objectId('blob', Buffer.from('b'));
  const hostile: [what: string, make: (heap: ObjectHeap, from: string) => string, words: RegExp][] = [
    ['.git', (heap) => heap.tree([['100644', '.git', B]]), /take for "\.git"/],
    ['..', (heap) => heap.tree([['40000', '..', heap.tree([])]]), /an entry ".."/],
    ['git~1', (heap) => heap.tree([['40000', 'GIT~1', heap.tree([])]]), /take for "\.git"/],
    ['a name with a slash', (heap) => heap.tree([['100644', 'a/b', B]]), /holds a slash/],
    ['a name that leads out on Windows', (heap) => heap.tree([['100644', 'a\\..\\b', B]]), /on Windows/],
    [
      'two entries of one name',
      (heap) =>
        heap.tree([
          ['100644', 'a', B],
          ['100644', 'a', B],
        ]),
      /two entries/,
    ],
    [
      'a file and a folder of one name',
      (heap) =>
        heap.tree([
          ['100644', 'a', B],
          ['40000', 'a', heap.tree([])],
        ]),
      /two entries/,
    ],
    ['a link as .gitmodules', (heap) => heap.tree([['120000', '.gitmodules', B]]), /symbolic link/],
    [
      'a stored file as .gitmodules',
      (heap) => heap.tree([['100644', '.gitmodules', heap.add('blob', '[submodule "../x"]\n\turl = -x\n')]]),
      /as \.gitmodules/,
    ],
    ['a file of the wiki as folder', (heap) => heap.tree([['40000', 'a', B]]), /names it as a tree/],
    [
      'a folder of the push as file',
      (heap) => heap.tree([['100644', 'a', heap.tree([['100644', 'x', B]])]]),
      /names it as a blob/,
    ],
  ];
  test.each(hostile)('a folder has %s', async (_, make, words) => {
    const { from, index } = await openedForPush();
    const heap = new ObjectHeap();
    const to = heap.commit(make(heap, from), [from]);
    const error = await refusalOf(index({ from, to, pack: packOfHeap(heap) }));
    expect(error.message).toMatch(/^invalid_input: The push is refused: .* would be refused by git: /);
    expect(error.message).toMatch(words);
  });

  test('a file that the wiki has already is one that git refuses by its new name', async () => {
    const { wiki, from, index, pusher } = await openedForPush({
      'Page.md': '[submodule "../x"]\n\turl = -x\n',
    });
    const blob = git(wiki, ['rev-parse', 'main:Page.md']).trim();
    const heap = new ObjectHeap();
    const to = heap.commit(heap.tree([['100644', '.gitmodules', blob]]), [from]);
    const error = await refusalOf(index({ from, to, pack: packOfHeap(heap) }));
    expect(error.message).toMatch(/as \.gitmodules/);
    expect(pusher.head).toBe(from);
  });

  test.each([
    ['in the push', (heap: ObjectHeap) => heap.add('blob', 'x')],
    ['in the wiki', () => B],
  ])('the tree of a commit is a file %s', async (_, make) => {
    const { from, index } = await openedForPush();
    const heap = new ObjectHeap();
    const to = heap.commit(make(heap), [from]);
    const error = await refusalOf(index({ from, to, pack: packOfHeap(heap) }));
    expect(error.message).toMatch(/names it as a tree/);
  });

  test('its head is no commit, or a parent is none', async () => {
    const { from, index } = await openedForPush();
    const heap = new ObjectHeap();
    const blob = heap.add('blob', 'x');
    const pack = packOfHeap(heap);
    expect((await refusalOf(index({ from, to: blob, pack }))).message).toMatch(/named as a commit/);
    const to = heap.commit(heap.tree([]), [from, B]);
    expect((await refusalOf(index({ from, to, pack: packOfHeap(heap) }))).message).toMatch(
      /named as a commit/,
    );
  });

  test('its pack is cut off, or has another checksum, or is none', async () => {
    const { from, index, pusher } = await openedForPush();
    const to = pusher.commit({ 'A.md': `${LONG_PAGE}more\n` });
    const pack = pusher.pack(from, to);
    const wrong = Buffer.from(pack);
    wrong[wrong.length - 1] = (wrong.at(-1) ?? 0) ^ 1;
    const turned = Buffer.from(pack);
    turned[20] = (turned[20] ?? 0) ^ 1;
    for (const bytes of [
      pack.subarray(0, -30),
      pack.subarray(0, 10),
      wrong,
      turned,
      Buffer.from('no pack'),
    ]) {
      const error = await refusalOf(index({ from, to, pack: bytes }));
      expect(error.message).toMatch(/^invalid_input: The push is refused: its pack is damaged/);
    }
  });

  test('a few folders name millions of files', async () => {
    const { from, index } = await openedForPush();
    const heap = new ObjectHeap();
    let tree = heap.tree([['100644', 'x', B]]);
    for (let level = 0; level < 24; level += 1) {
      tree = heap.tree([
        ['40000', 'a', tree],
        ['40000', 'b', tree],
      ]);
    }
    const error = await refusalOf(index({ from, to: heap.commit(tree, [from]), pack: packOfHeap(heap) }));
    expect(error.message).toMatch(
      /^too_large: The push is too large: a commit of it has more than 200000 files/,
    );
  });

  test('tiny deltas would make the wiki read very much', async () => {
    const large = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`${at}.bin`, Buffer.alloc(45_000_000, at + 1)]),
    );
    const { wiki, from, index } = await openedForPush(large);
    const deltas = Array.from({ length: 5 }, (_, at): RawEntry => {
      const base = git(wiki, ['rev-parse', `main:${at}.bin`]).trim();
      const content = Buffer.concat([lengthBytes(45_000_000), lengthBytes(1), Buffer.from([1, at])]);
      return { kind: 'ref_delta', base, content };
    });
    const error = await refusalOf(index({ from, to: '2'.repeat(40), pack: packOf(deltas) }));
    expect(error.message).toMatch(/^too_large: .* its deltas rest on more than/);
  });
});
