import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Links in frontmatter, which Obsidian calls properties. */
export function propertiesSuite(backend: Backend): void {
  describe('a link in the frontmatter', () => {
    const files = {
      'Home.md':
        '---\n# why\nup: "[[Notes]]" # one\nsee:\n  - \'[[x/Plan#Part|It\'\'s so]]\'\n  - text [[Notes]]\nold: [[Notes]]\ndeep: {cover: "[[pic.png]]"}\nlong: >-\n  [[No\n  where]]\n---\nbody\n',
      'Notes.md': 'n',
      'x/Plan.md': '## Part\n',
      'pic.png': 'image',
    };

    test('is shown, checked, and counts as a link to its page', async () => {
      const wiki = await openTestWiki(backend, files);
      expect(await wiki.run('get_links', { path: 'Home' })).toMatchObject({
        links_to: ['Notes', 'x/Plan'],
        attachments: ['pic.png'],
        broken: [{ target: 'No where', line: 9 }],
      });
      expect((await wiki.run('get_links', { path: 'Notes' })).linked_from).toEqual(['Home']);
      const { findings } = await wiki.run('check_wiki', { kinds: ['broken_link', 'orphan'] });
      expect(findings.map(({ kind, path, line }) => [kind, path, line])).toEqual([
        ['broken_link', 'Home', 9],
      ]);
    });

    test('is rewritten at a move, and every other byte of the YAML stays', async () => {
      const wiki = await openTestWiki(backend, files);
      const moved = await wiki.run('move_page', { path: 'x/Plan', new_path: "y/L'été" });
      expect(moved.updated_pages).toEqual(['Home']);
      await wiki.run('move_page', { path: 'Notes', new_path: 'y/New' });
      const text = files['Home.md'];
      const now = text.replace('"[[Notes]]"', '"[[New]]"').replace('x/Plan#', "L''été#");
      expect(await wiki.content('Home')).toBe(now);
      await wiki.run('move_page', { path: 'Home', new_path: 'z/Home' });
      expect(await wiki.content('z/Home')).toBe(now);
      expect((await wiki.run('get_links', { path: 'z/Home' })).attachments).toEqual(['z/pic.png']);
    });

    test('is reported if it leads elsewhere, as it reads without the quotes', async () => {
      const wiki = await openTestWiki(backend, files);
      const { version } = await wiki.run('read_page', { path: 'x/Plan' });
      const gone = await wiki.run('delete_page', { path: 'x/Plan', version });
      expect(gone.retargeted).toEqual([
        { page: 'Home', link: "[[x/Plan#Part|It's so]]", old_target: 'x/Plan', new_target: null },
      ]);
      const edit = { path: 'Home', set: { aliases: ['No where'] } };
      expect((await wiki.run('update_frontmatter', edit)).retargeted).toEqual([
        { page: 'Home', link: '[[No where]]', old_target: null, new_target: 'Home' },
      ]);
    });

    test('is reported if no wikilink can hold the new name', async () => {
      const wiki = await openTestWiki(backend, {
        ...files,
        'P.md': '---\nup: "[[Notes]]"\n---\n[[Notes]]\n',
      });
      const moved = await wiki.run('move_page', { path: 'Notes', new_path: 'x [y]' });
      expect(moved.retargeted).toEqual([
        { page: 'Home', link: '[[Notes]]', old_target: 'Notes', new_target: null },
        { page: 'P', link: '[[Notes]]', old_target: 'Notes', new_target: null },
      ]);
      expect(await wiki.content('P')).toContain('up: "[[Notes]]"\n---\n[x');
    });

    test('is reported if the frontmatter would grow too large to be read', async () => {
      const yaml = `a: ${'x'.repeat(29_970)}\nup: "[[Notes]]"\n`;
      const wiki = await openTestWiki(backend, { 'Notes.md': 'n', 'P.md': `---\n${yaml}---\n[[Notes]]\n` });
      const moved = await wiki.run('move_page', { path: 'Notes', new_path: 'A name that is longer' });
      expect(moved.retargeted).toEqual([
        { page: 'P', link: '[[Notes]]', old_target: 'Notes', new_target: null },
      ]);
      expect(await wiki.content('P')).toBe(`---\n${yaml}---\n[[A name that is longer]]\n`);
    });

    test('becomes shorter also behind one that may not grow', async () => {
      const yaml = (other: string) => `a: ${'x'.repeat(29_940)}\nup: "[[Notes]]"\nnext: "[[${other}]]"\n`;
      const wiki = await openTestWiki(backend, {
        'Notes.md': 'n',
        'A long name.md': 'l',
        'P.md': `---\n${yaml('A long name')}---\n`,
      });
      const moves = [
        { op: 'move', path: 'Notes', new_path: 'A name that is longer by far than it was' },
        { op: 'move', path: 'A long name', new_path: 'S' },
      ] as const;
      await wiki.run('commit_changes', { message: 'Rename two', changes: [...moves] });
      expect(await wiki.content('P')).toBe(`---\n${yaml('S')}---\n`);
    });
  });
}
