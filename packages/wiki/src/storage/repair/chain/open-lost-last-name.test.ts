import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../../test/native-git.ts';
import { pagePush, pushTo } from '../../../../test/storage/pushes.ts';
import { newWiki, openWriter } from '../../../../test/storage/writers.ts';

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
