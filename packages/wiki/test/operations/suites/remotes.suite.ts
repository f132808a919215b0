import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

const REMOTE = {
  url: 'https://example.org/notes.git',
  mode: 'two-way' as const,
  branch: null,
  every_ms: 300_000,
  token_from: '/etc/pagetree/token',
};

const REPORT = {
  state: 'in_step',
  words: 'Both are in step.',
  at: 1_700_000_000_000,
  in_step_at: 1_700_000_000_000,
  next_at: 1_700_000_300_000,
  failures: 0,
  branch: 'refs/heads/main',
  tip: 'a'.repeat(40),
};

/** get_remote, set_remote and report_sync: what each process needs to keep a wiki in sync with a repository elsewhere. */
export function remotesSuite(backend: Backend): void {
  describe('set_remote', () => {
    test('sets, changes and removes the remote', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: null, report: null });
      expect(await wiki.run('set_remote', { remote: null })).toEqual({ changed: false });
      expect(await wiki.run('set_remote', { remote: REMOTE })).toEqual({ changed: true });
      expect(await wiki.run('set_remote', { remote: REMOTE })).toEqual({ changed: false });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: REMOTE, report: null });
      const changed = { ...REMOTE, mode: 'pull' as const, branch: 'refs/heads/notes' };
      expect(await wiki.run('set_remote', { remote: changed })).toEqual({ changed: true });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: changed, report: null });
      expect(await wiki.run('set_remote', { remote: null })).toEqual({ changed: true });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: null, report: null });
    });

    test.for([
      'https://ada:secret@example.org/notes.git',
      'https://secret@example.org/notes.git',
      'https://example.org/notes.git?token=secret',
      'ssh://ada:secret@example.org/notes.git',
    ])('keeps no secret: %s', async (url) => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const setting = wiki.run('set_remote', { remote: { ...REMOTE, url } });
      await expect(setting).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.not.stringContaining('secret'),
      });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: null, report: null });
    });
  });

  describe('a folder of a remote', () => {
    const FOLDER = { ...REMOTE, folder: 'docs/wiki' };
    const projection = {
      folder: 'docs/wiki',
      pairs: [
        { wiki: 'b'.repeat(40), remote: 'c'.repeat(40), in_step: false },
        { wiki: null, remote: 'd'.repeat(40), in_step: true },
      ],
      objects: [Buffer.from('tree').toString('base64')],
    };

    test('is kept, with the commits that stand for each other', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      await wiki.run('set_remote', { remote: FOLDER });
      const report = { ...REPORT, projection };
      expect(await wiki.run('report_sync', { url: REMOTE.url, report })).toEqual({ recorded: true });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: FOLDER, report });
    });

    test('takes no report of another folder or of the whole repository, and loses its own with the folder', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      await wiki.run('set_remote', { remote: FOLDER });
      const recorded = async (report: typeof REPORT & { projection?: typeof projection }) =>
        (await wiki.run('report_sync', { url: REMOTE.url, report })).recorded;
      expect(await recorded(REPORT)).toBe(false);
      expect(await recorded({ ...REPORT, projection: { ...projection, folder: 'docs' } })).toBe(false);
      expect(await recorded({ ...REPORT, projection })).toBe(true);
      await wiki.run('set_remote', { remote: { ...FOLDER, folder: 'docs' } });
      expect((await wiki.run('get_remote', {})).report).toBeNull();
      await wiki.run('set_remote', { remote: REMOTE });
      expect((await wiki.run('get_remote', {})).report).toBeNull();
      expect(await recorded({ ...REPORT, projection })).toBe(false);
    });

    test('is named where a sync failed', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      await wiki.run('set_remote', { remote: FOLDER });
      const failed = {
        ...REPORT,
        state: 'unauthorized',
        words: 'It wants a login.',
        failures: 3,
        projection,
      };
      await wiki.run('report_sync', { url: REMOTE.url, report: failed });
      expect((await wiki.run('wiki_status', {})).problems).toContain(
        `Sync with docs/wiki/ of ${REMOTE.url}: It wants a login.`,
      );
    });

    test.for([
      '',
      '/docs',
      'docs/',
      'a//b',
      '../docs',
      'a/./b',
      '.git',
      'docs/.GIT/x',
      'a\\b',
      'a\nb',
      'git~1',
    ])('cannot be %j', async (folder) => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      await expect(wiki.run('set_remote', { remote: { ...REMOTE, folder } })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });
  });

  describe('wiki_status', () => {
    test('says why the wiki is not in step with its remote', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const problems = async () =>
        (await wiki.run('wiki_status', {})).problems.filter((each) => /Sync/.test(each));
      await wiki.run('set_remote', { remote: REMOTE });
      expect(await problems()).toEqual([]);
      const failed = { ...REPORT, state: 'unauthorized', words: 'It wants a login.', failures: 3 };
      await wiki.run('report_sync', { url: REMOTE.url, report: failed });
      expect(await problems()).toEqual([`Sync with ${REMOTE.url}: It wants a login.`]);
      await wiki.run('report_sync', { url: REMOTE.url, report: REPORT });
      expect(await problems()).toEqual([]);
    });
  });

  describe('sync_wiki', () => {
    const ALLOWED = { ...REMOTE, agents_may_sync: true as const };

    /** A wiki whose remote agents may sync, and a sync that ended then. */
    async function openSynced(at: number, more: Partial<typeof REPORT> = {}) {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      await wiki.run('set_remote', { remote: ALLOWED });
      const report = { ...REPORT, at, in_step_at: at, next_at: at + 300_000, ...more };
      await wiki.run('report_sync', { url: REMOTE.url, report });
      const stored = async () => (await wiki.run('get_remote', {})).report;
      return { wiki, report, stored };
    }

    test('is refused without a remote, and without leave of its owner', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      expect(await wiki.refused('sync_wiki', {})).toMatchObject({ code: 'not_found' });
      await wiki.run('set_remote', { remote: REMOTE });
      await wiki.run('report_sync', { url: REMOTE.url, report: REPORT });
      expect(await wiki.refused('sync_wiki', {})).toMatchObject({ code: 'forbidden' });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: REMOTE, report: REPORT });
    });

    test('makes a sync due, and answers how the last one went', async () => {
      const { wiki, report, stored } = await openSynced(Date.now() - 60_000);
      const answer = await wiki.run('sync_wiki', {});
      expect(answer).toMatchObject({
        progress: 'under_way',
        sync: { remote: REMOTE.url, state: 'in_step', words: REPORT.words, agents_may_sync: true },
      });
      expect(JSON.stringify(answer)).not.toContain('token');
      const marked = await stored();
      expect(marked).toEqual({ ...report, next_at: expect.any(Number) });
      expect(marked?.next_at).toBeLessThanOrEqual(Date.now());
      // A second call has nothing to bring earlier.
      await wiki.run('sync_wiki', {});
      expect(await stored()).toEqual(marked);
    });

    test('leaves some seconds between two syncs, however often it is called', async () => {
      const { wiki, report, stored } = await openSynced(Date.now());
      for (let times = 0; times < 5; times += 1) await wiki.run('sync_wiki', {});
      const marked = await stored();
      expect(marked).toEqual({ ...report, next_at: expect.any(Number) });
      expect(marked?.next_at).toBeGreaterThanOrEqual(report.at + 5_000);
    });

    test.for(['rate_limited', 'unauthorized', 'unreachable'])(
      'keeps the pause after a sync that failed (%s)',
      async (state) => {
        const next_at = Date.now() + 3_600_000;
        const words = 'The remote wants a pause.';
        const { wiki, report, stored } = await openSynced(Date.now() - 60_000, {
          state,
          words,
          failures: 2,
          next_at,
        });
        expect(await wiki.run('sync_wiki', {})).toMatchObject({
          progress: 'postponed',
          sync: { state, words, next_at: new Date(next_at).toISOString() },
        });
        expect(await stored()).toEqual(report);
      },
    );

    test('before the first sync there is nothing to mark', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      await wiki.run('set_remote', { remote: ALLOWED });
      expect(await wiki.run('sync_wiki', {})).toMatchObject({
        progress: 'under_way',
        sync: { state: 'not_synced', at: null, in_step_at: null, next_at: null },
      });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: ALLOWED, report: null });
    });

    test('wiki_status has the last sync too, without the place of the token', async () => {
      const { wiki } = await openSynced(Date.now() - 60_000);
      const { sync } = await wiki.run('wiki_status', {});
      expect(sync).toEqual((await wiki.run('sync_wiki', {})).sync);
      await wiki.run('set_remote', { remote: null });
      expect((await wiki.run('wiki_status', {})).sync).toBeNull();
    });
  });

  describe('report_sync', () => {
    test('is kept for the remote of the wiki alone, until that changes', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const report = { url: REMOTE.url, report: REPORT };
      expect(await wiki.run('report_sync', report)).toEqual({ recorded: false });
      await wiki.run('set_remote', { remote: REMOTE });
      expect(await wiki.run('report_sync', report)).toEqual({ recorded: true });
      expect(await wiki.run('report_sync', { ...report, url: 'https://example.org/other.git' })).toEqual({
        recorded: false,
      });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: REMOTE, report: REPORT });
      const elsewhere = { ...REMOTE, url: 'https://example.org/other.git' };
      await wiki.run('set_remote', { remote: elsewhere });
      expect(await wiki.run('get_remote', {})).toEqual({ remote: elsewhere, report: null });
    });
  });
}
