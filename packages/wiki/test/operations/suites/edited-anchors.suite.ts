import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** The effects of a page's edit on links that lead to a part of it. */
export function editedAnchorsSuite(backend: Backend): void {
  describe('anchors that an edit leads elsewhere', () => {
    const PAGE = '# P\n\n## Setup\n\nold\n\n## Use\n\ntext ^b1\n\n<a id="here"></a>\n';

    test('are reported if their heading, block or element is gone, and not rewritten', async () => {
      const wiki = await openTestWiki(backend, {
        'P.md': PAGE,
        'A.md': '[[P#Setup]] [[P#Use]] [[P#^b1]] [x](P.md#here) [y](P.md#setup) [[P]]\n',
        'B.md': '[[P#Gone]] [[#Setup]]\n',
      });
      const edited = await wiki.run('edit_page', {
        path: 'P',
        edits: [
          { old_string: '## Setup', new_string: '## Install' },
          { old_string: ' ^b1', new_string: '' },
          { old_string: 'id="here"', new_string: 'id="there"' },
        ],
      });
      expect(edited).toMatchObject({
        retargeted_total: 4,
        retargeted: [
          { page: 'A', link: '[[P#Setup]]', old_target: 'P#Setup', new_target: 'P' },
          { page: 'A', link: '[[P#^b1]]', old_target: 'P#^b1', new_target: 'P' },
          { page: 'A', link: '[x](P.md#here)', old_target: 'P#here', new_target: 'P' },
          { page: 'A', link: '[y](P.md#setup)', old_target: 'P#setup', new_target: 'P' },
        ],
      });
    });

    test('are reported if another section comes before theirs under the same heading', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': PAGE, 'A.md': '[[P#Setup]] [[P#Use]]\n' });
      const before = await wiki.run('edit_page', {
        path: 'P',
        edits: [{ old_string: '## Setup\n', new_string: '## Setup\n\nnew\n\n## Setup\n' }],
      });
      expect(before.retargeted).toEqual([
        { page: 'A', link: '[[P#Setup]]', old_target: 'P#Setup', new_target: 'P#Setup' },
      ]);
      const behind = await wiki.run('append_to_page', { path: 'P', content: '\n## Use\n\nmore\n' });
      expect(behind.retargeted_total).toBeUndefined();
    });

    test('are none if the page is written anew with the same headings, or in another order', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': PAGE, 'A.md': '[[P#Setup]] [[P#Use]] [[P#^b1]]\n' });
      const { version } = await wiki.run('read_page', { path: 'P' });
      const content = '# P\n\n## Use\n\nother ^b1\n\n## New\n\n## Setup\n\nother\n';
      const written = await wiki.run('write_page', { path: 'P', content, version });
      expect(written.retargeted_total).toBeUndefined();
    });

    test('are reported of a batch that edits the page and moves it', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': PAGE, 'A.md': '[[P#Setup]] [[P#Use]]\n' });
      const done = await wiki.run('commit_changes', {
        message: 'Rename',
        changes: [
          { op: 'edit', path: 'P', edits: [{ old_string: '## Setup', new_string: '## Install' }] },
          { op: 'move', path: 'P', new_path: 'Q' },
        ],
      });
      expect(await wiki.content('A')).toBe('[[Q#Setup]] [[Q#Use]]\n');
      expect(done.retargeted).toEqual([
        { page: 'A', link: '[[Q#Setup]]', old_target: 'P#Setup', new_target: 'Q' },
      ]);
    });
  });

  test('a link whose name ends in a capital sigma follows its page, and is reported', async () => {
    const wiki = await openTestWiki(backend, {
      'n/ΟΔΟΣ.md': '# ΟΔΟΣ\n',
      'Home.md': '[[ΟΔΟΣ]] [[οδος#οδοσ]]\n',
    });
    const written = await wiki.write('ΟΔΟΣ', 'another\n');
    expect(written.retargeted_total).toBe(2);
    const gone = await wiki.run('delete_page', { path: 'ΟΔΟΣ', version: written.version ?? '' });
    expect(gone.retargeted_total).toBe(2);
    expect((await wiki.run('check_wiki', { kinds: ['broken_anchor'] })).total).toBe(0);
    await wiki.run('move_page', { path: 'n/ΟΔΟΣ', new_path: 'n/Street' });
    expect(await wiki.content('Home')).toBe('[[Street]] [[Street#οδοσ]]\n');
  });

  test('a relative link leads to a name that holds a hash, and follows it', async () => {
    const wiki = await openTestWiki(backend, {
      'x/C# Guide.md': '# Part\n',
      'x/Home.md': '[[./C# Guide]] [[./C# Guide#Part]] [[../x/C# Guide]]\n',
    });
    expect(await wiki.run('get_links', { path: 'x/Home' })).toMatchObject({
      links_to: ['x/C# Guide'],
      broken: [],
    });
    await wiki.run('move_page', { path: 'x/C# Guide', new_path: 'x/C Sharp' });
    expect(await wiki.content('x/Home')).toBe('[[./C Sharp]] [[./C Sharp#Part]] [[./C Sharp]]\n');
  });
}
