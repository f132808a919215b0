import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

const TEXT = 'one\n\ntwo\n\nthree\n\nfour\n\nfive\n';

/** undo_changes. */
export function undoingSuite(backend: Backend): void {
  describe('undo_changes', () => {
    test('undoes all that an agent did since a commit, as one commit that names it', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT, 'B.md': 'b\n' });
      const robot = () => wiki.as('Ada', 'robot/1.0');
      const before = await robot().write('Early', 'stays\n');
      const first = await edit(wiki, 'A', 'one', 'ONE');
      const moved = await wiki.run('move_page', { path: 'B', new_path: 'Sub/B' });
      const made = await wiki.write('New', '# New\n');
      await wiki.as('Bob', null).run('append_to_page', { path: 'A', content: 'by Bob' });
      await wiki.write('Bobs', 'kept\n');
      const asked = { agent: 'robot', since: before.commit ?? '' };

      const head = await wiki.head();
      const seen = await wiki.run('undo_changes', { ...asked, dry_run: true });
      expect(await wiki.head()).toBe(head);
      expect(seen).toMatchObject({ as_of: head, since: before.commit, changed: true, conflicts: 0 });
      expect(seen.commits.map(({ commit }) => commit)).toEqual(
        [made, moved, first].map(({ commit }) => commit),
      );
      expect(seen.files.map(({ path, action, state }) => [path, action, state])).toEqual([
        ['A', 'modified', 'merged'],
        ['B', 'added', 'undone'],
        ['New', 'deleted', 'undone'],
        ['Sub/B', 'deleted', 'undone'],
      ]);
      const [a] = seen.files;
      expect(a?.diff).toContain('-ONE\n+one\n');
      expect(a?.theirs).toContain('+by Bob');
      expect(a?.others).toMatchObject([{ author: 'Bob <Bob@example.org>', agent: null }]);

      const undo = { ...asked, since: seen.since ?? '', as_of: seen.as_of ?? '', request_id: 'undo' };
      const done = await wiki.as('Grace', null).run('undo_changes', undo);
      expect(done).toMatchObject({ changed: true, commit: await wiki.git('rev-parse', 'main') });
      expect(await wiki.git('rev-parse', 'main^')).toBe(head);
      expect(await wiki.git('log', '-1', '--format=%B')).toMatch(
        new RegExp(
          `^Undo 3 commits through robot after commit ${before.commit?.slice(0, 12)}\n\nThis reverts commit ${made.commit} \\(Create New\\)\\.\n`,
        ),
      );
      expect(await wiki.paths()).toEqual(['A', 'B', 'Bobs', 'Early']);
      expect(await wiki.content('A')).toBe(`${TEXT}by Bob\n`);
      // Once, with the answer of the first time.
      expect(await wiki.run('undo_changes', undo)).toEqual(done);
      expect(await wiki.git('rev-parse', 'main')).toBe(done.commit);
      expect(await wiki.run('undo_changes', asked)).toMatchObject({ changed: false, conflicts: 0 });
    });

    test('refuses pages where others changed the same place, says whose, and leaves them if asked', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT, 'B.md': 'b\n' });
      const batch = await wiki.as('Ada', 'robot').run('commit_changes', {
        message: 'Batch',
        changes: ['A', 'B'].map((path) => ({ op: 'append' as const, path, content: 'robot' })),
      });
      const later = await edit(wiki.as('Bob', null), 'B', 'robot', 'Bob');
      const asked = { commit: batch.commit ?? '' };
      const seen = await wiki.run('undo_changes', { ...asked, dry_run: true });
      expect(seen).toMatchObject({ conflicts: 1, files_total: 2, since: null });
      expect(seen.files.map(({ path, state }) => [path, state])).toEqual([
        ['B', 'conflict'],
        ['A', 'undone'],
      ]);
      expect(seen.files[0]).toMatchObject({
        diff: expect.stringContaining('-robot'),
        theirs: expect.stringContaining('+Bob'),
        others: [{ commit: later.commit, author: 'Bob <Bob@example.org>' }],
      });
      const error = await wiki.refused('undo_changes', asked);
      expect([error.code, error.data.files_total]).toEqual(['version_conflict', 1]);
      expect(error.text.happened).toContain('"B" (by "Bob <Bob@example.org>"');
      expect(await wiki.head()).toBe(later.commit);

      const done = await wiki.run('undo_changes', { ...asked, leave: ['B'] });
      expect(done).toMatchObject({ changed: true, conflicts: 0 });
      expect([await wiki.content('A'), await wiki.content('B')]).toEqual([TEXT, 'b\nBob\n']);
      expect(await wiki.git('log', '-1', '--format=%B')).toContain('1 of 2 files are left as they are.');
    });

    test('refuses a page that changed after the dry run, and no other change since', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT });
      const { commit } = await edit(wiki, 'A', 'one', 'ONE');
      const { as_of } = await wiki.run('undo_changes', { commit: commit ?? '', dry_run: true });
      const undo = { commit: commit ?? '', as_of: as_of ?? '' };
      await wiki.write('Other', 'other\n');
      await edit(wiki, 'A', 'five', 'FIVE');
      expect((await wiki.refused('undo_changes', undo)).code).toBe('version_conflict');
      await wiki.run('undo_changes', { ...undo, as_of: (await wiki.head()) ?? '' });
      expect(await wiki.content('A')).toBe(TEXT.replace('five', 'FIVE'));
    });

    test('does not bring back what others moved or deleted', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT, 'Old.md': 'old\n' });
      const made = await wiki.write('New', '# New\n');
      const changed = await edit(wiki, 'Old', 'old', 'older');
      await wiki.run('move_page', { path: 'New', new_path: 'Newer' });
      const { version } = await wiki.run('read_page', { path: 'Old' });
      await wiki.run('delete_page', { path: 'Old', version });
      for (const { commit } of [made, changed]) {
        const seen = await wiki.run('undo_changes', { commit: commit ?? '', dry_run: true });
        expect(seen.files).toMatchObject([{ state: 'conflict' }]);
        expect((await wiki.refused('undo_changes', { commit })).code).toBe('version_conflict');
      }
    });

    test('undoes edits at the path to which others moved the page since, also over a new page at the old one', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT });
      const since = (await wiki.head()) ?? '';
      await edit(wiki.as('Ada', 'robot'), 'A', 'one', 'ONE');
      await wiki.as('Bob', null).run('move_page', { path: 'A', new_path: 'Sub/B' });
      await edit(wiki.as('Ada', 'robot'), 'Sub/B', 'two', 'TWO');
      await edit(wiki.as('Bob', null), 'Sub/B', 'five', 'FIVE');
      await wiki.write('A', TEXT.replace('one', 'ONE'));
      await wiki.run('move_page', { path: 'Sub/B', new_path: 'C' });
      const asked = { agent: 'robot', since };
      const seen = await wiki.run('undo_changes', { ...asked, dry_run: true });
      expect(seen.files).toMatchObject([{ path: 'C', action: 'modified', state: 'merged' }]);
      expect(seen.files[0]?.others.map(({ message }) => message)).toContain('Move A to Sub/B');
      await wiki.run('undo_changes', asked);
      expect(await wiki.content('C')).toBe(TEXT.replace('five', 'FIVE'));
      expect(await wiki.content('A')).toBe(TEXT.replace('one', 'ONE'));
      expect(await wiki.paths()).toEqual(['A', 'C']);
    });

    test('puts a page back where others had moved it, if the agent moved it on', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT });
      const since = (await wiki.head()) ?? '';
      await edit(wiki.as('Ada', 'robot'), 'A', 'one', 'ONE');
      await wiki.as('Bob', null).run('move_page', { path: 'A', new_path: 'B' });
      await wiki.as('Ada', 'robot').run('move_page', { path: 'B', new_path: 'C' });
      await wiki.run('undo_changes', { agent: 'robot', since });
      expect([await wiki.paths(), await wiki.content('B')]).toEqual([['B'], TEXT]);
    });

    test('does not follow the edits of a page that the agent had made, nor of one that is another now', async () => {
      const wiki = await openTestWiki(backend, { 'Old.md': TEXT });
      const since = (await wiki.head()) ?? '';
      await wiki.as('Ada', 'robot').write('New', TEXT);
      await edit(wiki.as('Bob', null), 'New', 'five', 'FIVE');
      await edit(wiki.as('Ada', 'robot'), 'New', 'one', 'ONE');
      await edit(wiki, 'Old', 'one', 'ONE');
      wiki.as('Bob', null);
      await wiki.run('move_page', { path: 'New', new_path: 'Newer' });
      const { version } = await wiki.run('read_page', { path: 'Old' });
      await wiki.run('delete_page', { path: 'Old', version });
      await wiki.write('Old', `${TEXT}other`);
      await wiki.run('move_page', { path: 'Old', new_path: 'Other' });
      const seen = await wiki.run('undo_changes', { agent: 'robot', since, dry_run: true });
      expect(seen.files.map(({ path, state }) => [path, state])).toEqual([
        ['New', 'conflict'],
        ['Old', 'conflict'],
      ]);
    });

    test('takes back in one step changes that follow each other, also if the older one is undone already', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT, 'B.md': TEXT });
      const since = (await wiki.head()) ?? '';
      wiki.as('Ada', 'robot');
      for (const path of ['A', 'B']) {
        await edit(wiki, path, 'one', 'ONE');
        await edit(wiki, path, 'ONE', 'first');
      }
      // Both changed one line twice: step by step the older one would find neither side of it.
      await edit(wiki.as('Bob', null), 'A', 'first', 'one');
      await edit(wiki, 'B', 'five', 'FIVE');
      const seen = await wiki.run('undo_changes', { agent: 'robot', since, dry_run: true });
      expect(seen.files.map(({ path, state }) => [path, state])).toEqual([
        ['A', 'same'],
        ['B', 'merged'],
      ]);
      await wiki.run('undo_changes', { agent: 'robot', since });
      expect([await wiki.content('A'), await wiki.content('B')]).toEqual([
        TEXT,
        TEXT.replace('five', 'FIVE'),
      ]);
    });

    test('asks for one commit, or for somebody and a moment of this history', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': TEXT });
      const head = (await wiki.head()) ?? '';
      const unclear = [{}, { agent: 'x' }, { since: 'today' }, { commit: head, agent: 'x' }, { author: 'x' }];
      for (const input of unclear) {
        expect((await wiki.refused('undo_changes', input)).code).toBe('invalid_input');
      }
      const later = await wiki.write('B', 'b\n');
      const past = { author: 'Ada', since: later.commit ?? '', as_of: head };
      expect((await wiki.refused('undo_changes', past)).code).toBe('invalid_input');
      const today = await wiki.run('undo_changes', { author: 'ada', since: 'today', dry_run: true });
      expect(today.commits).toMatchObject([{ commit: later.commit, message: 'Create B' }]);
      expect(today.since).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
    });

    test('undoes a commit of a batch exactly as revert_commit does, with files', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'img/x.png': Uint8Array.of(0, 255) });
      const first = (await wiki.head()) ?? '';
      const undone = await wiki.run('undo_changes', { commit: first });
      expect(undone.files.map(({ path, is_page, action }) => [path, is_page, action])).toEqual([
        ['A', true, 'deleted'],
        ['img/x.png', false, 'deleted'],
      ]);
      expect(await wiki.git('ls-tree', '-r', 'main')).toBe('');
      expect(await wiki.git('log', '-1', '--format=%s')).toBe('Revert "Begin"');
    });
  });
}

async function edit(wiki: TestWiki, path: string, old_string: string, new_string: string) {
  return wiki.run('edit_page', { path, edits: [{ old_string, new_string }] });
}
