import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../../test/native-git.ts';
import { fileSystemError, observedFileSystem } from '../../../test/storage/observed-file-system.ts';
import { nativeView, newWiki, openWriter } from '../../../test/storage/writers.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';

it('commits of the wiki beyond a gap in its chain are not brought in as if they came from elsewhere', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  for (let i = 0; i < 5; i += 1) await put('Page.md', `${i}`);
  await storage.close();
  const { commits } = nativeView(directory);
  rmSync(join(directory, `pagetree/chain-main/${commits[3]}`));
  rmSync(join(directory, 'pagetree/chain-main/head'));
  const cold = await openWriter(directory);
  await expect(cold.storage.head()).rejects.toMatchObject({
    code: 'corrupt_chain',
    message: expect.stringContaining('there is a later commit of this wiki'),
  });
  expect(nativeView(directory).commits).toEqual(commits);
});

it('nor are they if a merge of native git has them as its second parent', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  for (let i = 0; i < 3; i += 1) await put('Page.md', `${i}`, { requestId: `${i}` });
  await storage.close();
  const [third = '', second = ''] = nativeView(directory).commits;
  rmSync(join(directory, `pagetree/chain-main/${second}`));
  rmSync(join(directory, 'pagetree/chain-main/head'));
  const foreign = git(directory, ['commit-tree', `${second}^{tree}`, '-p', second, '-m', 'By hand']);
  const merge = git(directory, ['commit-tree', `${third}^{tree}`, '-p', foreign, '-p', third, '-m', 'Merge']);
  git(directory, ['update-ref', 'refs/heads/main', merge]);
  const cold = await openWriter(directory);
  await expect(cold.storage.head()).rejects.toMatchObject({ code: 'corrupt_chain' });
});

it('a push of a merge with a branch that began at an older commit is taken as it is', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  for (let i = 0; i < 6; i += 1) await put('Page.md', `${i}`);
  await storage.settle();
  const commitOn = (...parents: string[]) =>
    git(directory, [
      'commit-tree',
      'main^{tree}',
      ...parents.flatMap((each) => ['-p', each]),
      '-m',
      'By hand',
    ]);
  for (const back of [4, 1, 8]) {
    const merge = commitOn('main', commitOn(`main~${back}`));
    git(directory, ['update-ref', 'refs/heads/main', merge]);
    expect(await storage.head()).toBe(merge);
    expect(await (await openWriter(directory)).put('Page.md', `${back} merged`)).toMatchObject({
      parent: merge,
    });
  }
  await storage.settle();
  expect(nativeView(directory).pages).toEqual({ 'Page.md': '8 merged' });
});

it('a commit that another process links and names while the ref is read is simply the newest', async () => {
  const directory = await newWiki();
  const other = await openWriter(directory);
  await other.put('Page.md', 'one');
  let written: unknown = null;
  const fs = observedFileSystem(nodeFileSystem, async ({ name, path }) => {
    if (written !== null || name !== 'open' || !path.endsWith('refs/heads/main')) return;
    written = '';
    const outcome = await other.put('Page.md', 'two');
    written = 'commit' in outcome && outcome.commit;
  });
  const { storage } = await openWriter(directory, { fs });
  expect(await storage.head()).toBe(written);
});

it('a push whose history cannot be read for a moment comes in later', async () => {
  const directory = await newWiki();
  await (await openWriter(directory)).put('Page.md', 'one');
  const pushed = git(directory, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'By hand']);
  git(directory, ['update-ref', 'refs/heads/main', pushed]);
  let isBroken = true;
  const fs = observedFileSystem(nodeFileSystem, ({ name, path }) => {
    if (isBroken && name === 'open' && path.endsWith(pushed.slice(2))) throw fileSystemError(5, 'EIO');
  });
  const { storage } = await openWriter(directory, { fs });
  await expect(storage.head()).rejects.toMatchObject({ code: 'io_error' });
  isBroken = false;
  expect(await storage.head()).toBe(pushed);
});

it('a lock that git left behind does not keep a wiki whose branch is up to date from closing', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('Page.md', 'text');
  await storage.close();
  const lock = join(directory, 'refs/heads/main.lock');
  writeFileSync(lock, '');
  const again = await openWriter(directory);
  const head = await again.storage.head();
  await again.storage.close();
  expect([head, existsSync(lock)]).toEqual([git(directory, ['rev-parse', 'main']), true]);
  rmSync(lock);
});
