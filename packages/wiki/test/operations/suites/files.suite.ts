import { describe, expect, test } from 'vitest';
import { blobOid } from '../../../src/core/content-hash.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

const LATIN = Buffer.from([0x54, 0xe9, 0x0d, 0x0a]);

/** list_files, read_files and commit_files: what keeps copies of a wiki. */
export function filesSuite(backend: Backend): void {
  describe('list_files', () => {
    test('names every file with its version, and what differs from a commit', async () => {
      const wiki = await openTestWiki(backend, { 'a/One.md': 'one', 'b.png': 'two', 'Gone.md': 'x' });
      const { commit, files, next_cursor } = await wiki.run('list_files', {});
      expect({ files, next_cursor }).toEqual({
        files: [listed('Gone.md', 'x'), listed('a/One.md', 'one'), listed('b.png', 'two')],
        next_cursor: null,
      });
      const known = commit ?? '';
      expect(await wiki.run('list_files', { known })).toEqual({ commit, files: [], next_cursor: null });
      await wiki.run('delete_page', { path: 'Gone', version: versionOf('x') });
      await wiki.write('New', 'new');
      expect((await wiki.run('list_files', { known })).files).toEqual([
        { path: 'Gone.md', version: null },
        listed('New.md', 'new'),
      ]);
      expect((await wiki.refused('list_files', { known: 'f'.repeat(40) })).code).toBe('not_found');
      const empty = await openTestWiki(backend);
      expect(await empty.run('list_files', {})).toEqual({ commit: null, files: [], next_cursor: null });
    });

    test('goes on by its cursor at the same commit', async () => {
      const many = Array.from({ length: 5_002 }, (_, at) => [`f${at % 50}/p${at}.md`, 'x'] as const);
      const wiki = await openTestWiki(backend, Object.fromEntries(many));
      const first = await wiki.run('list_files', {});
      await wiki.write('A', 'later');
      const rest = await wiki.run('list_files', { cursor: first.next_cursor ?? '' });
      expect(rest).toMatchObject({ commit: first.commit, next_cursor: null });
      expect(new Set([...first.files, ...rest.files].map(({ path }) => path)).size).toBe(5_002);
    });
  });

  describe('read_files', () => {
    test('gives the exact bytes of present and past versions', async () => {
      const wiki = await openTestWiki(backend, { 'Latin.md': LATIN, 'a.bin': Buffer.from([0, 1]) });
      const past = versionOf(LATIN);
      await wiki.run('write_page', { path: 'Latin', content: 'now\r\n', version: past });
      const asked = [
        { path: 'Latin.md', version: versionOf('now\r\n') },
        { path: 'Latin.md', version: past },
        { path: 'Latin.md', version: 'e'.repeat(40) },
        { path: 'a.bin', version: versionOf(Buffer.from([0, 1])) },
      ];
      const { files, content } = await wiki.run('read_files', { files: asked });
      expect(files.map(({ size }) => size)).toEqual([5, 4, null, 2]);
      expect(Buffer.from(content ?? '', 'base64')).toEqual(
        Buffer.concat([Buffer.from('now\r\n'), LATIN, Buffer.from([0, 1])]),
      );
    });

    test('gives as many of them as fit', async () => {
      const large = { 'a.bin': Buffer.alloc(2_500_000, 1), 'b.bin': Buffer.alloc(2_500_000, 2) };
      const wiki = await openTestWiki(backend, { ...large, 'c.bin': Buffer.alloc(3_500_000, 3) });
      const asked = (await wiki.run('list_files', {})).files.map(({ path, version }) => ({
        path,
        version: version ?? '',
      }));
      const { files } = await wiki.run('read_files', { files: asked });
      expect(files.length).toBeGreaterThan(0);
      expect(files.length).toBeLessThan(3);
    });
  });

  describe('commit_files', () => {
    test('writes and deletes pages and other files in one commit, byte by byte', async () => {
      const wiki = await openTestWiki(backend, { 'Old.md': 'old', 'Same.md': 'same' });
      const answer = await commit(wiki, [
        ['Old.md', versionOf('old'), null],
        ['new/Tea.md', null, LATIN],
        ['new/Empty.md', null, Buffer.alloc(0)],
        ['LICENSE', null, Buffer.from('free')],
        ['Same.md', versionOf('same'), Buffer.from('same')],
      ]);
      expect(answer.changed).toBe(true);
      expect((await wiki.run('list_files', {})).files.map(({ path }) => path)).toEqual([
        ...['LICENSE', 'Same.md', 'new/Empty.md', 'new/Tea.md'],
      ]);
      expect((await wiki.git('rev-list', '--count', 'HEAD')).trim()).toBe('2');
      expect((await wiki.git('rev-parse', 'HEAD:new/Tea.md')).trim()).toBe(versionOf(LATIN));
      const again = await commit(wiki, [['Same.md', versionOf('same'), Buffer.from('same')]]);
      expect(again.changed).toBe(false);
    });

    test('changes nothing if one file is at another version, or there already', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a', 'B.md': 'b' });
      const before = await wiki.head();
      const refused = await refusedCommit(wiki, [
        ['A.md', versionOf('a'), Buffer.from('mine')],
        ['B.md', null, Buffer.from('mine')],
        ['C.md', versionOf('c'), null],
      ]);
      expect(refused.code).toBe('version_conflict');
      expect(refused.data).toEqual({
        files: [
          { path: 'B.md', version: versionOf('b') },
          { path: 'C.md', version: null },
        ],
      });
      expect(await wiki.head()).toBe(before);
    });

    test('renames by case, and refuses names that not every system can hold', async () => {
      const wiki = await openTestWiki(backend, { 'Tea.md': 'a', '.obsidian/app.json': '{}' });
      await commit(wiki, [
        ['tea.md', null, Buffer.from('a')],
        ['Tea.md', versionOf('a'), null],
      ]);
      expect(await wiki.paths()).toEqual(['tea']);
      const added = (path: string) => refusedCommit(wiki, [[path, null, Buffer.from('x')]]);
      for (const path of ['TEA.md', 'a:b.png', '../x.md', '.git/config', '.obsidian/new.json']) {
        expect((await added(path)).code).toBe('invalid_path');
      }
      const hidden = await refusedCommit(wiki, [['.obsidian/app.json', versionOf('{}'), Buffer.from('x')]]);
      expect(hidden.code).toBe('invalid_path');
    });

    test('refuses bytes that do not fit, and pages that are too large', async () => {
      const wiki = await openTestWiki(backend, {});
      const files = [{ path: 'A.md', version: null, size: 2 }];
      for (const bytes of ['x', 'xyz']) {
        const content = btoa(bytes);
        expect((await wiki.refused('commit_files', { files, content })).code).toBe('invalid_input');
      }
      const large = await refusedCommit(wiki, [['A.md', null, Buffer.alloc(2_000_001)]]);
      expect(large.code).toBe('too_large');
    });

    test('is applied once for one request', async () => {
      const wiki = await openTestWiki(backend, {});
      const input = {
        files: [{ path: 'A.md', version: null, size: 1 }],
        content: 'eA==',
        request_id: 'same',
      };
      const first = await wiki.run('commit_files', input);
      expect(await wiki.run('commit_files', input)).toEqual(first);
      expect((await wiki.git('rev-list', '--count', 'HEAD')).trim()).toBe('1');
    });
  });
}

type Given = [path: string, version: string | null, content: Buffer | null];

function inputOf(files: readonly Given[]) {
  return {
    files: files.map(([path, version, content]) => ({ path, version, size: content?.length ?? null })),
    content: Buffer.concat(files.flatMap(([, , content]) => content ?? [])).toString('base64'),
  };
}

function commit(wiki: TestWiki, files: readonly Given[]) {
  return wiki.run('commit_files', inputOf(files));
}

function refusedCommit(wiki: TestWiki, files: readonly Given[]) {
  return wiki.refused('commit_files', inputOf(files));
}

function listed(path: string, content: string) {
  return { path, version: versionOf(content) };
}

function versionOf(content: string | Uint8Array): string {
  return blobOid(Buffer.from(content));
}
