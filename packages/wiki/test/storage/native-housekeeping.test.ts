import { expect, test } from 'vitest';
import { git } from '../native-git.ts';
import { pageRequest } from './pages.ts';
import { freezing, isLink, nativeView, newWiki, openWriter } from './writers.ts';

test('an object that native git left to the pack of a frozen attempt outlives the attempt', async () => {
  const directory = await newWiki();
  const other = await openWriter(directory);
  await other.put('Page.md', 'the same text');
  await other.storage.settle();

  const { fs, frozen, thaw } = freezing(isLink);
  const slow = await openWriter(directory, { fs });
  const request = pageRequest('Copy.md', 'the same text');
  let attempts = 0;
  const slowly = slow.storage.commit({
    ...request,
    build: async (base, transaction) => (attempts++ === 0 ? request.build(base, transaction) : null),
  });
  await frozen;
  // Native git leaves what is in a pack with a `.keep` out of its new pack, and deletes the other copy.
  git(directory, ['repack', '-a', '-d', '--quiet']);
  await other.put('Other.md', 'first');
  thaw();
  expect(await slowly).toMatchObject({ kind: 'unchanged' });
  await slow.storage.settle();

  expect(nativeView(directory).pages).toEqual({ 'Page.md': 'the same text', 'Other.md': 'first' });
});
