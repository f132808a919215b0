import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Batches that delete a page and move another one to its path. */
export function replacedPagesSuite(backend: Backend): void {
  describe('a batch that puts pages in the place of deleted ones', () => {
    test('reports each link to a deleted page whose path another page takes, and no link twice', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': '---\naliases: Nick\n---\n## H\n',
        'B.md': '# B\n\n## H\n\n[[A#H]] [[#H]]\n',
        'P.md': '[[A]] [[A|a]] [a](A.md "t") ![[A]] [[A#H]] [[A#Never]] [[Nick]] [r]\n\n[r]: A.md\n',
        'Q.md': '[[B]] [[B|bee]] [[B#H]] [b](B.md)\n',
      });
      const { version } = await wiki.run('read_page', { path: 'A' });
      const changes = [
        { op: 'delete' as const, path: 'A', version },
        { op: 'move' as const, path: 'B', new_path: 'A' },
      ];
      const dry = await wiki.run('commit_changes', { message: 'Publish', changes, dry_run: true });
      const done = await wiki.run('commit_changes', { message: 'Publish', changes });
      expect(dry.retargeted).toEqual(done.retargeted);
      const on = (page: string, link: string, now: string | null = 'A') => ({
        page,
        link,
        old_target: 'A',
        new_target: now,
      });
      expect(done.retargeted).toEqual([
        on('A', '[[A#H]]'),
        on('P', '[[A]]'),
        on('P', '[[A|a]]'),
        on('P', '[a](A.md "t")'),
        on('P', '![[A]]'),
        on('P', '[[A#H]]'),
        on('P', '[[A#Never]]'),
        on('P', '[[Nick]]', null),
        on('P', '[r]: A.md'),
      ]);
      // A rename shows the new name: the batch added nothing, so it merged nothing.
      expect(await wiki.content('Q')).toBe('[[A]] [[A|bee]] [[A#H]] [b](A.md)\n');
      expect(await wiki.content('P')).toContain('[[Nick]] [r]\n\n[r]: A.md\n');
    });

    test('reports links to deleted pages whose paths the pages of a folder take', async () => {
      const wiki = await openTestWiki(backend, {
        'site/Home.md': 'old',
        'site/Kept.md': 'kept',
        'new/Home.md': '[[site/Home]] [k](../site/Kept.md)',
        'P.md': '[[site/Home]] [[new/Home]] [h](site/Home.md)',
      });
      const { version } = await wiki.run('read_page', { path: 'site/Home' });
      const done = await wiki.run('commit_changes', {
        message: 'Publish',
        changes: [
          { op: 'delete', path: 'site/Home', version },
          { op: 'move', path: 'new/', new_path: 'site/' },
        ],
      });
      const on = (page: string, link: string) => ({
        page,
        link,
        old_target: 'site/Home',
        new_target: 'site/Home',
      });
      expect(done.retargeted).toEqual([
        on('P', '[[site/Home]]'),
        on('P', '[h](site/Home.md)'),
        on('site/Home', '[[site/Home]]'),
      ]);
      expect(await wiki.content('P')).toBe('[[site/Home]] [[Home]] [h](site/Home.md)');
      expect(await wiki.content('site/Home')).toBe('[[site/Home]] [k](Kept.md)');
    });

    test('reports links to a page that moves away, is deleted, and whose path another page takes', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'a',
        'B.md': 'b',
        'C.md': 'c',
        'P.md': '[[A]] [[B]] [[C]]',
      });
      const { version } = await wiki.run('read_page', { path: 'A' });
      const done = await wiki.run('commit_changes', {
        message: 'Publish',
        changes: [
          { op: 'move', path: 'A', new_path: 'T' },
          { op: 'merge', path: 'C', new_path: 'B' },
          { op: 'move', path: 'B', new_path: 'A', update_links: false },
          { op: 'delete', path: 'T', version },
        ],
      });
      expect(done.retargeted).toContainEqual({
        page: 'P',
        link: '[[A]]',
        old_target: 'A',
        new_target: 'A',
      });
    });
  });
}
