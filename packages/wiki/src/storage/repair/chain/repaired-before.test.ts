import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newWiki, openWriter } from '../../../../test/storage/writers.ts';

it.each(['local', 'shared'] as const)(
  'a %s wiki that was repaired before, and loses the last names, is repaired at once',
  async (placement) => {
    for (const from of [0, 1]) {
      const directory = await newWiki({ shared: placement === 'shared' });
      const open = () => openWriter(directory, { placement });
      const commits: string[] = [];
      const first = await open();
      for (const page of ['One.md', 'Two.md', 'Three.md', 'Four.md']) {
        await first.put(page, 'text', { requestId: page });
        commits.push((await first.storage.head()) ?? '');
      }
      await first.storage.close();
      for (const ending of ['pack', 'idx'])
        rmSync(join(directory, `objects/pack/pack-${commits[2]}.${ending}`));
      const repairer = await open();
      await repairer.storage.repair();
      const end = await repairer.storage.head();
      await repairer.storage.close();
      for (const name of commits.slice(from)) rmSync(join(directory, 'pagetree/chain-main', name));
      const { storage, put } = await open();
      expect(await storage.repair()).toMatchObject({ commit: null, orderRestored: true });
      expect(await storage.head()).toBe(end);
      expect((await storage.check()).problems).toEqual([]);
      const again = await put('Four.md', 'text', { requestId: 'Four.md' });
      expect(again).toMatchObject({ kind: 'repeated', commit: commits[3] });
    }
  },
);
