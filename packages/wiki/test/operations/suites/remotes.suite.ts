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
