import { describe, expect, test } from 'vitest';
import { Pusher, pushOf, strangerWith } from '../../pusher.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

const LONG = Array.from({ length: 400 }, (_, at) => `Line ${at} of a page that is long.\n`).join('');

/** receive_push: what a server of git's protocol hands on. Native git judges the repository after each test. */
export function pushingSuite(backend: Backend): void {
  describe('receive_push', () => {
    test('lands a commit under its own id, with its author, and pages and search follow', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'one', 'Old.md': 'x' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const to = pusher.commit({ 'A.md': 'see [[New]] zebra', 'in/New.md': '# New\n' });
      expect(await wiki.run('receive_push', pushOf(pusher, from, to))).toEqual({ commit: to, changed: true });
      expect(await wiki.head()).toBe(to);
      expect(await wiki.content('in/New')).toBe('# New\n');
      expect((await wiki.run('search_pages', { query: 'zebra' })).hits.map(({ path }) => path)).toEqual([
        'A',
      ]);
      expect((await wiki.run('get_links', { path: 'in/New' })).linked_from).toEqual(['A']);
      expect((await wiki.run('get_history', {})).entries[0]).toMatchObject({
        commit: to,
        author: 'A. Writer <writer@example.org>',
      });
      await wiki.write('Later', 'text');
      expect((await wiki.git('log', '--format=%H', '--skip=1', '-1')).trim()).toBe(to);
    });

    test('lands 300 commits at once', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': LONG });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const lines = Array.from({ length: 300 }, (_, at) => [
        'commit refs/heads/main',
        `committer A. Writer <writer@example.org> ${1_700_000_100 + at} +0000`,
        'data 2\nm\n',
        ...(at === 0 ? [`from ${from}`] : []),
        `M 100644 inline p/${at % 20}.md\ndata ${`${at}`.length}\n${at}`,
        '',
      ]);
      pusher.feed(lines.flat().join('\n'));
      expect(await wiki.run('receive_push', pushOf(pusher, from, pusher.head))).toMatchObject({
        changed: true,
      });
      expect((await wiki.git('rev-list', '--count', 'main')).trim()).toBe('301');
      expect(await wiki.content('p/19')).toBe('299');
    });

    test('completes a thin pack', async () => {
      const wiki = await openTestWiki(backend, { 'Long.md': LONG, 'Other.md': 'x' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const to = pusher.commit({ 'Long.md': `${LONG}One line more.\n` });
      const pack = pusher.pack(from, to);
      expect(pack.length).toBeLessThan(pusher.pack(from, to, { thin: false }).length);
      await wiki.run('receive_push', { from, to, content: pack.toString('base64') });
      expect(await wiki.content('Long')).toBe(`${LONG}One line more.\n`);
    });

    test('lands merges, whichever parent is the head of the wiki', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const side = pusher.commit({ 'Side.md': 'side' }, { parents: [from] });
      const stranger = strangerWith({ 'Far.md': 'far' });
      pusher.git('fetch', '--quiet', stranger.directory, 'main');
      const far = stranger.head;
      await wiki.write('B', 'b');
      const head = (await wiki.head()) ?? '';
      pusher.git('fetch', '--quiet', (await wiki.git('rev-parse', '--absolute-git-dir')).trim(), 'main');
      const to = pusher.commit({ 'B.md': 'b', 'Far.md': 'far' }, { parents: [side, head, far] });
      expect(await wiki.run('receive_push', pushOf(pusher, head, to))).toMatchObject({ changed: true });
      expect(await wiki.paths()).toEqual(['A', 'B', 'Far', 'Side']);
      expect((await wiki.git('rev-list', '--count', 'main')).trim()).toBe('5');
    });

    test('begins an empty wiki', async () => {
      const wiki = await openTestWiki(backend);
      const stranger = strangerWith({ 'A.md': 'a' });
      const push = pushOf(stranger, null, stranger.head);
      expect(await wiki.run('receive_push', push)).toEqual({ commit: stranger.head, changed: true });
      expect(await wiki.run('receive_push', push)).toEqual({ commit: stranger.head, changed: false });
      expect(await wiki.content('A')).toBe('a');
    });

    test('is refused in words for the two answers of git if it is no fast-forward', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const to = pusher.commit({ 'B.md': 'b' });
      await wiki.write('C', 'c');
      const head = await wiki.head();
      const late = await wiki.refused('receive_push', pushOf(pusher, from, to));
      expect([late.code, late.data]).toEqual(['version_conflict', { reason: 'fetch_first', head }]);
      const stranger = strangerWith({ 'Far.md': 'far' });
      const push = { ...pushOf(stranger, null, stranger.head), from: head };
      const unrelated = await wiki.refused('receive_push', push);
      expect([unrelated.code, unrelated.data]).toEqual([
        'version_conflict',
        { reason: 'non_fast_forward', head },
      ]);
      const gone = await wiki.refused('receive_push', { from: head, to: '0'.repeat(40) });
      expect(gone.text.happened).toBe('The push would delete the branch of the wiki.');
      expect(await wiki.head()).toBe(head);
    });

    test('takes nothing of a pack that is damaged or incomplete, or that git would refuse', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': LONG });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const to = pusher.commit({ 'A.md': `${LONG}more\n`, 'New.md': 'new' });
      const pack = pusher.pack(from, to);
      const refused = async (given: { from: string | null; to: string; pack: Buffer }) => {
        const content = given.pack.toString('base64');
        const error = await wiki.refused('receive_push', { from: given.from, to: given.to, content });
        expect(error.text.happened).toMatch(/^The push is refused: /);
        return error.text.happened;
      };
      expect(await refused({ from, to, pack: pack.subarray(0, -25) })).toContain('damaged');
      const later = pusher.commit({ 'x.md': 'x' });
      expect(await refused({ from, to: later, pack: pusher.pack(to, later) })).toContain('lacks the commit');
      const submodule = pusher.commit(
        { '.gitmodules': '[submodule "../x"]\n\turl = -x\n' },
        { parents: [from] },
      );
      expect(await refused({ from, to: submodule, pack: pusher.pack(from, submodule) })).toContain(
        '.gitmodules',
      );
      expect(await wiki.head()).toBe(from);
      expect(await wiki.run('receive_push', pushOf(pusher, from, to))).toMatchObject({ changed: true });
    });

    test('is applied once in a race of pushes with writes, each commit on the one before', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const tos = [1, 2, 3].map((at) => pusher.commit({ [`Pushed ${at}.md`]: 'x' }, { parents: [from] }));
      const pushing = tos.map((to) =>
        wiki.run('receive_push', pushOf(pusher, from, to)).then(
          () => to,
          () => null,
        ),
      );
      const writing = [1, 2, 3].map(async (at) => (await wiki.write(`Page ${at}`, 'x')).commit);
      const acknowledged = (await Promise.all([...pushing, ...writing])).filter((commit) => commit !== null);
      expect(acknowledged.length).toBeGreaterThanOrEqual(3);
      const commits = (await wiki.git('log', '--format=%H', 'main')).trim().split('\n');
      expect(commits.toSorted()).toEqual([...acknowledged, from].toSorted());
    });

    test('is for those who may see and change the whole wiki', async () => {
      const wiki = await openTestWiki(backend, { 'in/A.md': 'a' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const push = pushOf(pusher, from, pusher.commit({ 'in/B.md': 'b' }));
      const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
      for (const scope of [
        { read: ['in/'], write: ['in/'] },
        { read: [''], write: ['in/'] },
      ]) {
        const pushed = wiki.wiki.receive_push(push, { caller, scope });
        await expect(pushed).rejects.toMatchObject({ code: 'forbidden' });
      }
      expect(await wiki.head()).toBe(from);
      await wiki.wiki.receive_push(push, { caller, scope: { read: [''], write: [''] } });
      expect(await wiki.head()).toBe(push.to);
    });
  });
}
