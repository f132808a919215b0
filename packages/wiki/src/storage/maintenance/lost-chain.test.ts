import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freezing, newWiki, openWriter } from '../../../test/storage/writers.ts';

it.each(['local', 'shared'] as const)(
  'a chain that another process begins meanwhile is no lost one (%s)',
  async (placement) => {
    const directory = await newWiki({ shared: placement === 'shared' });
    const looksForTraces = freezing(({ name, path }) => name === 'readdir' && path.includes('requests-main'));
    const slow = await openWriter(directory, { placement, fs: looksForTraces.fs });
    const head = slow.storage.head();
    await looksForTraces.frozen;
    const fast = await openWriter(directory, { placement });
    await fast.put('One.md', 'one');
    await fast.put('Two.md', 'two');
    looksForTraces.thaw();
    expect(await head).toBe(await fast.storage.head());
  },
);

it.each(['local', 'shared'] as const)('a lost chain stops reads and writes (%s)', async (placement) => {
  const directory = await newWiki({ shared: placement === 'shared' });
  const before = await openWriter(directory, { placement });
  await before.put('One.md', 'one');
  await before.put('Two.md', 'two');
  await before.storage.close();
  rmSync(join(directory, 'pagetree/chain-main'), { recursive: true });
  const { storage, put } = await openWriter(directory, { placement });
  await expect(storage.head()).rejects.toMatchObject({ code: 'corrupt_chain' });
  await expect(put('Three.md', 'three')).rejects.toMatchObject({ code: 'corrupt_chain' });
});
