import { expect, it } from 'vitest';
import { freezing, newWiki, openWriter } from '../../../test/storage/writers.ts';

it('a check finds no gap where others write while it looks', async () => {
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
