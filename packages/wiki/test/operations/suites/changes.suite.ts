import { describe, expect, test } from 'vitest';
import type { Output } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

/** show_changes, with `git diff` as the judge. */
export function changesSuite(backend: Backend): void {
  describe('show_changes', () => {
    test('shows what changed since a commit, page by page, with who, why and the diff', async () => {
      const wiki = await openTestWiki(backend, {
        'Same.md': 'same\n',
        'Edited.md': 'one\ntwo\nthree\n',
        'Old.md': 'a page\nthat moves\n',
        'Gone.md': 'gone\n',
      });
      const since = (await wiki.run('get_history', {})).entries[0]?.commit ?? '';
      const bob = wiki.as('Bob', 'claude/2');
      const edits = [{ old_string: 'two', new_string: '2' }];
      await bob.run('edit_page', { path: 'Edited', edits, message: 'Count in digits' });
      await bob.run('append_to_page', { path: 'Edited', content: 'four', message: 'Go on' });
      await bob.run('move_page', { path: 'Old', new_path: 'New/Name' });
      await bob.run('append_to_page', { path: 'New/Name', content: 'and grows' });
      const { version } = await wiki.run('read_page', { path: 'Gone' });
      await wiki.as('Ada', null).run('delete_page', { path: 'Gone', version, message: 'Clean up' });
      await bob.run('write_page', { path: 'Added', content: 'new\n' });
      await bob.run('put_attachment', { path: 'file.csv', content: 'YSxiCg==' });

      const answer = await wiki.run('show_changes', { since });

      expect(answer).toMatchObject({ from: since, total: 5, next_cursor: null, files_total: 1 });
      expect(answer.files).toEqual([{ path: 'file.csv', action: 'added' }]);
      expect(
        answer.pages.map(({ path, action, previous_path, moved_to }) => [
          path,
          action,
          previous_path,
          moved_to,
        ]),
      ).toEqual([
        ['Added', 'added', null, null],
        ['Edited', 'modified', null, null],
        ['Gone', 'deleted', null, null],
        ['New/Name', 'moved', 'Old', null],
        ['Old', 'moved', null, 'New/Name'],
      ]);
      expect(reasons(answer, 'Edited')).toEqual(['claude/2: Go on', 'claude/2: Count in digits']);
      expect(reasons(answer, 'Gone')).toEqual([': Clean up']);
      const { diff } = answer.pages.find(({ path }) => path === 'New/Name') ?? {};
      expect(diff).toContain('+and grows');
      expect(diff).not.toContain('-a page');
      await expectAsGit(wiki, since, answer);
    });

    test('shows what one commit changed, and takes a time for a commit', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a\n', 'B.md': 'b\n' });
      const { commit } = await wiki.run('commit_changes', {
        message: 'Both',
        changes: [
          { op: 'append', path: 'A', content: 'more' },
          { op: 'append', path: 'B', content: 'more' },
        ],
      });
      await wiki.run('append_to_page', { path: 'A', content: 'later' });
      const one = await wiki.run('show_changes', { commit: commit ?? '' });
      expect(one).toMatchObject({ to: commit, total: 2 });
      expect(reasons(one, 'A')).toEqual(
        ['agent: Both'].map((each) => expect.stringContaining(each.slice(7))),
      );
      const all = await wiki.run('show_changes', { since: '2000' });
      expect(all).toMatchObject({ from: null, total: 2 });
      expect(await wiki.run('show_changes', { since: all.to ?? '' })).toMatchObject({ pages: [], total: 0 });
      expect((await wiki.refused('show_changes', {})).code).toBe('invalid_input');
      expect((await wiki.refused('show_changes', { since: '2000', commit: 'abcd' })).code).toBe(
        'invalid_input',
      );
      expect(await wiki.run('show_changes', { since: '2000', prefix: 'B' })).toMatchObject({ total: 1 });
    });

    test('follows a page that had moved before, and lists no commit that was known', async () => {
      const wiki = await openTestWiki(backend, { 'X.md': 'a page\nof two lines\n', 'R.md': 'another\n' });
      await wiki.run('move_page', { path: 'X', new_path: 'Y' });
      const { commit } = await wiki.run('append_to_page', { path: 'R', content: 'grows' });
      const since = commit ?? '';
      await wiki.run('move_page', { path: 'Y', new_path: 'Z' });
      const moved = await wiki.run('show_changes', { since });
      expect(moved.pages).toMatchObject([
        { path: 'Y', action: 'moved', moved_to: 'Z', diff: '' },
        { path: 'Z', action: 'moved', previous_path: 'Y', diff: '', added: 0 },
      ]);
      for (const { commits } of moved.pages) expect(commits).toHaveLength(1);
      const { version } = await wiki.run('read_page', { path: 'Z' });
      await wiki.run('delete_page', { path: 'Z', version });
      await wiki.run('move_page', { path: 'R', new_path: 'Z' });
      const again = await wiki.run('show_changes', { since });
      const facts = again.pages.map(({ path, action, previous_path, commits }) => [
        path,
        action,
        previous_path,
        commits.length,
      ]);
      expect(facts).toEqual([
        ['R', 'moved', null, 1],
        ['Y', 'moved', null, 1],
        ['Z', 'moved', 'R', 1],
      ]);
    });

    test('stays within its bytes, and goes on by its cursor without what came meanwhile', async () => {
      const wiki = await openTestWiki(backend, { 'Home.md': 'home\n' });
      const since = (await wiki.run('get_history', {})).entries[0]?.commit ?? '';
      const names = Array.from({ length: 12 }, (_, at) => `Page ${String(at).padStart(2, '0')}`);
      for (const path of names) await wiki.run('write_page', { path, content: `${path} `.repeat(80) });
      const query = { since, max_bytes: 2_000 };
      const seen: string[] = [];
      let answer = await wiki.run('show_changes', query);
      await wiki.run('write_page', { path: 'Later', content: 'x' });
      for (;;) {
        expect(JSON.stringify(answer.pages).length).toBeLessThan(2_400);
        expect(answer.total).toBe(12);
        seen.push(...answer.pages.map(({ path }) => path));
        if (answer.next_cursor === null) break;
        answer = await wiki.run('show_changes', { ...query, cursor: answer.next_cursor });
      }
      expect(seen).toEqual(names);
    });
  });
}

function reasons({ pages }: Output<'show_changes'>, path: string): string[] {
  const page = pages.find((each) => each.path === path);
  return (page?.commits ?? []).map(({ agent, message }) => `${agent ?? ''}: ${message}`);
}

/** Native git finds the same files changed. */
async function expectAsGit(wiki: TestWiki, since: string, answer: Output<'show_changes'>): Promise<void> {
  const printed = await wiki.git('diff', '--name-only', '--no-renames', '-z', since, answer.to ?? '');
  const paths = [...answer.pages.map(({ path }) => `${path}.md`), ...answer.files.map(({ path }) => path)];
  expect(paths.toSorted()).toEqual(printed.split('\0').filter(Boolean).toSorted());
}
