import { describe, expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** list_attachments, put_attachment, get_attachment, delete_attachment, and attachments of pages that move. */
export function attachmentsSuite(backend: Backend): void {
  const image = noise(3_000);
  const content = image.toString('base64');

  describe('an attachment', () => {
    test('is put, listed, got, replaced and deleted, each as one commit', async () => {
      const wiki = await openTestWiki(backend, { 'Guides/P.md': '![[chart.png]]\n' });
      const put = await wiki.run('put_attachment', { path: 'Guides/img/chart.png', content });
      expect(put).toMatchObject({ path: 'Guides/img/chart.png', previous_version: null, size: 3_000 });
      expect(put.version).toBe(await wiki.git('rev-parse', 'main:Guides/img/chart.png'));
      expect(await wiki.git('log', '-1', '--format=%s')).toBe('Add Guides/img/chart.png');
      expect(await wiki.run('list_attachments', { prefix: 'Guides/' })).toMatchObject({
        attachments: [{ path: 'Guides/img/chart.png', version: put.version, type: 'image/png' }],
        total: 1,
        next_cursor: null,
      });
      const got = await wiki.run('get_attachment', { path: 'Guides/img/chart.png' });
      expect(got).toMatchObject({ version: put.version, type: 'image/png', size: 3_000, content });
      expect(await wiki.run('get_links', { path: 'Guides/P' })).toMatchObject({
        attachments: ['Guides/img/chart.png'],
        broken: [],
      });

      const replacement = { path: 'Guides/img/chart.png', content: 'AAEC', version: put.version ?? '' };
      const replaced = await wiki.run('put_attachment', { ...replacement, request_id: 'put-1' });
      expect(replaced).toMatchObject({ previous_version: put.version, changed: true, size: 3 });
      expect(await wiki.run('put_attachment', { ...replacement, request_id: 'put-1' })).toEqual(replaced);
      const old = await wiki.run('get_attachment', { path: put.path, at: put.commit ?? '' });
      expect(old.content).toBe(content);

      const version = replaced.version ?? '';
      const deleted = await wiki.run('delete_attachment', { path: put.path, version });
      expect(deleted).toMatchObject({
        previous_version: version,
        broken_links: [{ path: 'Guides/P', line: 1 }],
        broken_total: 1,
      });
      expect((await wiki.run('check_wiki', { kinds: ['broken_link'] })).findings).toMatchObject([
        { path: 'Guides/P', detail: 'chart.png' },
      ]);
    });

    test('is not replaced unless it was read, and is refused where no file can be', async () => {
      const wiki = await openTestWiki(backend, { 'a.png': image, 'P.md': 'x' });
      const version = await wiki.git('rev-parse', 'main:a.png');
      expect((await wiki.refused('put_attachment', { path: 'a.png', content })).message).toBe(
        `already_exists: The attachment "a.png" exists already. Its version is ${version}. Nothing was changed. Pass its version to replace it, or choose another path.`,
      );
      const old = '0'.repeat(40);
      const changed = `version_conflict: The attachment "a.png" is not at version ${old}. Its version is now ${version}. Nothing was changed. Look at what it is now with get_attachment, and pass its new version.`;
      const stale = { path: 'a.png', version: old };
      expect((await wiki.refused('put_attachment', { ...stale, content: 'AAEC' })).message).toBe(changed);
      expect((await wiki.refused('delete_attachment', stale)).message).toBe(changed);
      expect((await wiki.refused('put_attachment', { path: 'new.png', content, version: old })).message).toBe(
        `version_conflict: The attachment "new.png" is not at version ${old}. It is not there: it was moved or deleted, or never existed. Nothing was changed. To store it as a new one, leave version out.`,
      );
      const at = (await wiki.run('get_history', {})).entries.at(-1)?.commit ?? '';
      expect((await wiki.refused('get_attachment', { path: 'chart.svg', at })).text.happened).toBe(
        `There was no attachment "chart.svg" after commit ${at}.`,
      );
      expect((await wiki.refused('put_attachment', { path: 'P.md', content })).message).toBe(
        'invalid_path: "P.md" is the path of a page, not of an attachment. Nothing was read or changed. Use read_page, write_page or delete_page.',
      );
      expect((await wiki.refused('put_attachment', { path: 'x.png' })).message).toBe(
        'invalid_input: The arguments of put_attachment do not fit: local_path is missing. Nothing was changed. Call the tool of a Pagetree server that runs on the machine with the file, with local_path.',
      );
      expect(
        (await wiki.refused('put_attachment', { path: 'x.png', local_path: '/etc/passwd' })).text.happened,
      ).toBe('The wiki was asked for "/etc/passwd", but is not on the machine where that file is.');
      expect((await wiki.refused('put_attachment', { path: 'x.png', content: '%' })).code).toBe(
        'invalid_input',
      );
      expect((await wiki.refused('get_attachment', { path: 'chart.svg' })).message).toBe(
        'not_found: There is no attachment "chart.svg". Nothing was changed. Check the path with list_attachments.',
      );
      await wiki.run('put_attachment', { path: 'Guides/images/Chart.png', content });
      await wiki.write('Charts', 'a page');
      for (const path of ['chart.png', 'images/Chart.png']) {
        const missed = await wiki.refused('get_attachment', { path });
        expect(missed.text.now).toMatch(/^Attachments with near names: "Guides\/images\/Chart.png"/);
        expect(missed.data.near).not.toContain('Charts.md');
      }
      expect((await wiki.refused('put_attachment', { path: 'Home', content })).message).toBe(
        'invalid_path: "Home" has no extension, so that links to it would look like links to a page. Nothing was read or changed. Give it one, like "chart.png".',
      );
      for (const path of ['../a.png', '/a.png', '.git/config', 'a/../b.png', 'x/.git/y.png']) {
        expect((await wiki.refused('put_attachment', { path, content })).code).toBe('invalid_path');
      }
    });

    test('gets a name that links and every file system can hold', async () => {
      const wiki = await openTestWiki(backend, { 'odd#[1].png': image });
      const put = async (path: string) => (await wiki.run('put_attachment', { path, content })).path;
      expect(await put('a/Screen: "shot" [1]#x|y?.png')).toBe('a/Screen- -shot- -1--x-y-.png');
      expect(await put('Cafe\u0301/b\\c .png. ')).toBe('Caf\u00e9/b-c .png');
      const version = await wiki.git('rev-parse', 'main:odd#[1].png');
      const same = await wiki.run('put_attachment', { path: 'odd#[1].png', content: 'AAEC', version });
      expect(same.path).toBe('odd#[1].png');
    });
  });

  describe('attachments of a page that moves', () => {
    const files = {
      'a/P.md': '![[own.png]] ![x](img/deep.png) ![[shared.png]] ![y](../above.png) [[data.csv]]\n',
      'a/Q.md': '![[shared.png]]\n',
      'a/own.png': '1',
      'a/img/deep.png': '2',
      'a/shared.png': '3',
      'above.png': '4',
      'a/data.csv': '5',
      'b/data.csv': 'taken',
    };

    test('move with it if only this page uses them, and every link still leads where it led', async () => {
      const wiki = await openTestWiki(backend, files);
      const tree = await wiki.git('rev-parse', 'main^{tree}');
      const moved = await wiki.run('move_page', { path: 'a/P', new_path: 'b/P' });
      const paths = (await wiki.git('ls-tree', '-r', '--name-only', 'main')).split('\n');
      expect(paths).toEqual([
        'a/Q.md',
        'a/data.csv',
        'a/shared.png',
        'above.png',
        'b/P.md',
        'b/data.csv',
        'b/img/deep.png',
        'b/own.png',
      ]);
      const { attachments, broken } = await wiki.run('get_links', { path: 'b/P' });
      expect(attachments).toEqual(['a/data.csv', 'a/shared.png', 'above.png', 'b/img/deep.png', 'b/own.png']);
      expect(broken).toEqual([]);
      await wiki.run('revert_commit', { commit: moved.commit ?? '' });
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(tree);
    });

    test('are named by the answer, by a dry run and by a batch', async () => {
      const wiki = await openTestWiki(backend, files);
      const moved_files = [
        { path: 'b/own.png', previous_path: 'a/own.png' },
        { path: 'b/img/deep.png', previous_path: 'a/img/deep.png' },
      ];
      const move = { path: 'a/P', new_path: 'b/P' };
      const dry = await wiki.run('move_page', { ...move, dry_run: true });
      const changes = [{ op: 'move' as const, ...move }];
      const batch = await wiki.run('commit_changes', { message: 'Move', changes, dry_run: true });
      const moved = await wiki.run('move_page', { ...move, request_id: 'move-files' });
      for (const answer of [dry, batch, moved]) {
        expect(answer).toMatchObject({ moved_files, moved_files_total: 2 });
      }
      expect(await wiki.run('move_page', { ...move, request_id: 'move-files' })).toEqual(moved);
      const none = await wiki.run('move_page', { path: 'a/Q', new_path: 'a/R' });
      expect(none.moved_files).toBeUndefined();
      expect(none.moved_files_total).toBeUndefined();
    });

    test('stay if the page stays in its folder', async () => {
      const wiki = await openTestWiki(backend, files);
      await wiki.run('move_page', { path: 'a/P', new_path: 'a/Renamed' });
      expect((await wiki.run('list_attachments', {})).total).toBe(6);
      expect(await wiki.git('cat-file', '-t', 'main:a/own.png')).toBe('blob');
    });
  });
}
