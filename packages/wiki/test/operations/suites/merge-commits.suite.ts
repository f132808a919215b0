import { describe, expect, test } from 'vitest';
import { objectId } from '../../../src/formats/oid.ts';
import { Pusher, strangerWith } from '../../pusher.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

const LINES = Array.from({ length: 20 }, (_, at) => `Line ${at}.\n`);
const SOURCE = 'branch main of example.org/notes';
const NONE = { conflicts: [], more_conflicts: 0 };

/** merge_commits: what a sync with another repository hands on. Native git judges the repository after each test. */
export function mergeCommitsSuite(backend: Backend): void {
  describe('merge_commits', () => {
    test('fast-forwards to a commit that descends from the head, under its own id', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'one' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      const to = other.commit({ 'A.md': 'two', 'in/New.md': 'see [[A]] zebra' });
      const answer = { outcome: 'fast_forward', commit: to, ...NONE };
      expect(await wiki.run('merge_commits', mergeOf(other, from, to))).toEqual(answer);
      expect(await wiki.head()).toBe(to);
      expect((await wiki.run('search_pages', { query: 'zebra' })).hits.map(({ path }) => path)).toEqual([
        'in/New',
      ]);
    });

    test('begins an empty wiki', async () => {
      const wiki = await openTestWiki(backend);
      const other = strangerWith({ 'A.md': 'a' });
      const merged = await wiki.run('merge_commits', mergeOf(other, null, other.head));
      expect(merged).toEqual({ outcome: 'fast_forward', commit: other.head, ...NONE });
      expect(await wiki.content('A')).toBe('a');
    });

    test('does nothing about the head and its ancestors', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const first = (await wiki.head()) ?? '';
      await wiki.write('B', 'b');
      const head = (await wiki.head()) ?? '';
      for (const commit of [first, head]) {
        const merged = await wiki.run('merge_commits', { commit, source: SOURCE });
        expect(merged).toEqual({ outcome: 'contained', commit: head, ...NONE });
      }
      expect(await wiki.head()).toBe(head);
    });

    test('merges what both sides changed in different places, and search, links, history and blame follow', async () => {
      const wiki = await openTestWiki(backend, { 'Both.md': LINES.join(''), 'A.md': 'a' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      other.commit({ 'Theirs.md': 'see [[A]] zebra' });
      const to = other.commit({ 'Both.md': LINES.with(2, 'theirs\n').join('') });
      await wiki.write('Ours', 'ours');
      await edit(wiki, 'Both', 'Line 17.', 'ours');
      const head = (await wiki.head()) ?? '';
      const merged = await wiki.run('merge_commits', mergeOf(other, from, to));
      expect(merged).toMatchObject({ outcome: 'merged', ...NONE });
      expect(await wiki.content('Both')).toBe(LINES.with(2, 'theirs\n').with(17, 'ours\n').join(''));
      expect(await wiki.paths()).toEqual(['A', 'Both', 'Ours', 'Theirs']);
      expect((await wiki.git('log', '-1', '--format=%P%n%an <%ae>%n%s')).trim().split('\n')).toEqual([
        `${head} ${to}`,
        'Ada Lovelace <ada@example.org>',
        `Merge ${SOURCE}`,
      ]);
      expect((await wiki.run('search_pages', { query: 'zebra' })).hits.map(({ path }) => path)).toEqual([
        'Theirs',
      ]);
      expect((await wiki.run('get_links', { path: 'A' })).linked_from).toEqual(['Theirs']);
      const { entries } = await wiki.run('get_history', {});
      expect(entries.map(({ commit }) => commit)).toEqual(
        expect.arrayContaining([merged.commit, head, to, from]),
      );
      const { entries: ofTheirs } = await wiki.run('get_history', { path: 'Theirs' });
      expect(ofTheirs.map(({ author }) => author)).toEqual(['A. Writer <writer@example.org>']);
      const blame = await wiki.run('blame_page', { path: 'Both' });
      expect(JSON.stringify(blame)).toContain(to);
      const changed = await wiki.run('list_changed', { known: head });
      expect(JSON.stringify(changed)).toContain('Theirs');
      await wiki.write('Later', 'text');
      expect((await wiki.git('rev-list', '--first-parent', 'main')).trim().split('\n')).toHaveLength(5);
    });

    test("keeps the wiki's text where both sides changed the same, and names it again if it is repeated", async () => {
      const wiki = await openTestWiki(backend, { 'Both.md': 'old\n', 'Gone.md': 'x\n', 'Kept.md': 'x\n' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      other.commit({ 'Both.md': 'theirs\n', 'Gone.md': 'theirs\n', 'in/Free.md': 'free\n' });
      other.feed(
        `commit refs/heads/main\ncommitter A <a@b> 1700000200 +0000\ndata 1\nm\nfrom ${other.head}\nD Kept.md\n`,
      );
      const to = other.head;
      await wiki.run('write_page', {
        path: 'Both',
        content: 'ours\n',
        version: blob(other, from, 'Both.md'),
      });
      await wiki.run('delete_page', { path: 'Gone', version: blob(other, from, 'Gone.md') });
      await wiki.run('write_page', {
        path: 'Kept',
        content: 'ours\n',
        version: blob(other, from, 'Kept.md'),
      });
      const merged = await wiki.run('merge_commits', mergeOf(other, from, to));
      const [ours, theirs] = ['ours\n', 'theirs\n'].map((text) => objectId('blob', Buffer.from(text)));
      expect(merged).toMatchObject({
        outcome: 'merged',
        conflicts: [
          { path: 'Both.md', ours, theirs },
          { path: 'Gone.md', ours: null, theirs },
          { path: 'Kept.md', ours, theirs: null },
        ],
        more_conflicts: 0,
      });
      expect(await wiki.paths()).toEqual(['Both', 'Kept', 'in/Free']);
      expect(await wiki.content('Both')).toBe('ours\n');
      expect(await wiki.git('show', 'main^2:Both.md')).toMatch(/^theirs/);
      const trailers = await wiki.git('log', '-1', '--format=%(trailers:key=Conflict,valueonly)');
      expect(trailers.trim().split('\n')).toEqual(['Both.md', 'Gone.md', 'Kept.md']);
      await wiki.write('Later', 'x');
      expect(await wiki.run('merge_commits', mergeOf(other, from, to))).toEqual(merged);
      expect(await wiki.run('merge_commits', { commit: to, source: SOURCE })).toEqual(merged);
      // A later commit of the other side brings only what it changed since.
      const next = other.commit({ 'in/Free.md': 'freer\n' });
      expect(await wiki.run('merge_commits', mergeOf(other, to, next))).toMatchObject(NONE);
      expect(await wiki.content('in/Free')).toBe('freer\n');
      expect(await wiki.content('Both')).toBe('ours\n');
    });

    test('merges a history that has nothing in common with the wiki', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'ours' });
      const other = strangerWith({ 'A.md': 'theirs', 'Far.md': 'far' });
      const merged = await wiki.run('merge_commits', mergeOf(other, null, other.head));
      expect(merged.conflicts.map(({ path }) => path)).toEqual(['A.md']);
      expect(await wiki.content('A')).toBe('ours');
      expect(await wiki.content('Far')).toBe('far');
      expect((await wiki.git('rev-list', '--count', 'main')).trim()).toBe('3');
    });

    test('is undone by revert_commit as a merge that was pushed is', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      const to = other.commit({ 'Theirs.md': 'theirs' });
      await wiki.write('Ours', 'ours');
      const { commit } = await wiki.run('merge_commits', mergeOf(other, from, to));
      const reverted = await wiki.run('revert_commit', { commit });
      expect(reverted.pages).toEqual([{ path: 'Theirs', action: 'deleted' }]);
      expect(await wiki.paths()).toEqual(['A', 'Ours']);
    });

    test('takes nothing of a pack that is damaged or incomplete, or that git would refuse', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': LINES.join('') });
      const other = await Pusher.of(wiki);
      const from = other.head;
      await wiki.write('Ours', 'ours');
      const head = await wiki.head();
      const to = other.commit({ 'A.md': `${LINES.join('')}more\n`, 'New.md': 'new' });
      const refused = async (commit: string, pack: Buffer) => {
        const input = { commit, source: SOURCE, content: pack.toString('base64') };
        const error = await wiki.refused('merge_commits', input);
        expect(error.text.happened).toMatch(/^The merge is refused: /);
        return error.text.happened;
      };
      const pack = other.pack(from, to);
      expect(await refused(to, pack.subarray(0, -25))).toContain('damaged');
      const later = other.commit({ 'x.md': 'x' });
      expect(await refused(later, other.pack(to, later))).toContain('lacks the commit');
      const submodule = other.commit({ '.gitmodules': '[submodule "../x"]\n\turl = -x\n' });
      expect(await refused(submodule, other.pack(from, submodule))).toContain('.gitmodules');
      expect(await refused(blob(other, to, 'New.md'), pack)).toContain('named as a commit');
      const bad = await wiki.refused('merge_commits', { commit: to, source: 'two\nlines' });
      expect(bad.code).toBe('invalid_input');
      expect(await wiki.head()).toBe(head);
      expect(await wiki.run('merge_commits', mergeOf(other, from, to))).toMatchObject({ outcome: 'merged' });
    });

    test('lands once in a race of merges of the same commit with writes', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      const to = other.commit({ 'Theirs.md': 'theirs' });
      await wiki.write('Ours', 'ours');
      const merging = [1, 2, 3].map(() => wiki.run('merge_commits', mergeOf(other, from, to)));
      const writing = [1, 2, 3].map(async (at) => wiki.write(`Page ${at}`, 'x'));
      const [merged] = await Promise.all([Promise.all(merging), ...writing]);
      expect(new Set(merged.map(({ commit }) => commit)).size).toBe(1);
      expect(await wiki.paths()).toEqual(['A', 'Ours', 'Page 1', 'Page 2', 'Page 3', 'Theirs']);
      expect((await wiki.git('rev-list', '--count', 'main')).trim()).toBe('7');
    });

    test('is for those who may see and change the whole wiki', async () => {
      const wiki = await openTestWiki(backend, { 'in/A.md': 'a' });
      const other = await Pusher.of(wiki);
      const from = other.head;
      const merge = mergeOf(other, from, other.commit({ 'in/B.md': 'b' }));
      const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
      for (const scope of [
        { read: ['in/'], write: ['in/'] },
        { read: [''], write: ['in/'] },
      ]) {
        const merged = wiki.wiki.merge_commits(merge, { caller, scope });
        await expect(merged).rejects.toMatchObject({ code: 'forbidden' });
      }
      expect(await wiki.head()).toBe(from);
      await wiki.wiki.merge_commits(merge, { caller, scope: { read: [''], write: [''] } });
      expect(await wiki.head()).toBe(merge.commit);
    });
  });
}

function mergeOf(other: Pusher, from: string | null, commit: string) {
  return { commit, source: SOURCE, content: other.pack(from, commit).toString('base64') };
}

async function edit(wiki: TestWiki, path: string, find: string, replace: string): Promise<void> {
  const { version } = await wiki.run('read_page', { path });
  await wiki.run('edit_page', { path, version, edits: [{ old_string: find, new_string: replace }] });
}

function blob(other: Pusher, commit: string, path: string): string {
  return other.git('rev-parse', `${commit}:${path}`);
}
