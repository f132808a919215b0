import { expect, test } from 'vitest';
import { parseCommit } from '../../formats/commit.ts';
import { EMPTY_TREE, type Oid } from '../../formats/oid.ts';
import { openTransaction } from '../../storage/commits/transaction.ts';
import { Objects } from '../objects.ts';
import { type NewCommit, writeCommit } from './commit-builder.ts';

test('a commit is never dated before its parent, and a merged one with a wrong clock dates none', async () => {
  const { write, read } = commits();
  const first = await write({ parent: null, now: 1_700_000_000_999 });
  expect(await read(first)).toMatchObject({
    parents: [],
    committer: { seconds: 1_700_000_000, zone: '+0000' },
  });
  const early = await write({ parent: first, now: 1_600_000_000_000 });
  expect(await read(early)).toMatchObject({ parents: [first], committer: { seconds: 1_700_000_000 } });
  const late = await write({ parent: early, now: 1_800_000_000_000 });
  expect((await read(late)).committer.seconds).toBe(1_800_000_000);
  const merge = await write({ parent: early, merged: late, now: 1_750_000_000_000 });
  expect(await read(merge)).toMatchObject({
    parents: [early, late],
    committer: { name: 'Pagetree', email: 'pagetree@localhost', seconds: 1_750_000_000 },
    author: { name: 'Ada', email: 'ada@example.org', seconds: 1_750_000_000, zone: '+0000' },
  });
});

test('a commit says who wrote it and when, and ends with the lines for programs, those of the attempt last', async () => {
  const { write, read } = commits(['Request-Id: 1', 'Nonce: 2']);
  const authored = { seconds: 1_500_000_000, zone: '-0130' };
  const oid = await write({ parent: null, agent: 'bot', trailers: ['Conflict: a.md'], authored });
  const { author, message, tree } = await read(oid);
  expect(author).toEqual({ name: 'Ada', email: 'ada@example.org', ...authored });
  expect(message).toBe('Say\n\nAgent: bot\nConflict: a.md\nRequest-Id: 1\nNonce: 2\n');
  expect(tree).toBe(EMPTY_TREE);
  expect((await read(await write({ parent: null }))).message).toBe('Say\n\nRequest-Id: 1\nNonce: 2\n');
});

function commits(trailers: readonly string[] = []) {
  const nothing = {
    read: async (oid: Oid) => {
      throw new Error(`no ${oid}`);
    },
  };
  const transaction = openTransaction(nothing, trailers);
  const objects = new Objects(transaction, 100_000);
  const author = { name: 'Ada', email: 'ada@example.org' };
  const usual = { tree: EMPTY_TREE, author, agent: null, message: 'Say', now: 0 };
  return {
    write: (commit: Partial<NewCommit> & Pick<NewCommit, 'parent'>) =>
      writeCommit(objects, transaction, { ...usual, ...commit }),
    read: async (oid: Oid) => parseCommit((await transaction.read(oid)).content),
  };
}
