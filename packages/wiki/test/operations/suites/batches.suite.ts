import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** commit_changes and revert_commit. */
export function batchesSuite(backend: Backend): void {
  describe('commit_changes', () => {
    test('makes one commit of many changes, each seeing what those before it left', async () => {
      const wiki = await openTestWiki(backend, {
        'A.md': 'a\n',
        'B.md': '---\naliases: Bee\n---\nb\n',
        'C.md': '[[B]] [[A]]\n',
        'Old.md': 'old\n',
      });
      const [head, { version }] = [await wiki.head(), await wiki.run('read_page', { path: 'Old' })];
      const a = await wiki.run('read_page', { path: 'A' });
      const done = await wiki.run('commit_changes', {
        message: 'Reorganise',
        changes: [
          { op: 'write', path: 'New', content: 'See [[Bird]] and [[Bee]].\n' },
          { op: 'append', path: 'New', content: 'More.' },
          { op: 'edit', path: 'A', edits: [{ old_string: 'a', new_string: 'A1' }], version: a.version },
          { op: 'edit', path: 'A', edits: [{ old_string: 'A1', new_string: 'A2' }], version: a.version },
          { op: 'move', path: 'B', new_path: 'Sub/Bird' },
          { op: 'move', path: 'New', new_path: 'Sub/New' },
          { op: 'delete', path: 'Old', version },
        ],
      });
      expect(done).toMatchObject({ changed: true, total: 4, commit: await wiki.git('rev-parse', 'main') });
      expect(done.pages.map((page) => [page.path, page.version === null])).toEqual([
        ['Sub/New', false],
        ['A', false],
        ['Sub/Bird', false],
        ['Old', true],
      ]);
      expect(done.pages[1]?.diff).toBe('@@ -1 +1 @@\n-a\n+A2\n');
      expect(await wiki.git('rev-parse', 'main^')).toBe(head);
      expect(await wiki.paths()).toEqual(['A', 'C', 'Sub/Bird', 'Sub/New']);
      expect(await wiki.content('Sub/New')).toBe('See [[Bird]] and [[Bee]].\nMore.\n');
      expect(await wiki.content('C')).toBe('[[Bird]] [[A]]\n');
      expect([done.updated_pages, done.updated_total]).toEqual([['C'], 1]);
      expect(await wiki.git('log', '-1', '--format=%s')).toBe('Reorganise');
    });

    test('refuses changes that go through too much text together', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': `# A\n${'word '.repeat(40_000)}\n` });
      const section = { op: 'section', path: 'A', heading: 'A', position: 'append', content: 'x' } as const;
      const some = { message: 'm', dry_run: true, changes: Array(40).fill(section) };
      expect(await wiki.run('commit_changes', some)).toMatchObject({ changed: true, total: 1 });
      const error = await wiki.refused('commit_changes', { ...some, changes: Array(60).fill(section) });
      expect(error.message).toMatch(/^too_large: .* the first 50 of 60 are as much as one call may do/);
    });

    test('changes nothing if any change fails, and gives the reason for each', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'B.md': 'b\n' });
      const head = await wiki.head();
      const error = await wiki.refused('commit_changes', {
        message: 'x',
        changes: [
          { op: 'write', path: 'C', content: 'c' },
          { op: 'write', path: 'A', content: 'x' },
          { op: 'edit', path: 'B', edits: [{ old_string: 'z', new_string: 'x' }] },
          { op: 'delete', path: 'B' },
          { op: 'append', path: '../out', content: 'x' },
          { op: 'move', path: 'A', new_path: 'B' },
          { op: 'edit', path: 'A', edits: [{ old_string: 'a', new_string: 'x' }], version: '0'.repeat(40) },
        ],
      });
      expect(error.code).toBe('already_exists');
      expect(error.data.failed_total).toBe(6);
      expect(error.data.failed).toMatchObject([
        { change: 2, op: 'write', path: 'A', code: 'already_exists' },
        { change: 3, op: 'edit', path: 'B', code: 'no_match' },
        { change: 4, op: 'delete', path: 'B', code: 'invalid_input' },
        { change: 5, op: 'append', path: '../out', code: 'invalid_path' },
        { change: 6, op: 'move', path: 'A', code: 'already_exists' },
        { change: 7, op: 'edit', path: 'A', code: 'version_conflict' },
      ]);
      expect(error.message).toMatch(
        /^already_exists: 6 of 7 changes cannot be made\.\nChange 2 \(write "A"\): /,
      );
      expect(error.message).toContain(
        '\nChange 4 (delete "B"): invalid_input: The arguments of delete_page do not fit: version is missing. Nothing was read or changed. A change of this kind takes path, version.',
      );
      expect(error.message).toMatch(
        /Nothing was changed, by none of them\. Correct these changes and send all of them again\.$/,
      );
      expect(await wiki.head()).toBe(head);
    });

    test('takes 200 pages at once, and as a dry run none', async () => {
      const wiki = await openTestWiki(backend, { 'P1.md': 'x' });
      const head = await wiki.head();
      const changes = Array.from({ length: 200 }, (_, at) => ({
        op: 'append' as const,
        path: `Folder ${at % 10}/Page ${at}`,
        content: `Page ${at}\n`,
      }));
      const dry = await wiki.run('commit_changes', { message: 'All', changes, dry_run: true });
      expect(dry).toMatchObject({ changed: true, commit: head, total: 200 });
      expect(await wiki.head()).toBe(head);
      const done = await wiki.run('commit_changes', { message: 'All', changes });
      expect(done.pages).toEqual(dry.pages);
      expect(done.pages.length).toBe(200);
      expect(JSON.stringify(done).length).toBeLessThanOrEqual(40_000);
      expect(await wiki.git('rev-list', '--count', `${head}..main`)).toBe('1');
      expect((await wiki.run('wiki_status', {})).pages).toBe(201);

      const failing = [...changes.slice(1), { op: 'write' as const, path: 'P1', content: 'y' }];
      expect((await wiki.refused('commit_changes', { message: 'x', changes: failing })).code).toBe(
        'already_exists',
      );
      expect(await wiki.head()).toBe(done.commit);
      const tooMany = { message: 'x', changes: [...changes, ...changes] };
      expect((await wiki.refused('commit_changes', tooMany)).code).toBe('invalid_input');
    });

    test('takes the names that models try, and is applied once', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n' });
      const operations = [
        { operation: 'edit', file_path: 'A', old_text: 'a', new_text: 'b' },
        { action: 'write', page: 'B', text: 'b' },
      ];
      const request = { commit_message: 'x', operations, request_id: 'batch-1' };
      const first = await wiki.run('commit_changes', request as never);
      await wiki.run('append_to_page', { path: 'A', content: 'later' });
      expect(await wiki.run('commit_changes', request as never)).toEqual(first);
      expect(await wiki.content('A')).toBe('b\nlater\n');
    });

    test('lands beside other writers, which it does not undo', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'B.md': 'b\n' });
      const append = (path: string, content: string) => ({ op: 'append' as const, path, content });
      await Promise.all([
        wiki.run('commit_changes', { message: '1', changes: [append('A', 'one'), append('B', 'one')] }),
        wiki.run('commit_changes', { message: '2', changes: [append('A', 'two'), append('B', 'two')] }),
        wiki.run('append_to_page', { path: 'A', content: 'three' }),
      ]);
      expect((await wiki.content('A')).trim().split('\n').toSorted()).toEqual(['a', 'one', 'three', 'two']);
      expect((await wiki.content('B')).trim().split('\n').toSorted()).toEqual(['b', 'one', 'two']);
    });
  });

  describe('revert_commit', () => {
    const pages = Object.fromEntries(
      Array.from({ length: 25 }, (_, at) => [`Page ${at}.md`, `# Page ${at}\r\n\ntext ${at}`]),
    );

    test('restores every byte that a batch of 50 pages changed', async () => {
      const wiki = await openTestWiki(backend, pages);
      const before = await wiki.git('rev-parse', 'main^{tree}');
      const batch = await wiki.run('commit_changes', {
        message: 'Batch',
        changes: [
          ...Array.from({ length: 25 }, (_, at) => ({
            op: 'append' as const,
            path: `Page ${at}`,
            content: 'more',
          })),
          ...Array.from({ length: 25 }, (_, at) => ({
            op: 'write' as const,
            path: `New/${at}`,
            content: 'x',
          })),
        ],
      });
      const commit = batch.commit ?? '';
      const dry = await wiki.run('revert_commit', { commit, dry_run: true });
      expect(dry).toMatchObject({ reverted: commit, commit, changed: true, pages_total: 50 });
      const reverted = await wiki.run('revert_commit', { commit: commit.slice(0, 10), request_id: 'r' });
      expect(reverted.pages).toEqual(dry.pages);
      expect(reverted.pages).toContainEqual({ path: 'New/0', action: 'deleted' });
      expect(reverted.pages).toContainEqual({ path: 'Page 0', action: 'modified' });
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);
      expect(await wiki.git('log', '-1', '--format=%B')).toMatch(
        new RegExp(`^Revert "Batch"\n\nThis reverts commit ${commit}\\.\n`),
      );
      expect(await wiki.run('revert_commit', { commit: commit.slice(0, 10), request_id: 'r' })).toEqual(
        reverted,
      );
      expect(await wiki.run('revert_commit', { commit })).toMatchObject({ changed: false });
      await wiki.run('revert_commit', { commit: reverted.commit ?? '' });
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(
        await wiki.git('rev-parse', `${commit}^{tree}`),
      );
    });

    test('restores every byte that a move with 100 rewritten links changed', async () => {
      const linking = Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [
          `deep/${at}.md`,
          `[[Hub]] [[Hub|x]] [h](../Hub.md)\r\n![[Hub#a]] [[hub]] \`[[Hub]]\``,
        ]),
      );
      const wiki = await openTestWiki(backend, { ...linking, 'Hub.md': '# Hub\n[[0]]\n' });
      const before = await wiki.git('rev-parse', 'main^{tree}');
      const moved = await wiki.run('move_page', { path: 'Hub', new_path: 'other/place/Centre' });
      expect(moved.updated_total).toBe(20);
      expect((await wiki.content('deep/0')).match(/Centre/g)).toHaveLength(5);
      await wiki.run('revert_commit', { commit: moved.commit ?? '' });
      expect(await wiki.git('rev-parse', 'main^{tree}')).toBe(before);
      expect((await wiki.run('get_links', { path: 'Hub' })).linked_from).toHaveLength(20);
    });

    test('changes nothing if a page of the commit was moved later, or a moved one was deleted', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'the text\n', 'Home.md': '[[A]]\n' });
      const made = await wiki.write('New', 'something else\n');
      const first = await wiki.run('move_page', { path: 'A', new_path: 'B' });
      const moves = [
        await wiki.run('move_page', { path: 'B', new_path: 'C' }),
        await wiki.run('move_page', { path: 'New', new_path: 'Newer' }),
      ];
      const head = await wiki.head();
      for (const { commit } of [first, made]) {
        const error = await wiki.refused('revert_commit', { commit });
        expect(error.code).toBe('version_conflict');
        expect(error.text.happened).toContain(commit === made.commit ? '"New" (by' : '"B" (by');
      }
      expect(await wiki.head()).toBe(head);

      // The newest first: then every move is undone.
      for (const { commit } of moves.toReversed()) await wiki.run('revert_commit', { commit: commit ?? '' });
      await wiki.run('revert_commit', { commit: first.commit ?? '' });
      expect(await wiki.paths()).toEqual(['A', 'Home', 'New']);
      expect(await wiki.content('Home')).toBe('[[A]]\n');
      expect(await wiki.run('revert_commit', { commit: first.commit ?? '' })).toMatchObject({
        changed: false,
      });

      const { version, commit } = await wiki.run('move_page', { path: 'A', new_path: 'B' });
      await wiki.run('delete_page', { path: 'B', version: version ?? '' });
      expect((await wiki.refused('revert_commit', { commit })).code).toBe('version_conflict');
    });

    test('changes nothing if later edits are in the way, and names them', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'B.md': 'b\n' });
      const batch = await wiki.run('commit_changes', {
        message: 'Batch',
        changes: ['A', 'B', 'C'].map((path) => ({ op: 'append' as const, path, content: 'x' })),
      });
      const later = await wiki.as('Bob', null).run('append_to_page', { path: 'B', content: 'later' });
      const error = await wiki.refused('revert_commit', { commit: batch.commit });
      expect(error.code).toBe('version_conflict');
      expect(error.text).toEqual({
        happened: expect.stringMatching(
          `^Commit ${batch.commit} cannot be undone: 1 of its 3 files changed since: "B" \\(by "Bob <Bob@example.org>" at .* in commit ${later.commit}\\)\\.$`,
        ),
        now: 'Nothing was changed.',
        next: 'Undo the later commits first, the newest first, or bring single pages back with restore_page.',
      });
      expect(error.data.pages).toMatchObject([{ path: 'B', commit: later.commit }]);
      expect(await wiki.head()).toBe(later.commit);
      await wiki.run('revert_commit', { commit: later.commit ?? '' });
      await wiki.run('revert_commit', { commit: batch.commit ?? '' });
      expect(await wiki.paths()).toEqual(['A', 'B']);
      expect(await wiki.content('B')).toBe('b\n');
    });

    test('undoes the first commit too, and needs a commit', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'img/x.png': Uint8Array.of(0, 255) });
      expect((await wiki.refused('revert_commit', { commit: 'abcdef12' })).code).toBe('not_found');
      const undone = await wiki.run('revert_commit', { commit: (await wiki.head()) ?? '' });
      expect(undone.pages).toEqual([
        { path: 'A', action: 'deleted' },
        { path: 'img/x.png', action: 'deleted' },
      ]);
      expect(await wiki.git('ls-tree', '-r', 'main')).toBe('');
    });
  });
}
