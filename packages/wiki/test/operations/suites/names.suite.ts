import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

const names = [
  'Plain',
  'With spaces and more',
  'C# & 100%',
  '%20 literal',
  'What (really) [yes] {no}',
  'Größe',
  '日本語/東京',
  'Русский/Страница',
  'العربية/صفحة',
  'हिन्दी/पृष्ठ',
  '🎉/👨‍👩‍👧',
  "it's quoted, & so on; $HOME `x`",
  '-dash',
  '~tilde^caret',
  'x'.repeat(200),
  'v1.2.3',
];

/** Pages whose names and contents are unlike what most people write. */
export function namesSuite(backend: Backend): void {
  describe('a page called', () => {
    test.each(names)('%j can be created, read, edited, moved and deleted', async (name) => {
      const wiki = await openTestWiki(backend);
      const path = name.normalize('NFC');
      const made = await wiki.write(path, '# Title\n');
      expect(made.path).toBe(path);
      expect(await wiki.git('rev-parse', `main:${path}.md`)).toBe(made.version);
      await wiki.run('append_to_page', { path, content: 'more' });
      expect(await wiki.content(path)).toBe('# Title\nmore\n');
      expect(await wiki.paths()).toEqual([path]);
      expect((await wiki.run('search_pages', { query: 'more' })).hits[0]?.path).toBe(path);
      expect((await wiki.run('get_history', { path })).entries).toHaveLength(2);

      await wiki.write(
        'Linker',
        `[text](<${path.replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('?', '%3F')}.md>)\n`,
      );
      expect((await wiki.run('get_links', { path })).linked_from).toEqual(['Linker']);
      const moved = await wiki.run('move_page', { path, new_path: `Moved/${path}` });
      expect(moved.updated_pages).toEqual(['Linker']);
      expect((await wiki.run('get_links', { path: 'Linker' })).links_to).toEqual([`Moved/${path}`]);
      const deleted = await wiki.run('delete_page', { path: `Moved/${path}`, version: moved.version ?? '' });
      expect(deleted.broken_total).toBe(1);
    });
  });

  describe('a page made elsewhere', () => {
    const odd = ['trailing space ', 'dot.', 'back\\slash', 'CON', '.hidden/x', 'tab\there', 'a'.repeat(240)];

    test('is listed, read and edited whatever its name', async () => {
      const files = Object.fromEntries(odd.map((name) => [`${name}.md`, `# ${name.length}\n`]));
      const wiki = await openTestWiki(backend, files);
      const shown = odd.filter((name) => !name.startsWith('.'));
      expect((await wiki.paths()).toSorted()).toEqual(shown.toSorted());
      expect((await wiki.run('list_pages', { prefix: '.hidden/' })).total).toBe(1);
      for (const path of odd) {
        expect(await wiki.content(path)).toBe(`# ${path.length}\n`);
        await wiki.run('append_to_page', { path, content: 'more' });
      }
      expect((await wiki.run('search_pages', { query: 'more' })).total).toBe(shown.length);
    });

    test('with one line of a megabyte is edited, and found again', async () => {
      const line = `start ${'word '.repeat(200_000)}needle end`;
      const wiki = await openTestWiki(backend, { 'Long.md': line });
      await wiki.run('edit_page', { path: 'Long', edits: [{ old_string: 'needle', new_string: 'pin' }] });
      expect(await wiki.git('show', 'main:Long.md')).toBe(line.replace('needle', 'pin'));
      const found = await wiki.run('search_pages', { query: 'pin' });
      expect(found.hits.map((hit) => hit.path)).toEqual(['Long']);
      expect(JSON.stringify(found).length).toBeLessThanOrEqual(40_000);
    });
  });
}
