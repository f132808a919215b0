import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** The pages A and B change places. */
const SWAP = [
  { op: 'move' as const, path: 'A', new_path: 'T' },
  { op: 'move' as const, path: 'B', new_path: 'A' },
  { op: 'move' as const, path: 'T', new_path: 'B' },
];

/** commit_changes and the links of what it moves, merges and edits. */
export function netEffectSuite(backend: Backend): void {
  describe('a batch judged by its net effect', () => {
    const merging = {
      'A.md': '# A\n',
      'B.md': '# B\n[[A]]\n',
      'Home.md': '[[A]] [[B]] [[B|bee]] [b](B.md)\n\n| [[B]] |\n|---|\n',
      'Other.md': '[[B#Part]] ![[B]]\n',
    };

    test('leaves a merged page as it is if links are to stay on one of the pages that it comes from', async () => {
      const files = { 'A.md': 'a\n', 'f/B.md': 'b [y](y.md)\n', 'f/y.md': 'y\n' };
      const wiki = await openTestWiki(backend, files);
      const changes = [
        { op: 'move' as const, path: 'A', new_path: 'T', update_links: false },
        { op: 'merge' as const, path: 'T', new_path: 'f/B' },
        { op: 'move' as const, path: 'f/y', new_path: 'f/z' },
      ];
      const done = await wiki.run('commit_changes', { message: 'Merge', changes });
      expect(await wiki.content('f/B')).toBe('b [y](y.md)\n\na\n');
      expect(done.retargeted).toEqual([
        { page: 'f/B', link: '[y](y.md)', old_target: 'f/y', new_target: null },
      ]);
    });

    test('keeps the text that links showed when a page takes the place of another', async () => {
      const wiki = await openTestWiki(backend, merging);
      const { version } = await wiki.run('read_page', { path: 'A' });
      const changes = [
        { op: 'append' as const, path: 'B', content: 'from A' },
        { op: 'delete' as const, path: 'A', version },
        { op: 'move' as const, path: 'B', new_path: 'A' },
      ];
      const dry = await wiki.run('commit_changes', { message: 'Merge', changes, dry_run: true });
      const done = await wiki.run('commit_changes', { message: 'Merge', changes, request_id: 'merge' });
      expect(await wiki.content('Home')).toBe('[[A]] [[A|B]] [[A|bee]] [b](A.md)\n\n| [[A\\|B]] |\n|---|\n');
      expect(await wiki.content('Other')).toBe('[[A#Part|B#Part]] ![[A]]\n');
      expect(await wiki.content('A')).toBe('# B\n[[A]]\nfrom A\n');
      expect(done.pages.map(({ path, previous_path }) => [path, previous_path])).toEqual([['A', 'B']]);
      expect(done).toMatchObject({ total: 1, updated_pages: ['Home', 'Other'], updated_total: 2 });
      expect(done.retargeted).toEqual(
        ['A', 'Home'].map((page) => ({ page, link: '[[A]]', old_target: 'A', new_target: 'A' })),
      );
      expect({ ...dry, commit: done.commit }).toEqual(done);
      expect(await wiki.run('commit_changes', { message: 'Merge', changes, request_id: 'merge' })).toEqual(
        done,
      );
    });

    test('merges into a page whose name no new page may have, and shows the same as a dry run', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'from A\n', 'What?.md': 'old\n', 'P.md': '[[A]]' });
      const changes = [{ op: 'merge' as const, path: 'A', new_path: 'What?' }];
      const shown = await wiki.run('commit_changes', { message: 'Merge', changes, dry_run: true });
      const done = await wiki.run('commit_changes', { message: 'Merge', changes });
      expect({ ...done, commit: null }).toEqual({ ...shown, commit: null });
      expect(done.updated_pages).toEqual(['P']);
    });

    test('merges two pages with one change', async () => {
      const wiki = await openTestWiki(backend, {
        'x/A.md': '---\naliases: Nick\n---\n\n# A\n[[Notes]] [n](Notes.md) [[#A]]\n',
        'x/Notes.md': 'x',
        'y/B.md': '# B\n[[Notes]]',
        'y/Notes.md': 'y',
        'Home.md': '[[A]] [[A|a]] [[Nick]] [a](x/A.md#A) [[B]]',
      });
      const { version } = await wiki.run('read_page', { path: 'x/A' });
      const done = await wiki.run('commit_changes', {
        message: 'Merge',
        changes: [{ op: 'merge', path: 'x/A', new_path: 'y/B', version }],
      });
      expect(await wiki.content('y/B')).toBe(
        '# B\n[[Notes]]\n\n# A\n[[x/Notes]] [n](../x/Notes.md) [[#A]]\n',
      );
      expect(await wiki.content('Home')).toBe('[[B|A]] [[B|a]] [[B|Nick]] [a](y/B.md#A) [[B]]');
      expect(await wiki.paths()).toEqual(['Home', 'x/Notes', 'y/B', 'y/Notes']);
      expect(done).toMatchObject({ total: 1, updated_pages: ['Home', 'y/B'] });
      expect(done.pages[0]).toMatchObject({ path: 'y/B' });
      const code = async (change: object) =>
        (await wiki.refused('commit_changes', { message: 'x', changes: [{ op: 'merge', ...change }] })).code;
      expect(await code({ path: 'y/B', new_path: 'y/B' })).toBe('invalid_input');
      expect(await code({ path: 'y/B', new_path: 'Nothing' })).toBe('not_found');
      expect(await code({ path: 'Nothing', new_path: 'y/B' })).toBe('not_found');
      expect(await code({ path: 'y/B', new_path: 'Home', version: '0'.repeat(40) })).toBe('version_conflict');
    });

    test('keeps anchors of a page that is merged into another one, which takes its path', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': '# About A\n\n## H\n\n[[#H]] [x](#h)\n',
        'B.md': '# B\n\n## H\n\n[[A#H]] [[#H]] [[#About A]]\n',
        'P.md': '[[A#H]] [[A#H|h]] [x](A.md#h) [[B#H]] [[A#About A]]\n',
      });
      const done = await wiki.run('commit_changes', {
        message: 'Merge',
        changes: [
          { op: 'merge', path: 'A', new_path: 'B' },
          { op: 'move', path: 'B', new_path: 'A' },
        ],
      });
      expect(await wiki.content('A')).toBe(
        '# B\n\n## H\n\n[[A#About A#H|A#H]] [[#H]] [[#About A]]\n\n# About A\n\n## H\n\n[[#About A#H|H]] [x](#h-1)\n',
      );
      expect(await wiki.content('P')).toBe(
        '[[A#About A#H|A#H]] [[A#About A#H|h]] [x](A.md#h-1) [[A#H|B#H]] [[A#About A]]\n',
      );
      expect(done.retargeted).toEqual([
        { page: 'A', link: '[[#About A]]', old_target: 'B', new_target: 'A#About A' },
      ]);
    });

    test('swaps two pages', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'a [[B]]',
        'B.md': 'b [[A]]',
        'Home.md': '[[A|x]] [[B|y]] [a](A.md) [[A]] ![[B]]',
      });
      const done = await wiki.run('commit_changes', { message: 'Swap', changes: SWAP });
      // Both were renamed: links show the new names, unless they had a text of their own.
      expect(await wiki.content('Home')).toBe('[[B|x]] [[A|y]] [a](B.md) [[B]] ![[A]]');
      expect(await wiki.content('B')).toBe('a [[A]]');
      expect(await wiki.content('A')).toBe('b [[B]]');
      expect(done.updated_pages).toEqual(['A', 'B', 'Home']);
      expect(done.retargeted).toBeUndefined();
    });

    test.each([
      ['one content', 'a'],
      ['two contents', 'b'],
    ])('swaps two pages of one alias and %s', async (_, other) => {
      const page = (text: string) => `---\naliases: [Nick]\n---\n${text}\n`;
      const home = '[[Nick]] [[nick|x]] ![[Nick]]';
      const wiki = await openTestWiki(backend, { 'A.md': page('a'), 'B.md': page(other), 'Home.md': home });
      const done = await wiki.run('commit_changes', { message: 'Swap', changes: SWAP });
      expect(await wiki.content('Home')).toBe('[[B|Nick]] [[B|x]] ![[B]]');
      expect(done.updated_pages).toEqual(['Home']);
      expect(done.retargeted).toBeUndefined();
    });

    test('that comes to nothing changes nothing', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a', 'Home.md': '[[A]]' });
      const done = await wiki.run('commit_changes', {
        message: 'There and back',
        changes: [
          { op: 'move', path: 'A', new_path: 'T' },
          { op: 'move', path: 'T', new_path: 'A' },
        ],
      });
      expect(done).toMatchObject({ changed: false, updated_total: 0, commit: await wiki.head() });
    });

    test('lets old links keep their targets and new ones mean what is there at last', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'old a',
        'Log.md': '# Log\n\n[[A]] first\n\n## Next\n\n[[A]] next\n',
      });
      const done = await wiki.run('commit_changes', {
        message: 'Archive',
        changes: [
          { op: 'section', path: 'Log', heading: 'Next', position: 'append', content: 'new [[A]]' },
          { op: 'edit', path: 'Log', edits: [{ old_string: 'first', new_string: 'First' }] },
          { op: 'move', path: 'A', new_path: 'Archive' },
          { op: 'write', path: 'A', content: 'new a [[A]]' },
        ],
      });
      expect(await wiki.content('Log')).toBe(
        '# Log\n\n[[Archive]] First\n\n## Next\n\n[[Archive]] next\nnew [[A]]\n',
      );
      expect(await wiki.content('A')).toBe('new a [[A]]');
      expect(done.updated_pages).toEqual(['Log']);
      expect(done.pages.map(({ path, previous_path }) => [path, previous_path])).toEqual([
        ['Log', undefined],
        ['Archive', 'A'],
        ['A', undefined],
      ]);
    });

    test('edits a section, and refuses one as edit_section does', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': '# A\n\n## B\n\nb\n\n### C\n\nc\n' });
      const section = { op: 'section', path: 'A', heading: 'B', position: 'replace', content: 'x' };
      const refused = await wiki.refused('commit_changes', { message: 'x', changes: [section] });
      expect(refused.code).toBe('would_truncate');
      const batch = (change: object) => wiki.refused('commit_changes', { message: 'x', changes: [change] });
      expect((await batch({ ...section, heading: 'Z' })).code).toBe('no_match');
      await wiki.run('commit_changes', {
        message: 'x',
        changes: [
          {
            op: 'section',
            path: 'A',
            heading: 'B',
            position: 'replace',
            content: 'x',
            include_subsections: true,
          },
        ],
      });
      expect(await wiki.content('A')).toBe('# A\n\n## B\n\nx\n');
    });

    test('moves a folder among other changes', async () => {
      const wiki = await openTestWiki(backend, {
        'a/One.md': '[[Two]]',
        'a/Two.md': '2',
        'Home.md': '[[a/One]] [[Two]]',
        'b/Two.md': 'other',
      });
      const done = await wiki.run('commit_changes', {
        message: 'Move',
        changes: [
          { op: 'write', path: 'a/New', content: '[[One]]' },
          { op: 'move', path: 'a/', new_path: 'z/y/' },
          { op: 'move', path: 'z/y/One', new_path: 'z/y/Uno' },
        ],
      });
      expect(await wiki.paths()).toEqual(['Home', 'b/Two', 'z/y/New', 'z/y/Two', 'z/y/Uno']);
      expect(await wiki.content('Home')).toBe('[[Uno]] [[y/Two]]');
      expect(await wiki.content('z/y/Uno')).toBe('[[Two]]');
      expect(await wiki.content('z/y/New')).toBe('[[One]]');
      expect(done.updated_pages).toEqual(['Home']);
      expect(done.pages.map(({ path, previous_path }) => [path, previous_path])).toEqual([
        ['z/y/New', undefined],
        ['z/y/', 'a/'],
        ['z/y/Uno', 'a/One'],
      ]);
    });

    test('reports what was deleted, and rewrites nothing that did not move', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'a',
        'x/A.md': 'other',
        'Home.md': '[[A]] [[B]]',
        'B.md': 'b',
      });
      const { version } = await wiki.run('read_page', { path: 'A' });
      const done = await wiki.run('commit_changes', {
        message: 'x',
        changes: [
          { op: 'delete', path: 'A', version },
          { op: 'append', path: 'New', content: '[[A]]' },
        ],
      });
      expect(done.retargeted).toEqual([{ page: 'Home', link: '[[A]]', old_target: 'A', new_target: 'x/A' }]);
      expect(done.updated_total).toBe(0);
    });
  });
}
