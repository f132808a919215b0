import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** write_page, edit_page, append_to_page, delete_page, restore_page. */
export function writingSuite(backend: Backend): void {
  describe('write_page', () => {
    test('creates a page: one commit, with author, agent, message and request', async () => {
      const wiki = await openTestWiki(backend);
      const written = await wiki.run('write_page', {
        path: 'Guides/One',
        content: '# One\n',
        message: 'Why: $& `x`\n\nsecond paragraph',
        request_id: 'request-1',
      });
      expect(written).toMatchObject({
        path: 'Guides/One',
        previous_version: null,
        changed: true,
        diff: '@@ -0,0 +1 @@\n+# One\n',
      });
      expect(written.version).toBe(await wiki.git('rev-parse', 'main:Guides/One.md'));
      expect(written.commit).toBe(await wiki.git('rev-parse', 'main'));
      expect(await wiki.git('log', '--format=%an <%ae> %cn')).toBe('Ada Lovelace <ada@example.org> Pagetree');
      const message = await wiki.git('log', '--format=%B');
      expect(message).toMatch(/^Why: \$& `x`\n\nsecond paragraph\n\n/);
      expect(message).toContain('Agent: test/1.0');
      expect(message).toContain('Request-Id: request-1');
    });

    test('without version only creates, identical content too', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      const error = await wiki.refused('write_page', { path: 'P', content: 'x' });
      expect(error.code).toBe('already_exists');
      expect(error.data.version).toBe(await wiki.git('rev-parse', 'main:P.md'));
    });

    test('replaces what the caller read, and nothing else', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\n' });
      const { version } = await wiki.run('read_page', { path: 'P' });
      const second = await wiki.run('write_page', { path: 'P', content: 'two\n', version });
      expect(second).toMatchObject({ previous_version: version, diff: '@@ -1 +1 @@\n-one\n+two\n' });

      const stale = await wiki.refused('write_page', { path: 'P', content: 'three\n', version });
      expect(stale.code).toBe('version_conflict');
      expect(stale.data).toMatchObject({
        version: second.version,
        author: 'Ada Lovelace <ada@example.org>',
        commit: second.commit,
        diff: '@@ -1 +1 @@\n-one\n+two\n',
      });
      expect(await wiki.content('P')).toBe('two\n');
      const gone = await wiki.refused('write_page', { path: 'None', content: 'x', version });
      expect(gone.code).toBe('version_conflict');
    });

    test('an edit of another page is no conflict', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\n' });
      const { version } = await wiki.run('read_page', { path: 'P' });
      await wiki.write('Q', 'x');
      expect(await wiki.run('write_page', { path: 'P', content: 'two\n', version })).toMatchObject({
        changed: true,
      });
    });

    test('makes no commit if nothing changes', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      const { version, commit } = await wiki.run('read_page', { path: 'P' });
      const same = await wiki.run('write_page', { path: 'P', content: 'x', version });
      expect(same).toMatchObject({ changed: false, commit, version, previous_version: version, diff: '' });
      expect(await wiki.git('rev-parse', 'main')).toBe(commit);
    });

    test('refuses a resent page that was cut', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\ntwo\n' });
      const { version } = await wiki.run('read_page', { path: 'P' });
      for (const content of ['one\n', '']) {
        const cut = await wiki.refused('write_page', { path: 'P', content, version });
        expect([cut.code, cut.data.present]).toEqual(['would_truncate', 8]);
        expect(cut.text.happened).toMatch(content === '' ? /is empty, but "P" has 8/ : /first 4 of the 8/);
      }
      const meant = { path: 'P', content: 'one\n', version, allow_shrink: true };
      expect((await wiki.run('write_page', meant)).changed).toBe(true);
    });

    test('keeps a byte order mark', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': '\ufeffone\n' });
      const { version, content } = await wiki.run('read_page', { path: 'P' });
      expect(content).toBe('one\n');
      await wiki.run('write_page', { path: 'P', content: 'two\n', version });
      expect(await wiki.git('show', 'main:P.md')).toBe('\ufefftwo');
    });

    test.each(['a\\b', 'C:/x', 'CON', 'ends.', 'x/.git/y', '日'.repeat(100), 'line\u2028break'])(
      'refuses to create a name that some platform cannot store: %j',
      async (path) => {
        const wiki = await openTestWiki(backend);
        expect((await wiki.refused('write_page', { path, content: 'x' })).code).toBe('invalid_path');
        expect(await wiki.head()).toBeNull();
      },
    );

    test('refuses a page that is too large, or that is no text', async () => {
      const wiki = await openTestWiki(backend);
      const large = await wiki.refused('write_page', { path: 'P', content: 'é'.repeat(1_000_001) });
      expect(large.code).toBe('too_large');
      expect((await wiki.write('P', 'é'.repeat(1_000_000))).changed).toBe(true);
      const half = await wiki.refused('write_page', { path: 'Q', content: 'x\ud800' });
      expect(half.code).toBe('invalid_input');
    });

    test('refuses a page at the path of a folder or below a page', async () => {
      const wiki = await openTestWiki(backend, { 'A.md/B.md': 'x', 'C.md': 'y' });
      expect((await wiki.refused('write_page', { path: 'A', content: 'x' })).code).toBe('invalid_path');
      expect((await wiki.refused('write_page', { path: 'C.md/D', content: 'x' })).code).toBe('invalid_path');
      expect(await wiki.paths()).toEqual(['A.md/B', 'C']);
    });

    test('says which arguments it does not take', async () => {
      const wiki = await openTestWiki(backend);
      const unknown = await wiki.refused('write_page', { path: 'P', content: 'x', colour: 'red' });
      expect([unknown.code, unknown.message]).toEqual(['invalid_input', expect.stringContaining('colour')]);
      expect((await wiki.refused('write_page', { path: 'P', content: 7 })).code).toBe('invalid_input');
      const alias = { page: 'P', text: 'x', commit_message: 'm' };
      expect(await wiki.run('write_page', alias as never)).toMatchObject({ path: 'P', changed: true });
    });
  });

  describe('edit_page', () => {
    const text = '# P\r\n\r\nThe price is $1.\r\nsame\r\nsame\r\n';

    test('replaces literally, in order, and keeps the line endings', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const edits = [
        { old_string: 'price is $1.\nsame', new_string: "price is $& $1 $'\nother" },
        { old_string: 'other', new_string: 'another' },
      ];
      const edited = await wiki.run('edit_page', { path: 'P', edits });
      expect(edited).toMatchObject({ changed: true, previous_version: expect.any(String) });
      expect(await wiki.content('P')).toBe("# P\r\n\r\nThe price is $& $1 $'\r\nanother\r\nsame\r\n");
    });

    test('changes nothing if one edit fails, and says which and why', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const edit = (...edits: object[]) => wiki.refused('edit_page', { path: 'P', edits });
      const works = { old_string: 'price', new_string: 'cost' };
      const missing = await edit(works, { old_string: 'The prize is $1.', new_string: 'x' });
      expect(missing.code).toBe('no_match');
      expect(missing.data).toMatchObject({ edit: 1, nearest: { line: 3, text: 'The cost is $1.' } });
      const ambiguous = await edit(works, { old_string: 'same', new_string: 'x' });
      expect(ambiguous.code).toBe('ambiguous_match');
      expect(ambiguous.data).toMatchObject({ edit: 1, count: 2, lines: [4, 5] });
      expect((await edit({ old_string: '', new_string: 'x' })).code).toBe('invalid_input');
      expect(await wiki.content('P')).toBe(text);
    });

    test('replaces all, and takes a single edit without a list', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': text });
      const flat = { path: 'P', old_text: 'same', newText: 'one', replace_all: true };
      await wiki.run('edit_page', flat as never);
      expect(await wiki.content('P')).toContain('one\r\none\r\n');
    });

    test('as a dry run shows the diff and writes nothing', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\n' });
      const head = await wiki.head();
      const edits = [{ old_string: 'one', new_string: 'two' }];
      const shown = await wiki.run('edit_page', { path: 'P', edits, dry_run: true });
      expect(shown).toMatchObject({ changed: true, diff: '@@ -1 +1 @@\n-one\n+two\n', commit: head });
      expect([await wiki.head(), await wiki.content('P')]).toEqual([head, 'one\n']);
    });

    test('checks the version if one is given', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\n' });
      const edits = [{ old_string: 'one', new_string: 'two' }];
      const { version } = await wiki.run('read_page', { path: 'P' });
      await wiki.run('append_to_page', { path: 'P', content: 'more' });
      expect((await wiki.refused('edit_page', { path: 'P', edits, version })).code).toBe('version_conflict');
      expect((await wiki.run('edit_page', { path: 'P', edits })).changed).toBe(true);
    });

    test('refuses a page that is not UTF-8, and a missing page', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': Uint8Array.of(0x61, 0xe9) });
      const edits = [{ old_string: 'a', new_string: 'b' }];
      expect((await wiki.refused('edit_page', { path: 'P', edits })).code).toBe('invalid_input');
      expect((await wiki.refused('edit_page', { path: 'Q', edits })).code).toBe('not_found');
    });
  });

  describe('append_to_page', () => {
    test('begins on a line of its own, in the line ending of the page', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'a\r\nb' });
      await wiki.run('append_to_page', { path: 'P', content: 'c\nd' });
      expect(await wiki.content('P')).toBe('a\r\nb\r\nc\r\nd\r\n');
    });

    test('makes a missing page unless asked otherwise', async () => {
      const wiki = await openTestWiki(backend);
      const without = await wiki.refused('append_to_page', { path: 'P', content: 'x', create: false });
      expect(without.code).toBe('not_found');
      await wiki.run('append_to_page', { path: 'P', content: 'x' });
      expect(await wiki.content('P')).toBe('x\n');
    });

    test('lands all of many simultaneous appends', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': '' });
      const lines = Array.from({ length: 12 }, (_, line) => `line ${line}`);
      await Promise.all(lines.map((content) => wiki.run('append_to_page', { path: 'P', content })));
      expect((await wiki.content('P')).trimEnd().split('\n').toSorted()).toEqual(lines.toSorted());
      expect(await wiki.git('rev-list', '--count', '--min-parents=2', 'main')).toBe('0');
    });
  });

  describe('delete_page and restore_page', () => {
    test('a page is deleted by its version, the answer reports who links to it, and it can be restored', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'text\n', 'Q.md': '\n[[P]] and [[P|again]]\n' });
      const { version, commit } = await wiki.run('read_page', { path: 'P' });
      const wrong = { path: 'P', version: '0'.repeat(40) };
      expect((await wiki.refused('delete_page', wrong)).code).toBe('version_conflict');
      const deleted = await wiki.run('delete_page', { path: 'P', version });
      expect(deleted).toMatchObject({
        version: null,
        previous_version: version,
        changed: true,
        broken_links: [{ path: 'Q', line: 2 }],
        broken_total: 1,
      });
      expect(await wiki.paths()).toEqual(['Q']);
      expect((await wiki.refused('read_page', { path: 'P' })).code).toBe('not_found');

      const restored = await wiki.run('restore_page', { path: 'P', commit });
      expect(restored).toMatchObject({ version, previous_version: null, changed: true });
      expect(await wiki.content('P')).toBe('text\n');
      expect((await wiki.run('restore_page', { path: 'P', commit })).changed).toBe(false);
    });

    test('a deletion suggests no other page', async () => {
      const wiki = await openTestWiki(backend, { 'Page.md': 'x' });
      const { version } = await wiki.run('read_page', { path: 'Page' });
      const error = await wiki.refused('delete_page', { path: 'Pagee', version });
      expect([error.code, error.data.near]).toEqual(['not_found', []]);
    });

    test('a page can be restored as of any commit, even if it is not UTF-8', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': Uint8Array.of(0xe9, 0x0a) });
      const { version, commit } = await wiki.run('read_page', { path: 'P' });
      const second = await wiki.run('write_page', { path: 'P', content: 'two\n', version });
      const stale = { path: 'P', commit, version };
      expect((await wiki.refused('restore_page', stale)).code).toBe('version_conflict');
      expect(await wiki.run('restore_page', { path: 'P', commit: commit.slice(0, 8) })).toMatchObject({
        version,
        previous_version: second.version,
      });
    });

    test('a page that never existed cannot be restored', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      const commit = (await wiki.head()) ?? '';
      expect((await wiki.refused('restore_page', { path: 'Q', commit })).code).toBe('not_found');
      expect((await wiki.refused('restore_page', { path: 'P', commit: 'ffff' })).code).toBe('not_found');
    });
  });
}
