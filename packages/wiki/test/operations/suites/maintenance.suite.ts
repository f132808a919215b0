import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** maintain_wiki. */
export function maintenanceSuite(backend: Backend): void {
  describe('maintain_wiki', () => {
    test('makes one pack of many, and changes no page', async () => {
      const wiki = await openTestWiki(backend, { 'Home.md': 'Welcome\n' });
      for (const page of ['A', 'B', 'C']) await wiki.run('write_page', { path: page, content: `${page}\n` });
      const head = await wiki.head();
      const tidied = await wiki.run('maintain_wiki', {});
      expect(tidied).toMatchObject({ mode: 'tidy', packs: 1, problems: [], repair_commit: null });
      expect(tidied.packs_before).toBeGreaterThan(2);
      expect(await wiki.head()).toBe(head);
      expect(await wiki.run('read_page', { path: 'B' })).toMatchObject({ content: 'B\n' });
    });

    test('tidies all wikis if asked to, and else one', async () => {
      const wiki = await openTestWiki(backend, { 'Home.md': 'Welcome\n' });
      await wiki.run('create_wiki', { wiki: 'tidied-too' });
      for (const path of ['A', 'B', 'C']) {
        await wiki.run('write_page', { wiki: 'tidied-too', path, content: 'x\n' });
        await wiki.run('write_page', { path, content: 'x\n' });
      }
      const one = await wiki.run('maintain_wiki', {});
      const all = await wiki.run('maintain_wiki', { all: true });
      expect(all).toMatchObject({ mode: 'tidy', unfinished: [] });
      expect(all.packs_before).toBeGreaterThan((one.packs ?? 0) + 2);
      const again = await wiki.run('maintain_wiki', { wiki: 'tidied-too' });
      expect(again).toMatchObject({ packs_before: 1, packs: 1 });
      for (const input of [
        { all: true, mode: 'check' },
        { all: true, wiki: 'tidied-too' },
      ] as const) {
        expect((await wiki.refused('maintain_wiki', input)).code).toBe('invalid_input');
      }
    });

    test('finds nothing wrong with a wiki that is well, and repairs nothing', async () => {
      const wiki = await openTestWiki(backend, { 'Home.md': 'Welcome\n' });
      await wiki.run('write_page', { path: 'A', content: 'A\n' });
      const head = await wiki.head();
      const checked = await wiki.run('maintain_wiki', { mode: 'check' });
      expect(checked).toMatchObject({ mode: 'check', problems: [], more: 0, packs: null });
      expect(checked.commits_checked).toBeGreaterThan(1);
      const repaired = await wiki.run('maintain_wiki', { mode: 'repair' });
      expect(repaired).toMatchObject({ mode: 'repair', repair_commit: null, lost: [] });
      expect(await wiki.head()).toBe(head);
    });
  });
}
