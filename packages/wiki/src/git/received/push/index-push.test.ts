import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ObjectHeap } from '../../../../test/git-input/bundles.ts';
import {
  LONG_PAGE,
  oidsIn,
  oidsInFile,
  openedForPush,
  packOfHeap,
} from '../../../../test/git-input/pushes.ts';
import { git, temporaryDirectory } from '../../../../test/native-git.ts';
import { objectId } from '../../../formats/oid.ts';

describe('the stored pack of a push', () => {
  test.each(['--delta-base-offset', '--no-delta-base-offset'])(
    'is what git index-pack makes of a thin one (%s)',
    async (option) => {
      const { wiki, from, pusher, index } = await openedForPush();
      const to = pusher.commit({ 'A.md': `${LONG_PAGE}more\n`, 'in/B.md': 'bb' });
      const pack = pusher.pack(from, to, { option });
      const indexed = await index({ from, to, pack });
      expect(indexed.commits.map(({ oid }) => oid)).toEqual([to]);
      expect(indexed.pack.packBytes.length).toBeGreaterThan(pack.length);
      const mine = oidsIn(indexed.pack);
      const file = join(temporaryDirectory(), 'git.pack');
      execFileSync('git', ['index-pack', '--stdin', '--fix-thin', '--strict', file], {
        cwd: wiki,
        input: pack,
      });
      expect(mine).toEqual(oidsInFile(file));
    },
  );

  test('is the very pack that came if nothing is to be added', async () => {
    const { from, pusher, index } = await openedForPush();
    const to = pusher.commit({ 'New.md': 'new' });
    const pack = pusher.pack(from, to, { thin: false });
    expect(Buffer.from((await index({ from, to, pack })).pack.packBytes).equals(pack)).toBe(true);
  });

  test('has no copies of what the newest commit reaches, at whatever place', async () => {
    const { from, pusher, index, entries } = await openedForPush();
    const heap = new ObjectHeap();
    const tree = heap.tree([['40000', 'moved', entries('main').in ?? '']]);
    const to = heap.commit(tree, [from]);
    const indexed = await index({ from, to, pack: packOfHeap(heap) });
    expect(oidsIn(indexed.pack)).toEqual([to, tree].sort());
    expect(pusher.head).toBe(from);
  });

  test('has copies of all that is only stored, since it may be removed at any time', async () => {
    const { wiki, from, index } = await openedForPush();
    const blob = git(wiki, ['hash-object', '-w', '--stdin'], 'garbage').trim();
    const folder = git(wiki, ['mktree'], `100644 blob ${blob}\tx.md\n`).trim();
    const side = git(wiki, ['commit-tree', folder, '-m', 'garbage']).trim();
    const heap = new ObjectHeap();
    const tree = heap.tree([['40000', 'from-garbage', folder]]);
    const to = heap.commit(tree, [from, side]);
    const indexed = await index({ from, to, pack: packOfHeap(heap) });
    expect(oidsIn(indexed.pack)).toEqual([to, tree, blob, folder, side].sort());
    expect(indexed.commits.map(({ oid }) => oid).sort()).toEqual([side, to].sort());
  });

  test('has no copies of old commits whose descendants have wrong dates', async () => {
    const { from: old, index, writer, entries } = await openedForPush();
    const tree = entries('main').in ?? '';
    const before = new ObjectHeap();
    const skewed = before.commit(tree, [old], { who: 'A <a@example.org> 1 +0000' });
    await writer.storage.push({
      from: old,
      to: skewed,
      receive: () => index({ from: old, to: skewed, pack: packOfHeap(before) }),
    });
    const heap = new ObjectHeap();
    const side = heap.commit(tree, [old]);
    const to = heap.commit(tree, [skewed, side]);
    const indexed = await index({ from: skewed, to, pack: packOfHeap(heap) });
    expect(indexed.commits.map(({ oid }) => oid).sort()).toEqual([side, to].sort());
    expect(oidsIn(indexed.pack)).not.toContain(old);
  });

  test('may be made without any pack', async () => {
    const { wiki, from, index, entries } = await openedForPush();
    const folder = entries('main').in ?? '';
    const to = git(wiki, ['commit-tree', folder, '-p', from, '-m', 'there already']).trim();
    const indexed = await index({ from, to, pack: null });
    expect(oidsIn(indexed.pack)).toEqual([to]);
  });

  test('may bring back a version that only an older commit has', async () => {
    const { from, pusher, index, writer } = await openedForPush();
    const gone = pusher.commit({ 'in/B.md': 'later' });
    await writer.storage.push({
      from,
      to: gone,
      receive: () => index({ from, to: gone, pack: pusher.pack(from, gone) }),
    });
    const heap = new ObjectHeap();
    const tree = heap.tree([['100644', 'B.md', objectId('blob', Buffer.from('b'))]]);
    const to = heap.commit(tree, [gone]);
    const indexed = await index({ from: gone, to, pack: packOfHeap(heap) });
    expect(oidsIn(indexed.pack)).toContain(objectId('blob', Buffer.from('b')));
  });
});
