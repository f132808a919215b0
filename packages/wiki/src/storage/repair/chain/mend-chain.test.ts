import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freezing, newWiki, openWriter } from '../../../../test/storage/writers.ts';

it('a check finds no gap while others write', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('One.md', 'one');
  await storage.settle();
  const listsTheChain = freezing(({ name, path }) => name === 'readdir' && path.endsWith('/chain-main'));
  const checker = await openWriter(directory, { fs: listsTheChain.fs });
  const checking = checker.storage.check();
  await listsTheChain.frozen;
  await put('Two.md', 'two');
  await put('Three.md', 'three');
  listsTheChain.thaw();
  expect((await checking).problems).toEqual([]);
});

it('a repair stops if names beyond a gap form a circle', async () => {
  const directory = await newWiki();
  const { put, storage } = await openWriter(directory);
  await put('One.md', 'one');
  const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
  for (const [name = '', target = ''] of [
    [a, b],
    [b, c],
    [c, b],
  ]) {
    symlinkSync(target, join(directory, 'pagetree/chain-main', name));
  }
  await expect(storage.repair()).rejects.toMatchObject({ code: 'corrupt_chain' });
});
