import { readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../../../test/native-git.ts';
import { countingFileSystem } from '../../../../test/storage/file-systems/counting-file-system.ts';
import { pagePush, pushTo } from '../../../../test/storage/pushes.ts';
import { nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';

describe.each(['local', 'shared'] as const)('a %s wiki whose last name of the chain is lost', (placement) => {
  const shared = placement === 'shared';
  const open = (directory: string) => openWriter(directory, { placement });

  it('has the push that came last again after a repair', async () => {
    const { directory, push, name } = await pushedWiki();
    rmSync(name);
    const { storage, put } = await open(directory);
    const nothing = { commit: null, lost: [], lostCommits: [] };
    expect(await storage.repair()).toMatchObject({ ...nothing, orderRestored: shared });
    expect(await storage.repair()).toMatchObject({ ...nothing, orderRestored: false });
    expect(await storage.head()).toBe(push.to);
    expect(readlinkSync(name)).toBe(`adopted-${push.to}`);
    await put('Later.md', 'later');
    await storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'Later.md': 'later', 'New.md': 'new', 'Old.md': 'old' });
  });

  it.each(['push', 'write'] as const)('is moved back by no process before a repair (%s)', async (kind) => {
    const directory = await newWiki({ shared });
    const { storage, put } = await open(directory);
    await put('Old.md', 'old');
    const before = (await storage.head()) ?? '';
    if (kind === 'write') await put('New.md', 'new');
    else await pushTo(storage, await pagePush(storage, before, 'New.md', 'new'));
    const head = await storage.head();
    await storage.close();
    rmSync(join(directory, 'pagetree/chain-main', before));
    for (const use of ['head', 'check', 'tidy', 'repair'] as const) {
      const process = await open(directory);
      // Some say that the last names are lost.
      await process.storage[use]().catch((error: { code: string }) =>
        expect(error.code).toBe('corrupt_chain'),
      );
      await process.storage
        .close()
        .catch((error: { code: string }) => expect(error.code).toBe('corrupt_chain'));
    }
    const after = await open(directory);
    expect(await after.storage.head()).toBe(head);
    expect((await after.storage.check()).problems).toEqual([]);
    expect(nativeView(directory).pages).toEqual({ 'New.md': 'new', 'Old.md': 'old' });
  });

  it('brings the push in beside what was written meanwhile', async () => {
    const { directory, push, name } = await pushedWiki();
    rmSync(name);
    const other = await open(directory);
    await other.put('Other.md', 'other');
    await other.storage.settle();
    // The write may have moved the ref: as it was when it had not.
    git(directory, ['update-ref', 'refs/heads/main', push.to]);
    const { storage } = await open(directory);
    await storage.repair();
    await storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'New.md': 'new', 'Old.md': 'old', 'Other.md': 'other' });
  });

  it('is put on its last commit by a repair if the commit that was pushed is lost too', async () => {
    const { directory, name } = await pushedWiki();
    rmSync(name);
    const { storage } = await open(directory);
    const lost = '5'.repeat(40);
    writeFileSync(join(directory, 'refs/heads/main'), `${lost}\n`);
    expect(await storage.repair()).toMatchObject({ lostCommits: shared ? [] : [lost] });
    await storage.settle();
    expect(nativeView(directory).pages).toEqual({ 'Old.md': 'old' });
  });

  async function pushedWiki() {
    const directory = await newWiki({ shared });
    const { storage, put } = await open(directory);
    await put('Old.md', 'old');
    const push = await pagePush(storage, await storage.head(), 'New.md', 'new');
    await pushTo(storage, push);
    await storage.close();
    expect(git(directory, ['rev-parse', 'main'])).toBe(push.to);
    return { directory, push, name: join(directory, 'pagetree/chain-main', push.from ?? '') };
  }
});

it('a check reports a push whose name was lost in a shared wiki', async () => {
  const directory = await newWiki({ shared: true });
  const open = () => openWriter(directory, { placement: 'shared' });
  const { storage, put } = await open();
  await put('Old.md', 'old');
  const push = await pagePush(storage, await storage.head(), 'New.md', 'new');
  await pushTo(storage, push);
  await storage.close();
  expect((await (await open()).storage.check()).problems).toEqual([]);
  rmSync(join(directory, 'pagetree/chain-main', push.from ?? ''));
  const { problems } = await (await open()).storage.check();
  expect(problems).toMatchObject([{ commit: push.to, text: expect.stringMatching(/repair/) }]);
});

it('a process that ends moves the ref of a shared wiki from a lost commit, and reads no whole history', async () => {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await openWriter(directory, { placement: 'shared' });
  for (let number = 0; number < 300; number += 1) await put('Page.md', `${number}`);
  await storage.close();
  writeFileSync(join(directory, 'refs/heads/main'), `${'5'.repeat(40)}\n`);
  const { fs, calls } = countingFileSystem(nodeFileSystem);
  const cold = await openWriter(directory, { placement: 'shared', fs });
  const head = await cold.storage.head();
  await cold.storage.close();
  expect(calls.filter(({ name }) => name === 'read').length).toBeLessThan(100);
  expect(git(directory, ['rev-parse', 'main'])).toBe(head);
});

it('a process that moved the ref before moves it back from no push whose name is lost', async () => {
  const directory = await newWiki({ shared: true });
  const warm = await openWriter(directory, { placement: 'shared' });
  await warm.put('Old.md', 'old');
  await warm.storage.settle();
  const other = await openWriter(directory, { placement: 'shared' });
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
