import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Links whose text or place makes them hard to rewrite, or to see. */
export function oddLinksSuite(backend: Backend): void {
  describe('a Markdown link to a name with a bar', () => {
    const row = (link: string) => `| h | y |\n|---|---|\n| ${link} | y |\n`;

    test.each([
      ['[x](d/a%7Cb.md)', '[x](e/a%7Cb.md)'],
      ['[x](<d/a\\|b.md>)', '[x](<e/a%7Cb.md>)'],
      ['[x](d/a\\|b.md#p)', '[x](e/a%7Cb.md#p)'],
      ['![i](d/a%7Cb/i.png?raw=1)', '![i](e/a%7Cb/i.png?raw=1)'],
    ])('in a table, %s, is still one cell after a move', async (link, moved) => {
      const wiki = await openTestWiki(backend, {
        'd/a|b.md': '# p\n',
        'd/a|b/i.png': 'i',
        'P.md': row(link),
      });
      await wiki.run('move_page', { path: 'd/', new_path: 'e/' });
      expect(await wiki.content('P')).toBe(row(moved));
    });

    test('outside of a table keeps its bar', async () => {
      const wiki = await openTestWiki(backend, { 'd/a|b.md': '', 'P.md': '[x](d/a|b.md)\n' });
      await wiki.run('move_page', { path: 'd/', new_path: 'e/' });
      expect(await wiki.content('P')).toBe('[x](e/a|b.md)\n');
    });
  });

  test('a wikilink far down in a table without bars gets an escaped bar, one far down on a line does not', async () => {
    const rows = 'some row text without a bar\n'.repeat(220);
    const wiki = await openTestWiki(backend, {
      'A.md': 'a\n',
      'B.md': 'b\n',
      'P.md': `| N |\n|---|\n${rows}[[A]]\n`,
      'Q.md': `text\n\n${'word '.repeat(1_200)}[[A]]\n`,
    });
    const changes = [{ op: 'merge' as const, path: 'A', new_path: 'B' }];
    await wiki.run('commit_changes', { message: 'm', changes });
    expect(await wiki.content('P')).toBe(`| N |\n|---|\n${rows}[[B\\|A]]\n`);
    expect(await wiki.content('Q')).toMatch(/\[\[B\|A\]\]/);
  });

  test.each(['w/', 'AC/', 'a/./', `q${'#x'.repeat(9)}`])('an alias %s is followed', async (alias) => {
    const files = {
      'A.md': `---\naliases: [${JSON.stringify(alias)}]\n---\n`,
      'B.md': 'b\n',
      'P.md': `[[${alias}]]\n`,
    };
    const wiki = await openTestWiki(backend, files);
    expect((await wiki.run('get_links', { path: 'P' })).links_to).toEqual(['A']);
    const changes = [{ op: 'merge' as const, path: 'A', new_path: 'B' }];
    await wiki.run('commit_changes', { message: 'm', changes });
    expect(await wiki.content('P')).toBe(`[[B|${alias}]]\n`);
  });

  test('a name with nine # is followed', async () => {
    const name = `q${'#x'.repeat(9)}`;
    const wiki = await openTestWiki(backend, { [`${name}.md`]: '', 'P.md': `[[${name}]] [[${name}#h]]\n` });
    expect((await wiki.run('get_links', { path: 'P' })).links_to).toEqual([name]);
    await wiki.run('move_page', { path: name, new_path: 'Z' });
    expect(await wiki.content('P')).toBe('[[Z]] [[Z#h]]\n');
  });

  test('an alias never makes a path from the root lead anywhere', async () => {
    const wiki = await openTestWiki(backend, {
      'A.md': '---\naliases: ["/etc/fstab"]\n---\n',
      'P.md': '[[/etc/fstab]]\n',
    });
    expect((await wiki.run('get_links', { path: 'P' })).links_to).toEqual([]);
  });

  test.each(['m/clip.3gp', 'm/a.7z', 'm/scan.001'])(
    '%s stays what its links mean beside a page of the name',
    async (path) => {
      const name = path.slice(2);
      const wiki = await openTestWiki(backend, {
        [path]: '1',
        'X.md': '',
        'P.md': `![[${name}]] [z](${path})\n`,
      });
      const { retargeted } = await wiki.run('move_page', { path: 'X', new_path: path });
      expect(retargeted).toBeUndefined();
      expect((await wiki.run('get_links', { path: 'P' })).attachments).toEqual([path]);
    },
  );

  test('a broken link to a page N.md.md suggests where it went', async () => {
    const wiki = await openTestWiki(backend, { 'N.md.md': '', 'P.md': '[[N.md.md]] [x](N.md.md)\n' });
    await wiki.run('move_page', { path: 'N.md.md', new_path: 'Zebra', update_links: false });
    const { findings } = await wiki.run('check_wiki', { kinds: ['broken_link'] });
    expect(findings.map(({ suggestions }) => suggestions)).toEqual([['Zebra'], ['Zebra']]);
  });

  test('a broken link suggests pages whose names end as files do, and files', async () => {
    const wiki = await openTestWiki(backend, {
      'rel/v1.2rc1.md': '',
      'rel/Node.js.md': '',
      'rel/clip.3gp': '1',
      'P.md':
        '[x](relz/v1.2rc1.md) [[relz/v1.2rc1]] [[v1.2rc2]] [n](lib/Node.js.md) [[lib/Node.js]] [c](lib/clip.3gp) [[clpi.3gp]]\n',
    });
    const { findings } = await wiki.run('check_wiki', { kinds: ['broken_link'] });
    expect(findings.map(({ suggestions }) => suggestions)).toEqual([
      ['rel/v1.2rc1'],
      ['rel/v1.2rc1'],
      ['rel/v1.2rc1'],
      ['rel/Node.js'],
      ['rel/Node.js'],
      ['rel/clip.3gp'],
      ['rel/clip.3gp'],
    ]);
  });

  test('a folder whose name ends in .md is listed', async () => {
    const wiki = await openTestWiki(backend, { 'N.md/A.md': '', 'N/B.md': '' });
    expect(await wiki.run('list_folder', { folder: 'N.md' })).toMatchObject({ pages: ['A'] });
    expect(await wiki.run('list_folder', { folder: 'N' })).toMatchObject({ pages: ['B'] });
  });

  test('a link to an alias with a # names the whole page still when a page of the name before it comes', async () => {
    const wiki = await openTestWiki(backend, {
      'Home.md': '---\naliases: ["Plan#Part"]\n---\n## Part\n',
      'Notes.md': 'See [[Plan#Part|shown]] there.\n',
    });
    await wiki.run('move_page', { path: 'Home', new_path: 'Plan' });
    expect(await wiki.content('Notes')).toBe('See [[Plan|shown]] there.\n');
  });
}
