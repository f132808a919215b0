import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** Links to pages and aliases whose names look like something else. */
export function oddNamesSuite(backend: Backend): void {
  describe('a page whose own name ends in .md', () => {
    const files = {
      'docs/README.md.md': '# R\n',
      'docs/P.md': '[r](README.md.md) [[README.md.md]]\n',
      'T.md': '[t](docs/README.md.md) [[New.md.md]]\n',
    };

    test('is where links lead that name it, whatever other pages there are', async () => {
      const wiki = await openTestWiki(backend, files);
      const { links_to, broken } = await wiki.run('get_links', { path: 'docs/P' });
      expect([links_to, broken]).toEqual([['docs/README.md.md'], []]);
      expect((await wiki.run('check_wiki', { kinds: ['broken_link'] })).findings).toMatchObject([
        { path: 'T', detail: expect.stringContaining('New.md.md') },
      ]);
    });

    test('takes its links along', async () => {
      const wiki = await openTestWiki(backend, files);
      await wiki.run('move_page', { path: 'docs/', new_path: 'd2/' });
      expect(await wiki.content('T')).toBe('[t](d2/README.md.md) [[New.md.md]]\n');
      await wiki.run('move_page', { path: 'd2/', new_path: 'docs/' });
      await wiki.run('move_page', { path: 'docs/README.md.md', new_path: 'docs/Intro' });
      expect(await wiki.content('docs/P')).toBe('[r](Intro.md) [[Intro.md]]\n');
    });

    test('is read by the path that an answer names, beside the page without it', async () => {
      const wiki = await openTestWiki(backend, {
        ...files,
        'docs/README.md': '# The other\n',
        'U.MD.md': 'u\n',
      });
      const { pages } = await wiki.run('list_folder', { folder: 'docs' });
      expect(pages).toEqual(['P', 'README', 'README.md.md']);
      const named = [
        ...pages.map((name) => `docs/${name}`),
        ...(await wiki.run('list_pages', {})).pages.map(({ path }) => path),
        ...(await wiki.run('search_pages', { query: 'R' })).hits.map(({ path }) => path),
      ];
      for (const path of named) expect((await wiki.run('read_page', { path })).path).toBe(path);
      expect(await wiki.content('docs/README.md.md')).toBe('# R\n');
      expect(await wiki.content('docs/README.md')).toBe('# The other\n');
      expect(await wiki.content('U.MD.md')).toBe('u\n');
      const { version } = await wiki.run('read_page', { path: 'docs/README.md.md' });
      await wiki.run('write_page', { path: 'docs/README.md.md', content: '# New\n', version });
      expect(await wiki.git('show', 'main:docs/README.md.md')).toBe('# New');
      expect(await wiki.git('show', 'main:docs/README.md')).toBe('# The other');
    });

    test('is reported if links lose it', async () => {
      const wiki = await openTestWiki(backend, files);
      const { version } = await wiki.run('read_page', { path: 'docs/README.md.md' });
      const gone = await wiki.run('delete_page', { path: 'docs/README.md.md', version });
      expect(gone.retargeted_total).toBe(3);
    });
  });

  test('a new page cannot have such a name, and the page without it stays as it is', async () => {
    const wiki = await openTestWiki(backend, { 'N.md': 'mine\n', 'Old.md.md': 'old\n' });
    const path = 'N.md.md';
    const refused = [
      await wiki.refused('write_page', { path, content: 'other\n' }),
      await wiki.refused('append_to_page', { path, content: 'other\n', create: true }),
      await wiki.refused('move_page', { path: 'N', new_path: 'M.md.md' }),
      await wiki.refused('commit_changes', {
        message: 'x',
        changes: [{ op: 'write', path, content: 'other\n' }],
      }),
    ];
    expect(refused.map(({ code }) => code)).toEqual(Array(4).fill('invalid_path'));
    const { version, commit } = await wiki.run('read_page', { path: 'Old.md.md' });
    await wiki.run('delete_page', { path: 'Old.md.md', version });
    expect((await wiki.refused('restore_page', { path: 'Old.md.md', commit })).code).toBe('invalid_path');
    expect(await wiki.git('ls-tree', '--name-only', 'main')).toBe('N.md');
    expect(await wiki.content('N')).toBe('mine\n');
  });

  test('an alias may hold a #, and comes after every name', async () => {
    const wiki = await openTestWiki(backend, {
      'A.md': '---\naliases: ["C#", "F# Lang", "N#1"]\n---\n# Intro\n',
      'N.md': '# 1\n',
      'P.md': '[[C#]] [[C#|y]] [[F# Lang#Intro]] [[N#1]]\n',
    });
    const { links_to, broken } = await wiki.run('get_links', { path: 'P' });
    expect([links_to.toSorted(), broken]).toEqual([['A', 'N'], []]);
    expect(await wiki.run('read_page', { path: 'C#' })).toMatchObject({ path: 'A' });
    await wiki.run('move_page', { path: 'A', new_path: 'x/A' });
    expect(await wiki.content('P')).toBe('[[C#]] [[C#|y]] [[F# Lang#Intro]] [[N#1]]\n');
    const changed = await wiki.run('update_frontmatter', { path: 'x/A', set: { aliases: ['F# Lang'] } });
    expect(changed.retargeted).toMatchObject([
      { page: 'P', link: '[[C#]]', new_target: null },
      { page: 'P', link: '[[C#|y]]', new_target: null },
    ]);
  });

  test('a link to a part of a file whose name has one letter leads there from a page that moves', async () => {
    const wiki = await openTestWiki(backend, { S: 's', 'B.md': 'b', 'P.md': '[[S#x]] [[B]]\n' });
    await wiki.run('move_page', { path: 'P', new_path: 'd/P' });
    expect(await wiki.content('d/P')).toBe('[[S#x]] [[B]]\n');
    expect((await wiki.run('get_links', { path: 'd/P' })).attachments).toEqual(['S']);
  });

  test('a link to a file whose name begins with a space follows it', async () => {
    const wiki = await openTestWiki(backend, { 'd/ A.md': '', 'd/P.md': '[a](%20A.md)\n' });
    expect((await wiki.run('get_links', { path: 'd/P' })).broken).toEqual([]);
    await wiki.run('move_page', { path: 'd/ A', new_path: 'd/AA' });
    expect(await wiki.content('d/P')).toBe('[a](AA.md)\n');
  });
}
