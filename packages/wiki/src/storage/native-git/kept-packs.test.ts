import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { freezing, isLink, newWiki, openWriter, waitingHost } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

/** Until the ref names a commit, native git may delete a pack of it that is not kept. */

it('packs are kept until the ref names their commits, also if another program locks it meanwhile', async () => {
  const directory = await newWiki();
  const lock = join(directory, 'refs/heads/main.lock');
  const frozen = Promise.withResolvers<void>();
  const thawed = Promise.withResolvers<void>();
  let state: 'writes' | 'moves' | 'releases' | 'locked' = 'writes';
  const fs = observedFileSystem(nodeFileSystem, async ({ name, path }) => {
    if (state === 'moves' && name === 'rename' && path.endsWith('heads/main')) {
      frozen.resolve();
      await thawed.promise;
      state = 'releases';
    } else if (state === 'releases' && !existsSync(lock)) {
      writeFileSync(lock, '');
      state = 'locked';
    }
  });
  const { put, storage } = await openWriter(directory, { fs, host: waitingHost((ms) => ms < 20).host });
  await put('Page.md', 'one');
  writeFileSync(lock, '');
  const second = await put('Page.md', 'two');
  const { commit } = second as { commit: string };
  expect(refOf(directory)).not.toBe(commit);
  rmSync(lock);
  state = 'moves';
  const settling = storage.settle();
  await frozen.promise;
  const third = put('Page.md', 'three');
  await expect.poll(() => readdirSync(join(directory, 'pagetree/chain-main'))).toContain(commit);
  thawed.resolve();
  await settling;
  expect(state).toBe('locked');
  const { commit: last } = (await third) as { commit: string };
  const kept = () => readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.keep'));
  expect([refOf(directory), kept()]).toEqual([commit, expect.arrayContaining([`pack-${last}.keep`])]);
  rmSync(lock);
  await storage.settle();
  expect([refOf(directory), kept()]).toEqual([last, []]);
});

it('a pack that comes while others are released is kept until the ref names its commit', async () => {
  const directory = await newWiki();
  const lock = join(directory, 'refs/heads/main.lock');
  const beforeMoves: (() => Promise<void>)[] = [];
  let locksNext = false;
  const fs = observedFileSystem(nodeFileSystem, async ({ name, path }) => {
    if (name === 'rename' && path.endsWith('heads/main')) await beforeMoves.shift()?.();
    else if (locksNext && !existsSync(lock)) {
      writeFileSync(lock, '');
      locksNext = false;
    }
  });
  const { put, storage } = await openWriter(directory, { fs, host: waitingHost((ms) => ms < 20).host });
  await put('Page.md', 'one');
  writeFileSync(lock, '');
  await put('Page.md', 'two');
  rmSync(lock);
  let third: string | null = null;
  let last: ReturnType<typeof put> | null = null;
  // Before the ref moves to the second commit, another process makes a third one, and dies before it moves the ref.
  beforeMoves.push(async () => {
    let isLinked = false;
    const dying = freezing((call) => {
      isLinked ||= isLink(call);
      return isLinked && call.name === 'sync';
    });
    void (await openWriter(directory, { fs: dying.fs })).put('Other.md', 'three');
    await dying.frozen;
    third = await storage.head();
  });
  // Before it moves to that one, as packs are released, a fourth comes, and another program locks the ref.
  beforeMoves.push(async () => {
    last = put('Page.md', 'four');
    await expect.poll(() => readdirSync(join(directory, 'pagetree/chain-main'))).toContain(third);
    locksNext = true;
  });
  await storage.settle();
  const { commit } = (await last) as unknown as { commit: string };
  const kept = () => readdirSync(join(directory, 'objects/pack')).filter((file) => file.endsWith('.keep'));
  expect(beforeMoves).toEqual([]);
  expect(git(directory, ['log', '--format=%s', third ?? ''])).toBe(
    'Write Other.md\nWrite Page.md\nWrite Page.md',
  );
  expect(refOf(directory)).toBe(third);
  expect(kept()).toContain(`pack-${commit}.keep`);
  rmSync(lock);
  await storage.settle();
  expect([refOf(directory), kept().includes(`pack-${commit}.keep`)]).toEqual([commit, false]);
});

function refOf(directory: string): string | null {
  return git(directory, ['for-each-ref', '--format=%(objectname)', 'refs/heads/main']) || null;
}
