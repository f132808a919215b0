import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hostAhead, nativeView, newWiki, openWriter } from '../../../../test/storage/writers.ts';

const open = (directory: string) => openWriter(directory, { placement: 'shared' });
const request = (number: number) => ({ requestId: `request ${number}`, digest: `${number}`.repeat(64) });

it.each([1, 2, 3])(
  'a repair brings %i lost writes in beside others, and their requests are not applied again',
  async (count) => {
    const { directory, commits } = await forkedWiki(count);
    await repair(directory);
    const { storage, put } = await open(directory);
    for (const [number, commit] of commits.entries()) {
      await put(`New${number}.md`, 'changed since');
      const again = put(`New${number}.md`, 'new', request(number));
      expect(await again).toMatchObject({ kind: 'repeated', commit });
    }
    await storage.close();
    const pages = commits.map((_, number) => [`New${number}.md`, 'changed since']);
    expect(nativeView(directory).pages).toMatchObject(Object.fromEntries(pages));
  },
);

it('a request that a repair brought back stands for nothing else', async () => {
  const { directory } = await forkedWiki(1);
  await repair(directory);
  const { put } = await open(directory);
  const other = { ...request(0), digest: 'e'.repeat(64) };
  await expect(put('New0.md', 'other', other)).rejects.toMatchObject({ code: 'request_reused' });
});

it('maintenance keeps what a repair brought back from being applied again', async () => {
  const { directory, commits } = await forkedWiki(2);
  await repair(directory);
  const later = await openWriter(directory, {
    placement: 'shared',
    host: hostAhead(3 * 24 * 60 * 60 * 1000),
  });
  await later.storage.tidy();
  await later.storage.close();
  const { put } = await open(directory);
  for (const [number, commit] of commits.entries())
    expect(await put(`New${number}.md`, 'new', request(number))).toMatchObject({ kind: 'repeated', commit });
});

it('a request that was made again before the repair counts as that write', async () => {
  const { directory } = await forkedWiki(1);
  const retried = await open(directory);
  const second = await retried.put('New0.md', 'new', request(0));
  expect(second).toMatchObject({ kind: 'committed' });
  await retried.storage.close();
  await repair(directory);
  const { put } = await open(directory);
  await put('Later.md', 'later');
  const commit = 'commit' in second ? second.commit : null;
  expect(await put('New0.md', 'new', request(0))).toMatchObject({ kind: 'repeated', commit });
});

it('an entry whose commit never came in keeps no request from being applied', async () => {
  const { directory, commits } = await forkedWiki(2);
  // The ref follows the chain, so no repair brings the lost writes back.
  const warm = await open(directory);
  await warm.put('Page.md', 'one');
  await warm.storage.settle();
  await warm.storage.close();
  rmSync(join(directory, 'refs/heads/main'));
  const { storage, put } = await open(directory);
  await storage.repair();
  for (const number of commits.keys())
    expect(await put(`New${number}.md`, 'new', request(number))).toMatchObject({ kind: 'committed' });
});

/** The chain lost the names of `count` writes, and goes on with another one. The ref names the last of them. */
async function forkedWiki(count: number) {
  const directory = await newWiki({ shared: true });
  const { storage, put } = await open(directory);
  await put('Old.md', 'old');
  const names = [await storage.head()];
  for (let number = 0; number < count; number += 1) {
    await put(`New${number}.md`, 'new', request(number));
    names.push(await storage.head());
  }
  await storage.close();
  for (const name of names.slice(0, -1)) rmSync(join(directory, 'pagetree/chain-main', name ?? ''));
  const other = await open(directory);
  await other.put('Other.md', 'other');
  await other.storage.close();
  return { directory, commits: names.slice(1) };
}

async function repair(directory: string) {
  const { storage } = await open(directory);
  await storage.repair();
  await storage.close();
}
