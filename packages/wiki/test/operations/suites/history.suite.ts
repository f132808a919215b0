import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** get_history, diff_page and search_pages. */
export function historySuite(backend: Backend): void {
  describe('get_history', () => {
    test('reports who did what and why, newest first', async () => {
      const began = Date.now();
      const wiki = await openTestWiki(backend);
      const made = await wiki
        .as('Ada', 'agent/1')
        .run('write_page', { path: 'P', content: 'one\n', message: 'Why' });
      const edits = [{ old_string: 'one', new_string: 'two' }];
      const edited = await wiki.as('Bob', null).run('edit_page', { path: 'P', edits });
      await wiki.write('Q', 'other');
      const { entries, next_cursor } = await wiki.run('get_history', { path: 'P' });
      expect(entries).toMatchObject([
        {
          commit: edited.commit,
          author: 'Bob <Bob@example.org>',
          agent: null,
          message: 'Edit P',
          version: edited.version,
          pages: [{ path: 'P', action: 'modified' }],
        },
        {
          commit: made.commit,
          author: 'Ada <Ada@example.org>',
          agent: 'agent/1',
          message: 'Why',
          version: made.version,
          pages: [{ path: 'P', action: 'added' }],
          pages_total: 1,
        },
      ]);
      expect(next_cursor).toBeNull();
      const date = Date.parse(entries[0]?.date ?? '');
      // Dates of git are whole seconds.
      expect(date).toBeGreaterThan(began - 1_000);
      expect(date).toBeLessThanOrEqual(Date.now());
    });

    test('without a path reports every commit, as git log does, a part at a time', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      for (let line = 0; line < 5; line += 1)
        await wiki.run('append_to_page', { path: 'P', content: `${line}` });
      const first = await wiki.run('get_history', { limit: 4 });
      await wiki.write('Q', 'later');
      const rest = await wiki.run('get_history', { limit: 4, cursor: first.next_cursor ?? '' });
      expect(rest.next_cursor).toBeNull();
      const commits = [...first.entries, ...rest.entries].map((entry) => entry.commit).join('\n');
      expect(commits).toBe(await wiki.git('log', '--format=%H', 'main^'));
    });

    test('follows a page through its moves, and goes on when it is deleted', async () => {
      const wiki = await openTestWiki(backend, {
        'Old.md': 'a text that is long enough to be known again\n',
      });
      await wiki.run('move_page', { path: 'Old', new_path: 'New' });
      const { version } = await wiki.run('append_to_page', { path: 'New', content: 'more' });
      await wiki.run('delete_page', { path: 'New', version: version ?? '' });
      const { entries } = await wiki.run('get_history', { path: 'New' });
      expect(entries.map((entry) => [entry.message, entry.pages[0]?.action, entry.version === null])).toEqual(
        [
          ['Delete New', 'deleted', true],
          ['Append to New', 'modified', false],
          ['Move Old to New', 'moved', false],
          ['Begin', 'added', false],
        ],
      );
    });

    test('says which path a page had after each commit, and where it moved', async () => {
      const text = 'a text that is long enough to be known again\n';
      const wiki = await openTestWiki(backend, { 'Old.md': text, 'Other.md': 'other\n' });
      const first = await wiki.head();
      await wiki.run('commit_changes', {
        message: 'Both',
        changes: ['Old', 'Other'].map((path) => ({ op: 'append', path, content: 'more' })),
      });
      const second = await wiki.head();
      const { commit } = await wiki.run('move_page', { path: 'Old', new_path: 'New' });
      const paths = async (input: object) =>
        (await wiki.run('get_history', input)).entries.map((entry) => [
          entry.commit,
          entry.path,
          entry.moved_to,
        ]);
      const older = [
        [second, 'Old', null],
        [first, 'Old', null],
      ];
      expect(await paths({ path: 'New' })).toEqual([[commit, 'New', null], ...older]);
      expect(await paths({ path: 'New', until: '2024-01-01' })).toEqual([[first, 'Old', null]]);
      expect(await paths({ path: 'Old' })).toEqual([[commit, 'Old', 'New'], ...older]);
      expect(await paths({ path: 'Old', at: second })).toEqual(older);
      expect(await paths({ path: 'New', at: second?.slice(0, 10) })).toEqual([]);
      expect(await paths({ limit: 1 })).toEqual([[commit, null, null]]);
      expect((await wiki.refused('get_history', { at: '0'.repeat(40) })).code).toBe('not_found');
      const { version } = await wiki.run('read_page', { path: 'New' });
      await wiki.run('delete_page', { path: 'New', version });
      expect((await paths({ path: 'New', limit: 1 }))[0]?.slice(1)).toEqual(['New', null]);
    });

    test('is filtered by author, agent and time', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'x' });
      await wiki.as('Grace', null).run('append_to_page', { path: 'P', content: 'y' });
      const messages = async (query: object) =>
        (await wiki.run('get_history', query)).entries.map((entry) => entry.message);
      await wiki
        .as('Ada', 'claude-code/2.1')
        .run('append_to_page', { path: 'P', content: 'z', message: 'By agent' });
      expect(await messages({ author: 'grace' })).toEqual(['Append to P']);
      expect(await messages({ agent: 'Claude' })).toEqual(['By agent']);
      expect(await messages({ agent: 'claude', path: 'P', author: 'grace' })).toEqual([]);
      expect(await messages({ agent: '' })).toEqual(['By agent']);
      expect(await messages({ until: '2024-01-01' })).toEqual(['Begin']);
      expect(await messages({ path: 'P', since: '2024-01-01T00:00:00Z' })).toEqual([
        'By agent',
        'Append to P',
      ]);
      expect(await messages({ since: 'yesterday', until: 'today' })).toEqual(['By agent', 'Append to P']);
      expect(await messages({ until: 'last week' })).toEqual(['Begin']);
      expect((await wiki.refused('get_history', { since: 'yesterday-ish' })).code).toBe('invalid_input');
    });

    test('is empty for a page that never existed', async () => {
      const wiki = await openTestWiki(backend);
      expect(await wiki.run('get_history', {})).toEqual({ entries: [], next_cursor: null });
      await wiki.write('P', 'x');
      expect((await wiki.run('get_history', { path: 'Q' })).entries).toEqual([]);
    });
  });

  describe('diff_page', () => {
    test('compares two commits as git does, and shows additions and deletions', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'a\nb\nc\n', 'Q.md': 'x\n' });
      const from = (await wiki.head()) ?? '';
      const edits = [{ old_string: 'b', new_string: 'B' }];
      const edited = await wiki.run('edit_page', { path: 'P', edits });
      const { version } = await wiki.run('read_page', { path: 'Q' });
      await wiki.run('delete_page', { path: 'Q', version });

      const diff = await wiki.run('diff_page', { path: 'P', from });
      expect(diff).toMatchObject({ from, to: await wiki.head(), added: 1, removed: 1, truncated: false });
      const native = await wiki.git('diff', from, 'main', '--', 'P.md');
      expect(native.endsWith(diff.diff.trimEnd())).toBe(true);
      const narrow = await wiki.run('diff_page', {
        path: 'P',
        from,
        to: edited.commit ?? '',
        context_lines: 0,
      });
      expect(narrow.diff).toBe('@@ -2 +2 @@\n-b\n+B\n');

      expect(await wiki.run('diff_page', { path: 'Q', from })).toMatchObject({
        diff: '@@ -1 +0,0 @@\n-x\n',
        removed: 1,
      });
      const head = (await wiki.head()) ?? '';
      expect(await wiki.run('diff_page', { path: 'Q', from: head, to: from })).toMatchObject({ added: 1 });
      expect((await wiki.refused('diff_page', { path: 'None', from })).code).toBe('not_found');
      expect((await wiki.refused('diff_page', { path: 'P', from: 'xyz' })).code).toBe('invalid_input');
    });

    test('follows moves, unless it is given the path at each end', async () => {
      const text = 'a text that is long enough to be known again\n';
      const wiki = await openTestWiki(backend, { 'A.md': text, 'Z.md': 'z\n' });
      const from = (await wiki.head()) ?? '';
      const { commit } = await wiki.run('move_page', { path: 'A', new_path: 'B' });
      await wiki.run('move_page', { path: 'B', new_path: 'C' });
      await wiki.run('append_to_page', { path: 'C', content: 'more' });
      const added = async (input: { path: string; from: string; from_path?: string; to?: string }) => {
        const diff = await wiki.run('diff_page', input);
        return [diff.added, diff.removed];
      };
      expect(await added({ path: 'B', from, to: commit ?? '' })).toEqual([0, 0]);
      expect(await added({ path: 'C', from })).toEqual([1, 0]);
      expect(await added({ path: 'C', from: commit ?? '' })).toEqual([1, 0]);
      await wiki.write('B', 'another page\n');
      expect(await added({ path: 'C', from: commit ?? '', from_path: 'B' })).toEqual([1, 0]);
      expect(await added({ path: 'C', from, from_path: 'Z' })).toEqual([2, 1]);
      // A new page was none before.
      expect(await added({ path: 'B', from })).toEqual([1, 0]);
    });

    test('is cut if it does not fit', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'old "line"\n'.repeat(20_000) });
      const { version, commit } = await wiki.run('read_page', { path: 'P' });
      await wiki.run('write_page', { path: 'P', content: 'new "line"\n'.repeat(20_000), version });
      const diff = await wiki.run('diff_page', { path: 'P', from: commit });
      expect(diff).toMatchObject({ added: 20_000, removed: 20_000, truncated: true });
      expect(JSON.stringify(diff).length).toBeLessThanOrEqual(40_000);
    });
  });

  describe('search_pages', () => {
    const files = {
      'Fruit.md': '# Fruit\n\nAn apple a day.\nAnd a pear.\n',
      'deep/Tree.md': '# Apple tree\n\n#garden An apple tree bears apples.\n',
      '日本.md': '東京は日本の首都です。\n',
    };

    test('finds the page of exactly that name before pages that have it as a heading, or say it often', async () => {
      const mentions = Object.fromEntries(
        Array.from({ length: 20 }, (_, page) => [
          `Log/${page}.md`,
          '# Release Plan notes\n\n## Release Plan\n\nRelease plan, release plan, release plan.\n',
        ]),
      );
      const wiki = await openTestWiki(backend, {
        ...mentions,
        'Projects/Release Plan.md': `text\n\n## Goals\n\n${'Many other words here. '.repeat(200)}\n\n## Steps\n`,
        'Titled.md': '---\ntitle: Ship list\n---\nx\n',
        'Named.md': '---\naliases: [Ship Log, TCP/IP]\n---\nx\n',
        'Ship List.md': '# Something else\n',
        'Ships.md': '# Ship log ship log ship log\n\nship log\n\nTCP/IP TCP/IP\n',
      });
      const first = async (query: string, more: object = {}) =>
        (await wiki.run('search_pages', { query, ...more })).hits.map((hit) => hit.path);
      for (const query of ['Release Plan', 'release plan', '"Release Plan"', 'Projects/Release Plan'])
        expect((await first(query))[0], query).toBe('Projects/Release Plan');
      expect((await first('ship list')).slice(0, 2)).toEqual(['Ship List', 'Titled']);
      expect((await first('ship log'))[0]).toBe('Named');
      expect((await first('TCP/IP'))[0]).toBe('Named');
      expect((await first('release plan', { prefix: 'Log/' }))[0]).toMatch(/^Log\//);
      const second = await wiki.run('search_pages', { query: 'ship list', limit: 1 });
      const rest = await wiki.run('search_pages', {
        query: 'ship list',
        limit: 1,
        cursor: second.next_cursor ?? '',
      });
      expect([...second.hits, ...rest.hits].map((hit) => hit.path)).toEqual(['Ship List', 'Titled']);
    });

    test('finds words in any language, all words first, with their lines', async () => {
      const wiki = await openTestWiki(backend, files);
      const found = await wiki.run('search_pages', { query: 'apple tree' });
      expect(found.hits.map((hit) => hit.path)).toEqual(['deep/Tree', 'Fruit']);
      expect(found.hits[1]?.lines).toContainEqual({ line: 3, text: 'An apple a day.' });
      await wiki.write('News', 'An apple today.');
      for (const mode of ['words', 'regex'] as const) {
        const during = async (times: object) =>
          (await wiki.run('search_pages', { query: 'apple', mode, ...times })).hits.map(({ path }) => path);
        expect(await during({ updated_since: 'yesterday' })).toEqual(['News']);
        expect(await during({ updated_until: 'last week' })).not.toContain('News');
      }
      const japanese = await wiki.run('search_pages', { query: '首都' });
      expect(japanese.hits.map((hit) => hit.path)).toEqual(['日本']);
      expect((await wiki.run('search_pages', { query: 'xyzzy' })).hits).toEqual([]);
    });

    test('finds by regular expression, below a prefix, with a tag, with context', async () => {
      const wiki = await openTestWiki(backend, files);
      const regex = await wiki.run('search_pages', {
        query: '^An? .*day\\.$',
        mode: 'regex',
        context_lines: 1,
      });
      expect(regex.hits).toMatchObject([
        {
          path: 'Fruit',
          lines: [
            { line: 2, text: '' },
            { line: 3, text: 'An apple a day.' },
            { line: 4, text: 'And a pear.' },
          ],
        },
      ]);
      const deep = await wiki.run('search_pages', { query: 'apple', prefix: 'deep/' });
      expect(deep.hits.map((hit) => hit.path)).toEqual(['deep/Tree']);
      expect((await wiki.run('search_pages', { query: 'apple', tag: 'garden' })).total).toBe(1);
      const untagged = await wiki.run('search_pages', { query: 'apple', tag: '' });
      expect(untagged).toEqual(await wiki.run('search_pages', { query: 'apple' }));
      expect((await wiki.refused('search_pages', { query: '(', mode: 'regex' })).code).toBe('invalid_input');
    });
  });
}
