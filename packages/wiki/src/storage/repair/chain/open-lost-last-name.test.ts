import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../../test/native-git.ts';
import { livePacks } from '../../../../test/storage/packs.ts';
import { pagePush, pushTo } from '../../../../test/storage/pushes.ts';
import { nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';

// Each of these is open: remove `fails` with its mend.
const open = (directory: string) => openWriter(directory, { placement: 'shared' });

it.fails('a process that moved the ref before moves it back from no push whose name is lost', async () => {
  const directory = await newWiki({ shared: true });
  const warm = await open(directory);
  await warm.put('Old.md', 'old');
  await warm.storage.settle();
  const other = await open(directory);
  await other.put('Between.md', 'between');
  const between = await other.storage.head();
  const push = await pagePush(other.storage, between, 'New.md', 'new');
  await pushTo(other.storage, push);
  await other.storage.close();
  rmSync(join(directory, 'pagetree/chain-main', between ?? ''));
  await warm.storage.head();
  await warm.storage.close();
  expect(git(directory, ['rev-parse', 'main'])).toBe(push.to);
});

it.fails('a write that a repair brought in is not applied again when its request is repeated', async () => {
  const directory = await newWiki({ shared: true });
  const first = await open(directory);
  await first.put('Old.md', 'old');
  const old = await first.storage.head();
  const request = { requestId: 'mine', digest: 'd'.repeat(64) };
  await first.put('New.md', 'new', request);
  await first.storage.close();
  rmSync(join(directory, 'pagetree/chain-main', old ?? ''));
  const other = await open(directory);
  await other.put('Other.md', 'other');
  await other.storage.close();
  const { storage, put } = await open(directory);
  await storage.repair();
  const again = await put('New.md', 'new', request).catch((error: unknown) => error);
  expect(again).not.toMatchObject({ kind: 'committed' });
});

it.fails('a repair moves the ref from a push that lost its pages beside other writes', async () => {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await open(directory);
  await put('Old.md', 'old');
  const old = await storage.head();
  const before = livePacks(directory);
  const push = await pagePush(storage, old, 'New.md', 'new');
  await pushTo(storage, push);
  const pushed = livePacks(directory).filter((pack) => !before.includes(pack));
  await storage.close();
  rmSync(join(directory, 'pagetree/chain-main', old ?? ''));
  const other = await open(directory);
  await other.put('Other.md', 'other');
  await other.storage.close();
  const text = git(directory, ['cat-file', 'commit', push.to]);
  for (const pack of pushed)
    for (const file of [pack, pack.replace(/pack$/, 'idx')]) rmSync(join(directory, 'objects/pack', file));
  git(directory, ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], `${text}\n`);
  const repairer = await open(directory);
  await repairer.storage.repair();
  await repairer.storage.close();
  expect(nativeView(directory).pages).toEqual({ 'Old.md': 'old', 'Other.md': 'other' });
});
