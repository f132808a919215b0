import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** move_page and get_links. */
export function movingSuite(backend: Backend): void {
  describe('move_page', () => {
    const files = {
      'Home.md': '# Home\r\n[[Setup|start]] ![[Setup#Part]] [s](Guides/Setup.md#part "t")\r\n`[[Setup]]`\r\n',
      'Guides/Setup.md':
        '# Setup\n\n[o](Other.md) ![i](img/a.png) [[Other]] [self](Setup.md) [[#Part]]\n\n## Part\n',
      'Guides/Other.md': '[x]: Setup.md\n\n[[Guides/Setup#^b]]\n\n    [[Setup]]\n',
      'Guides/img/a.png': 'image',
      'Latin.md': Uint8Array.of(0x5b, 0x5b, 0xe9, 0x5d, 0x5d),
      'Unrelated.md': '[[Other]]\n',
    };

    test('rewrites every link to the page and its own, in one commit', async () => {
      const wiki = await openTestWiki(backend, files);
      const { version, commit } = await wiki.run('read_page', { path: 'Guides/Setup' });
      const moved = await wiki.run('move_page', {
        path: 'Guides/Setup',
        new_path: 'First Steps/Set Up',
        version,
      });
      expect(moved).toMatchObject({
        path: 'First Steps/Set Up',
        previous_path: 'Guides/Setup',
        previous_version: version,
        changed: true,
        updated_pages: ['Guides/Other', 'Home'],
        updated_total: 2,
      });
      expect(await wiki.content('First Steps/Set Up')).toBe(
        '# Setup\n\n[o](../Guides/Other.md) ![i](img/a.png) [[Other]] [self](Set%20Up.md) [[#Part]]\n\n## Part\n',
      );
      expect(await wiki.git('show', 'main:First Steps/img/a.png')).toBe('image');
      expect(await wiki.content('Home')).toBe(
        '# Home\r\n[[Set Up|start]] ![[Set Up#Part]] [s](First%20Steps/Set%20Up.md#part "t")\r\n`[[Setup]]`\r\n',
      );
      expect(await wiki.content('Guides/Other')).toBe(
        '[x]: ../First%20Steps/Set%20Up.md\n\n[[Set Up#^b]]\n\n    [[Setup]]\n',
      );
      expect((await wiki.run('list_attachments', {})).attachments.map((file) => file.path)).toEqual([
        'First Steps/img/a.png',
      ]);
      expect(await wiki.git('rev-parse', 'main^')).toBe(commit);
      expect((await wiki.refused('read_page', { path: 'Guides/Setup' })).code).toBe('not_found');
    });

    test('leaves links alone if asked to, and then reports which break', async () => {
      const wiki = await openTestWiki(backend, files);
      const input = { path: 'Guides/Setup', new_path: 'Moved', update_links: false };
      const moved = await wiki.run('move_page', input);
      expect(moved).toMatchObject({ updated_total: 0, version: moved.previous_version, diff: '' });
      expect((await wiki.run('get_links', { path: 'Guides/Setup' })).linked_from).toEqual([
        'Guides/Other',
        'Home',
        'Moved',
      ]);
    });

    test('as a dry run says what would change and changes nothing', async () => {
      const wiki = await openTestWiki(backend, files);
      const head = await wiki.head();
      const dry = await wiki.run('move_page', { path: 'Guides/Setup', new_path: 'New', dry_run: true });
      expect([...dry.updated_pages].sort()).toEqual(['Guides/Other', 'Home']);
      expect(dry).toMatchObject({ changed: true, commit: head });
      expect(dry.diff).toContain('+[o](Guides/Other.md)');
      expect(await wiki.head()).toBe(head);
      const done = await wiki.run('move_page', { path: 'Guides/Setup', new_path: 'New' });
      expect([done.diff, done.version, done.updated_total]).toEqual([
        dry.diff,
        dry.version,
        dry.updated_total,
      ]);
    });

    test('does not let the new name take over links to another page', async () => {
      const wiki = await openTestWiki(backend, {
        'One.md': 'one',
        'a/b/Two.md': 'two',
        'Three.md': '---\naliases: Nick\n---\n',
        'Home.md': '[[Two]] [[One]] [[Nick]]\n',
      });
      await wiki.run('move_page', { path: 'One', new_path: 'Two' });
      expect(await wiki.content('Home')).toBe('[[b/Two]] [[Two]] [[Nick]]\n');
      await wiki.run('move_page', { path: 'Two', new_path: 'Nick' });
      expect(await wiki.content('Home')).toBe('[[b/Two]] [[Nick]] [[Three|Nick]]\n');
    });

    test('may change only case, only the folder, or only the Unicode form', async () => {
      const wiki = await openTestWiki(backend, { 'page.md': '[[Cafe\u0301]]', 'Cafe\u0301.md': '[[page]]' });
      await wiki.run('move_page', { path: 'page', new_path: 'Page' });
      await wiki.run('move_page', { path: 'Page', new_path: 'deep/er/Page' });
      expect(await wiki.content('Caf\u00e9')).toMatch(/^\[\[[Pp]age\]\]$/);
      const formed = await wiki.run('move_page', { path: 'Caf\u00e9', new_path: 'Caf\u00e9' });
      expect(formed.path).toBe('Caf\u00e9');
      expect(await wiki.paths()).toEqual(['Caf\u00e9', 'deep/er/Page']);
      expect((await wiki.run('get_links', { path: 'deep/er/Page' })).links_to).toEqual(['Caf\u00e9']);
    });

    test('refuses a place that is taken, a page that is not there or has changed, and a bad path', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a', 'B.md': 'b' });
      const { version } = await wiki.run('read_page', { path: 'B' });
      const taken = await wiki.refused('move_page', { path: 'A', new_path: 'B' });
      expect(taken.message).toBe(
        `already_exists: The page "B" exists already. Its version is ${version}. Nothing was changed. Choose another new_path, or move or delete that page first.`,
      );
      const move = async (input: object) => (await wiki.refused('move_page', { path: 'A', ...input })).code;
      expect(await move({ path: 'C', new_path: 'D' })).toBe('not_found');
      expect(await move({ new_path: 'D', version: '0'.repeat(40) })).toBe('version_conflict');
      expect(await move({ new_path: '../D' })).toBe('invalid_path');
      expect(await move({ new_path: 'B.md/D' })).toBe('invalid_path');
      expect(await wiki.paths()).toEqual(['A', 'B']);
    });

    test('changes nothing if the new path is the old one', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const moved = await wiki.run('move_page', { path: 'A', new_path: 'A.md' });
      expect(moved).toMatchObject({ changed: false, updated_total: 0, commit: await wiki.head() });
    });

    test('repeated with its request id answers as the first time', async () => {
      const wiki = await openTestWiki(backend, files);
      const request = { path: 'Guides/Setup', new_path: 'New', request_id: 'move-1' };
      const first = await wiki.run('move_page', request);
      await wiki.run('append_to_page', { path: 'Home', content: 'later' });
      expect(await wiki.run('move_page', request)).toEqual(first);
    });

    test('and two writers at once lose nothing', async () => {
      const wiki = await openTestWiki(backend, files);
      await Promise.all([
        wiki.run('move_page', { path: 'Guides/Setup', new_path: 'New' }),
        wiki.run('append_to_page', { path: 'Home', content: 'appended' }),
        wiki.run('append_to_page', { path: 'Guides/Other', content: 'appended' }),
      ]);
      for (const path of ['Home', 'Guides/Other']) {
        const content = await wiki.content(path);
        expect(content).toContain('appended');
        expect(content).toContain('New');
      }
      expect((await wiki.run('get_links', { path: 'New' })).linked_from).toEqual(['Guides/Other', 'Home']);
    });
  });

  describe('get_links', () => {
    test('reports where a page leads, who leads to it, and what is broken', async () => {
      const wiki = await openTestWiki(backend, {
        'Home.md':
          '[[A]] [[a/B|x]] ![[img.png]] [[None]]\n[n](gone.md) ![](no.png) [[A#No heading]] [e](https://x.org)\n',
        'A.md': '[[Home]] [[Home]]\n',
        'a/B.md': '[h](../Home.md#x)\n',
        'img.png': 'x',
      });
      expect(await wiki.run('get_links', { path: 'Home' })).toEqual({
        path: 'Home',
        exists: true,
        links_to: ['A', 'a/B'],
        attachments: ['img.png'],
        linked_from: ['A', 'a/B'],
        broken: [
          { target: 'None', line: 1 },
          { target: 'gone.md', line: 2 },
          { target: 'no.png', line: 2 },
        ],
        truncated: false,
      });
    });

    test('reports who links to or embeds an attachment', async () => {
      const wiki = await openTestWiki(backend, {
        'a/Home.md': '![[img/a.png]] and\n![x](img/a.png)\n',
        'Other.md': '[[a.png]]',
        'a/img/a.png': 'x',
      });
      expect(await wiki.run('get_links', { path: 'a/img/a.png' })).toMatchObject({
        exists: true,
        links_to: [],
        linked_from: ['Other', 'a/Home'],
      });
    });

    test('reports who links to a page that is not there', async () => {
      const wiki = await openTestWiki(backend, { 'Home.md': '[[To Do]] [x](sub/Plan.md)\n' });
      expect(await wiki.run('get_links', { path: 'To Do' })).toMatchObject({
        exists: false,
        linked_from: ['Home'],
      });
      expect((await wiki.run('get_links', { path: 'sub/Plan' })).linked_from).toEqual(['Home']);
      expect((await wiki.run('get_links', { path: 'Other' })).linked_from).toEqual([]);
    });
  });
}
