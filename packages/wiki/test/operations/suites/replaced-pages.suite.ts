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

    test('keeps the text of links only if the batch itself adds text, not if it merges another page', async () => {
      const wiki = await openTestWiki(backend, {
        ...{ 'A.md': 'a', 'B.md': 'b', 'C.md': 'c', 'P.md': '[[B]] [[C]]' },
        ...{ 'D.md': 'd', 'E.md': 'e', 'Q.md': '[[E]]' },
      });
      const [a, d] = [await wiki.run('read_page', { path: 'A' }), await wiki.run('read_page', { path: 'D' })];
      await wiki.run('commit_changes', {
        message: 'Publish',
        changes: [
          { op: 'delete', path: 'A', version: a.version },
          { op: 'move', path: 'B', new_path: 'A' },
          { op: 'merge', path: 'C', new_path: 'A' },
          { op: 'append', path: 'E', content: 'd' },
          { op: 'delete', path: 'D', version: d.version },
          { op: 'move', path: 'E', new_path: 'D' },
        ],
      });
      expect(await wiki.content('P')).toBe('[[A]] [[A|C]]');
      expect(await wiki.content('Q')).toBe('[[D|E]]');
    });

    test('reports links that its undo leads to other pages, and none that it leads back', async () => {
      const wiki = await openTestWiki(backend, {
        ...{ 'A.md': 'old', 'B.md': 'new', 'C.md': 'c', 'D.md': 'd', 'f/E.md': 'e' },
      });
      const { version } = await wiki.run('read_page', { path: 'A' });
      const move = (path: string, new_path: string) => ({ op: 'move' as const, path, new_path });
      const done = await wiki.run('commit_changes', {
        message: 'Publish',
        changes: [
          { op: 'delete', path: 'A', version },
          ...[move('B', 'A'), move('C', 'T'), move('D', 'C'), move('T', 'D'), move('f/E', 'g/E')],
        ],
      });
      await wiki.write('P', '[[A]] [[C]] [d](D.md) [[E]]\n');
      const dry = await wiki.run('revert_commit', { commit: done.commit ?? '', dry_run: true });
      const undone = await wiki.run('revert_commit', { commit: done.commit ?? '' });
      const on = (link: string, path: string) => ({ page: 'P', link, old_target: path, new_target: path });
      expect(undone.retargeted).toEqual([on('[[A]]', 'A'), on('[[C]]', 'C'), on('[d](D.md)', 'D')]);
      expect(dry.retargeted).toEqual(undone.retargeted);
    });

    test('reports a definition that another one precedes once', async () => {
      for (const moves of [[], [{ op: 'move' as const, path: 'B', new_path: 'A' }]]) {
        const wiki = await openTestWiki(backend, {
          ...{ 'A.md': 'a', 'B.md': 'b', 'C.md': 'c', 'P.md': '[[A]]\n\ntext\n\n[r]: A.md\n\n[r] end\n' },
        });
        const { version } = await wiki.run('read_page', { path: 'A' });
        const edits = [{ old_string: 'text', new_string: '[r]: C.md' }];
        const done = await wiki.run('commit_changes', {
          message: 'x',
          changes: [{ op: 'delete', path: 'A', version }, ...moves, { op: 'edit', path: 'P', edits }],
        });
        const on = { page: 'P', old_target: 'A' };
        const named = moves.length === 0 ? null : 'A';
        expect(done.retargeted).toEqual([
          { ...on, link: '[[A]]', new_target: named },
          { ...on, link: '[r]: A.md', new_target: 'C' },
        ]);
      }
    });

    test('takes a page that is deleted and written again for the same page', async () => {
      const files = { 'A.md': 'a', 'B.md': 'b', 'P.md': '[[A]] [[B]]' };
      const [wiki, other] = [await openTestWiki(backend, files), await openTestWiki(backend, files)];
      const { version } = await wiki.run('read_page', { path: 'A' });
      const write = { op: 'write' as const, path: 'A', content: 'new a\n' };
      const merge = { op: 'merge' as const, path: 'B', new_path: 'A' };
      const done = await wiki.run('commit_changes', {
        message: 'x',
        changes: [{ op: 'delete', path: 'A', version }, write, merge],
      });
      const same = await other.run('commit_changes', {
        message: 'x',
        changes: [{ ...write, version, allow_shrink: true }, merge],
      });
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(await other.git('rev-parse', 'main^{tree}'));
      expect([done.retargeted, same.retargeted]).toEqual([undefined, undefined]);
    });
  });
}
