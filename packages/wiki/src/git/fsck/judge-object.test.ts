import { expect, test } from 'vitest';
import { ObjectHeap } from '../../../test/git-input/bundles.ts';
import { judgeObject } from './judge-object.ts';

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
