import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/**
 * Names that git brought in a decomposed Unicode form, or in two forms at once. The Ohm sign and the Kelvin sign have
 * other forms though nothing decomposes the letters that stand for them.
 */
export function unicodeFormsSuite(backend: Backend): void {
  describe('a letter with a mark', () => formsSuite(backend, '\u00dcb', 'U\u0308b'));
  describe('an Omega and the Ohm sign', () => formsSuite(backend, '\u03a9b', '\u2126b'));
  describe('a K and the Kelvin sign', () => formsSuite(backend, 'Kb', '\u212ab'));
}

function formsSuite(backend: Backend, composed: string, decomposed: string): void {
  describe('a folder in two Unicode forms', () => {
    const files = {
      [`${composed}/B.md`]: 'b\n',
      [`${decomposed}/A.md`]: '# Part\n\nold\n',
      [`${decomposed}/i.png`]: 'i',
      'Home.md': '[[A]]\n',
    };

    test('has one page of each path, whatever the operation', async () => {
      const wiki = await openTestWiki(backend, files);
      const path = `${composed}/A`;
      const names = () => wiki.git('ls-tree', '-rz', '--name-only', 'main');
      const before = await names();
      expect((await wiki.run('get_links', { path: 'Home' })).links_to).toEqual([path]);
      await wiki.run('append_to_page', { path, content: 'more\n' });
      expect(await wiki.content(path)).toBe('# Part\n\nold\nmore\n');
      await wiki.run('edit_page', { path, edits: [{ old_string: 'old', new_string: 'new' }] });
      const section = { path, heading: 'Part', operation: 'append' as const, content: 'last\n' };
      await wiki.run('edit_section', section);
      await wiki.run('update_frontmatter', { path, set: { tags: ['x'] } });
      const { version, content } = await wiki.run('read_page', { path });
      expect(content).toContain('new\nmore\n');
      expect(content).toContain('last\n');
      await wiki.run('write_page', { path, content: 'written\n', version: version ?? '' });
      expect(await names()).toBe(before);
      expect(await wiki.paths()).toEqual(['Home', path, `${composed}/B`]);
      const { folders } = await wiki.run('list_folder', {});
      expect(folders).toEqual([composed]);
      expect(await wiki.run('list_folder', { folder: composed })).toMatchObject({
        pages: ['A', 'B'],
        files: ['i.png'],
      });
      expect((await wiki.run('get_attachment', { path: `${composed}/i.png` })).size).toBe(1);

      await wiki.run('move_page', { path, new_path: 'X' });
      expect(await wiki.content('Home')).toBe('[[X]]\n');
      await wiki.run('move_page', { path: 'X', new_path: path });
      expect(await names()).toBe(before);
      const now = await wiki.run('read_page', { path });
      await wiki.run('delete_page', { path, version: now.version ?? '' });
      expect(await wiki.paths()).toEqual(['Home', `${composed}/B`]);
    });

    test('reports the links to a file of it that is deleted', async () => {
      const wiki = await openTestWiki(backend, { ...files, 'Use.md': '[[i.png]]\n' });
      const path = `${composed}/i.png`;
      const { version } = await wiki.run('get_attachment', { path });
      const deleted = await wiki.run('delete_attachment', { path, version });
      expect(deleted.broken_links).toEqual([{ path: 'Use', line: 1 }]);
      const link = { page: 'Use', link: '[[i.png]]', new_target: null };
      expect(deleted.retargeted).toMatchObject([link]);
    });

    test('moves whole, and every byte comes back', async () => {
      const wiki = await openTestWiki(backend, files);
      const before = await wiki.git('rev-parse', 'main^{tree}');
      await wiki.run('move_page', { path: `${composed}/`, new_path: 'C/' });
      expect(await wiki.git('ls-tree', '-r', '--name-only', 'main')).toBe('C/A.md\nC/B.md\nC/i.png\nHome.md');
      await wiki.run('move_page', { path: 'C/', new_path: `${composed}/` });
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);
    });

    test('stays one folder if a page comes back to it beside a new one', async () => {
      const page = { op: 'move' as const, path: 'X/A', new_path: `${composed}/A` };
      const folder = { op: 'move' as const, path: 'X/', new_path: `${composed}/` };
      const write = { op: 'write' as const, path: `${composed}/New`, content: 'new' };
      for (const changes of [
        [write, page],
        [page, write],
        [write, folder],
        [folder, write],
      ]) {
        const wiki = await openTestWiki(backend, { [`${decomposed}/A.md`]: 'a' });
        await wiki.run('move_page', { path: `${composed}/A`, new_path: 'X/A' });
        await wiki.run('commit_changes', { message: 'x', changes });
        expect((await wiki.git('ls-tree', '-z', '--name-only', 'main')).split('\0')).toHaveLength(2);
        expect(await wiki.paths()).toEqual([`${composed}/A`, `${composed}/New`]);
      }
    });

    test('is one folder within a batch too', async () => {
      const wiki = await openTestWiki(backend, { [`${decomposed}/A.md`]: 'old\n' });
      await wiki.run('commit_changes', {
        message: 'Write and edit',
        changes: [
          { op: 'write', path: `${composed}/N/New`, content: 'one\n' },
          { op: 'edit', path: `${composed}/N/New`, edits: [{ old_string: 'one', new_string: 'two' }] },
          { op: 'move', path: `${composed}/N/New`, new_path: `${composed}/Moved` },
          { op: 'append', path: `${composed}/Moved`, content: 'three\n' },
          { op: 'move', path: `${composed}/A`, new_path: 'A' },
        ],
      });
      expect(await wiki.paths()).toEqual(['A', `${composed}/Moved`]);
      expect(await wiki.content(`${composed}/Moved`)).toBe('two\nthree\n');
    });

    test('that holds one page in both moves only once that page is one', async () => {
      const both = { [`${composed}/A.md`]: 'shown\n', [`${decomposed}/A.md`]: 'hidden\n' };
      const wiki = await openTestWiki(backend, both);
      const refused = await wiki.refused('move_page', { path: `${composed}/`, new_path: 'C/' });
      expect(refused.code).toBe('already_exists');
      await wiki.run('move_page', { path: `${composed}/A`, new_path: 'Shown' });
      await wiki.run('move_page', { path: `${composed}/`, new_path: 'C/' });
      expect([await wiki.content('Shown'), await wiki.content('C/A')]).toEqual(['shown\n', 'hidden\n']);
    });
  });

  describe('a page that another form of its name hides', () => {
    const files = {
      'Home.md': `[[${composed}]]\n`,
      'Target.md': '# Part\n',
      [`${composed}.md`]: 'shown\n',
      [`${decomposed}.md`]: `[[Target]] [[${composed}]]\n`,
    };
    const hidden = (wiki: Awaited<ReturnType<typeof openTestWiki>>) =>
      wiki.git('cat-file', '-p', `main:${decomposed}.md`);

    test('has its links followed like every page', async () => {
      const wiki = await openTestWiki(backend, files);
      const before = await wiki.git('rev-parse', 'main^{tree}');
      const moved = await wiki.run('move_page', { path: 'Target', new_path: 'New' });
      expect(moved.updated_pages).toEqual([composed]);
      expect(await hidden(wiki)).toBe(`[[New]] [[${composed}]]`);
      await wiki.run('move_page', { path: 'New', new_path: 'Target' });
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);
    });

    test('has its links reported like every page', async () => {
      const wiki = await openTestWiki(backend, files);
      const { version } = await wiki.run('read_page', { path: 'Target' });
      const { retargeted } = await wiki.run('delete_page', { path: 'Target', version: version ?? '' });
      expect(retargeted).toEqual([
        { page: composed, link: '[[Target]]', old_target: 'Target', new_target: null },
      ]);
    });

    test('takes over no link when the visible one moves away', async () => {
      const wiki = await openTestWiki(backend, files);
      const place = `sub/${composed}`;
      await wiki.run('move_page', { path: composed, new_path: place });
      expect(await wiki.content('Home')).toBe(`[[${place}]]\n`);
      expect(await wiki.content(composed)).toBe(`[[Target]] [[${place}]]\n`);
      expect((await wiki.run('get_links', { path: place })).linked_from).toHaveLength(2);
    });

    test('is reported as the new target of links when the visible one is deleted', async () => {
      const wiki = await openTestWiki(backend, {
        ...files,
        [`${decomposed}.md`]: '---\naliases: [Missing]\n---\n',
        'Other.md': '[[Missing]]\n',
      });
      const { version } = await wiki.run('read_page', { path: composed });
      const { retargeted } = await wiki.run('delete_page', { path: composed, version: version ?? '' });
      expect(retargeted).toEqual([
        { page: 'Home', link: `[[${composed}]]`, old_target: composed, new_target: composed },
        { page: 'Other', link: '[[Missing]]', old_target: null, new_target: composed },
      ]);
    });

    test('is a finding, also if its folder has the other form', async () => {
      const wiki = await openTestWiki(backend, {
        [`${composed}/A.md`]: 'shown\n',
        [`${decomposed}/A.md`]: 'hidden\n',
      });
      const { findings } = await wiki.run('check_wiki', { kinds: ['unportable_name'] });
      expect(findings.filter(({ path }) => path === `${composed}/A`).map(({ detail }) => detail)).toEqual([
        `Nobody can read or edit the file ${JSON.stringify(`${decomposed}/A.md`)}: ${JSON.stringify(`${composed}/A.md`)} has the same path in another Unicode form. Rename one of them with git.`,
      ]);
    });
  });

  describe('a page stored decomposed comes back as it was', () => {
    const files = {
      [`a/${decomposed}.md`]: '![i](i.png)\n',
      'a/i.png': 'i',
      [`${decomposed}/A.md`]: `![[${decomposed}.png]]\n`,
      [`${decomposed}/${decomposed}.png`]: 'u',
      'Home.md': `[[${composed}]] [[A]]\n`,
    };

    test.each([
      [`a/${composed}`, 'a/Y', true],
      [`a/${composed}`, 'b/Y', true],
      [`a/${composed}`, 'b/Y', false],
      [`${composed}/A`, 'A', true],
      [`${composed}/`, 'Y/', true],
      [`${composed}/`, 'Y/', false],
      ['a/', 'b/', true],
    ])('%s by way of %s, with links %s', async (path, place, update_links) => {
      const wiki = await openTestWiki(backend, files);
      const before = await wiki.git('rev-parse', 'main^{tree}');
      const there = await wiki.run('move_page', { path, new_path: place, update_links });
      const input = { path: place, new_path: path, update_links };
      const dry = await wiki.run('move_page', { ...input, dry_run: true });
      const back = await wiki.run('move_page', input);
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);
      expect([dry.version, back.version]).toEqual([there.previous_version, there.previous_version]);
    });

    test('also by a batch', async () => {
      const wiki = await openTestWiki(backend, files);
      const before = await wiki.git('rev-parse', 'main^{tree}');
      const move = (from: string, to: string) =>
        wiki.run('commit_changes', {
          message: 'Move',
          changes: [{ op: 'move', path: from, new_path: to }],
        });
      await move(`a/${composed}`, 'a/Y');
      await move('a/Y', `a/${composed}`);
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);
    });
  });
}
