import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Links that keep their place, in text that an edit turned into frontmatter, code or a comment. */
export function hiddenLinksSuite(backend: Backend): void {
  const others = { 'Q.md': 'q', 'R.md': 'r' };
  const edit = (old_string: string, new_string: string) => ({ edits: [{ old_string, new_string }] });

  describe('links that an edit hides', () => {
    const hidden: [string, string, ReturnType<typeof edit>, string[]][] = [
      ['closed frontmatter', '---\n\nSee [[Q]].\n\n# H\n\n[[R]]\n', edit('# H', '---'), ['[[Q]]']],
      [
        'opened frontmatter',
        'Top\nx: see [[Q]]\ny: "[[R]]"\n\n---\n\n[[R]]\n',
        edit('Top', '---'),
        ['[[Q]]'],
      ],
      ['unread frontmatter', '---\nup: "[[Q]]"\nx: 1\n---\n[[R]]\n', edit('x: 1', 'x: ['), ['[[Q]]']],
      ['code', 'a\n\n[[Q]] [r](R.md)\r\n[[None]]\n', edit('a', '```'), ['[[Q]]', '[r](R.md)']],
      ['a comment', 'a\n\n[[Q]]\n\n-->\n[[Q]] [[R]]\n', edit('a', '<!-- b'), ['[[Q]]']],
      ['HTML', '[[R]]\n\na\n\n[[Q]]\n[[Q]]\n', edit('a', '<pre>'), ['[[Q]]', '[[Q]]']],
      ['indented code', '- a\n\n    [[Q]] [[R]]\n\n[[R]]\n', edit('- a', 'b'), ['[[Q]]', '[[R]]']],
      ['a paragraph', '[x]\n\na\n\n[x]: Q.md\n', edit('a\n\n', 'a\n'), ['[x]: Q.md']],
      ['a code span', 'a\n[[Q]]\n`b` [[R]]\n', edit('a', '`a'), ['[[Q]]']],
      [
        'code, over lines',
        'a\n\nSee [the\nlong](Q.md) [[R]], [x\n\ty](R.md)\n',
        edit('a', '```'),
        ['[the\nlong](Q.md)', '[[R]]', '[x\n\ty](R.md)'],
      ],
      ['TOML', 'a\n[[Q]]\n\n+++\n[[R]]\n', edit('a', '+++'), ['[[Q]]']],
    ];

    test('are reported, in every kind of text that hides them', async () => {
      const pages = hidden.map(([what, text]) => [`n/${what}.md`, text]);
      const wiki = await openTestWiki(backend, { ...others, ...Object.fromEntries(pages) });
      for (const [what, , edits, links] of hidden) {
        const path = `n/${what}`;
        const dry = await wiki.run('edit_page', { path, ...edits, dry_run: true });
        const changes = [
          { op: 'edit' as const, path, ...edits },
          { op: 'move' as const, path, new_path: what },
        ];
        const batch = await wiki.run('commit_changes', { message: 'x', changes, dry_run: true });
        const done = await wiki.run('edit_page', { path, ...edits });
        const led = (link: string) => (link.includes('R') ? 'R' : 'Q');
        const on = (page: string) =>
          links.map((link) => ({ page, link, old_target: led(link), new_target: null }));
        expect(done.retargeted, what).toEqual(on(path));
        expect(dry.retargeted, what).toEqual(done.retargeted);
        expect(batch.retargeted, what).toEqual(on(what));
      }
    });

    test('are reported by edit_section', async () => {
      const wiki = await openTestWiki(backend, { ...others, 'P.md': '# A\n\n[[Q]]\n\n# B\n\n[[R]]\n' });
      const input = { heading: 'A', operation: 'append' as const, content: '~~~\n[[R]]\n' };
      const done = await wiki.run('edit_section', { path: 'P', ...input });
      expect(done.retargeted).toEqual([{ page: 'P', link: '[[R]]', old_target: 'R', new_target: null }]);
    });

    test('are reported if another definition of their label comes first', async () => {
      const wiki = await openTestWiki(backend, {
        ...others,
        'P.md': '# A\n\n# B\n\n[one][x] [two][y]\n\n[x]: Q.md#top\n[y]: R.md\n',
      });
      const content = '[X]: R.md\n\n[y]: <R.md>\n';
      const section = { path: 'P', heading: 'A', operation: 'append' as const, content };
      const done = await wiki.run('edit_section', section);
      const shadowed = { page: 'P', link: '[x]: Q.md#top', old_target: 'Q', new_target: 'R' };
      expect(done.retargeted).toEqual([shadowed]);
      // Text that the request overwrites, and text after it, changes no other link.
      const over = await wiki.run('edit_page', { path: 'P', ...edit('[X]: R.md', '[X]: https://a.org') });
      expect(over.retargeted).toBeUndefined();
      const behind = await wiki.run('append_to_page', { path: 'P', content: '\n[x]: Q.md\n' });
      expect(behind.retargeted).toBeUndefined();
      const away = await wiki.run('edit_page', { path: 'P', ...edit('# A', '[y]: https://b.org') });
      expect(away.retargeted).toEqual([
        { page: 'P', link: '[y]: <R.md>', old_target: 'R', new_target: null },
      ]);
    });

    test('are reported beside equal links whose page the same batch deletes', async () => {
      const definitions = '[a]\n\n[a]: Q.md\n\n[a]: Q.md\n\n[a]: Q.md\n';
      const wiki = await openTestWiki(backend, {
        ...others,
        'P.md': 'a\n\n[[Q]] [[R]]\n\n-->\n\n[[Q]]\n\n[[Q]] [[R]]\n',
        'S.md': `# A\n\n# B\n\n${definitions}`,
      });
      const { version } = await wiki.run('read_page', { path: 'Q' });
      const changes = [
        { op: 'edit' as const, path: 'P', ...edit('a', '<!-- a') },
        { op: 'edit' as const, path: 'S', ...edit('# A', '[a]: R.md') },
        { op: 'delete' as const, path: 'Q', version },
      ];
      const { retargeted = [] } = await wiki.run('commit_changes', { message: 'x', changes });
      const from = (page: string) =>
        retargeted.filter((each) => each.page === page).map((each) => [each.link, each.new_target]);
      const gone = ['[[Q]]', null];
      expect(from('P').sort()).toEqual([gone, gone, gone, ['[[R]]', null]]);
      const lost = ['[a]: Q.md', null];
      expect(from('S')).toEqual([lost, lost, ['[a]: Q.md', 'R']]);
    });

    test('name both parts of a page where a definition of the same page precedes', async () => {
      const page = (anchor: string) => `a\n\n[x]: Q.md${anchor}\n\n[x]\n`;
      const wiki = await openTestWiki(backend, {
        'Q.md': '# One\n\n# Two\n',
        'P.md': page('#one'),
        'S.md': page('#one'),
      });
      const moved = await wiki.run('edit_page', { path: 'P', ...edit('a', '[x]: Q.md#two') });
      expect(moved.retargeted).toEqual([
        { page: 'P', link: '[x]: Q.md#one', old_target: 'Q#one', new_target: 'Q#two' },
      ]);
      const same = await wiki.run('edit_page', { path: 'S', ...edit('a', '[x]: <Q.md#one>') });
      expect(same.retargeted).toBeUndefined();
    });

    const unhidden: [string, string, ReturnType<typeof edit>][] = [
      ['a link that it removes', '[[Q]] a\n\n---\n', edit('[[Q]] a', '<b>')],
      ['a link that stood in code', '```\n[[Q]]\n```\n\na\n\n[[Q]]\n', edit('a', '`a`')],
      [
        'lines that change places',
        '[[Q]]\n\n```\n[[Q]]\n```\n',
        edit('[[Q]]\n\n```\n[[Q]]\n```', '```\n[[Q]]\n```\n\n[[Q]]'),
      ],
      ['properties that change', '---\nup: "[[Q]]"\n---\n[[Q]]\n', edit('up:', 'x: 1\nup:')],
      ['text that becomes links', '```\n[[Q]]\n```\n', edit('```\n[[Q]]\n```', '[[Q]]')],
    ];

    test('are not confused with others', async () => {
      const pages = unhidden.map(([what, text]) => [`${what}.md`, text]);
      const wiki = await openTestWiki(backend, { ...others, ...Object.fromEntries(pages) });
      for (const [path, , edits] of unhidden)
        expect((await wiki.run('edit_page', { path, ...edits })).retargeted, path).toBeUndefined();
    });
  });
}
