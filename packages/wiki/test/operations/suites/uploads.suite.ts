import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import type { CallInput } from '../../../src/contract/operations.ts';
import { parseInput } from '../../../src/contract/parse-input.ts';
import type { Call } from '../../../src/contract/wiki.ts';
import { Pusher, strangerWith } from '../../pusher.ts';
import { zipOf } from '../archives.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

const ADA: Call = { caller: { author: { name: 'Ada', email: 'ada@example.org' }, agent: null } };
const DAY_MS = 24 * 60 * 60 * 1000;
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** upload_part, and calls whose bytes do not fit one request. */
export function uploadsSuite(backend: Backend): void {
  describe('bytes in parts', () => {
    test('a push of 10 MB lands, a second time nothing, and nothing is left of the way', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const to = pusher.commit(largeFiles(12));
      const bytes = pusher.pack(from, to);
      expect(bytes.length).toBeGreaterThan(10_000_000);
      const push = () => wiki.wiki.receive_push({ from, to }, { ...ADA, bytes });
      expect(await push()).toEqual({ commit: to, changed: true });
      expect(await push()).toEqual({ commit: to, changed: false });
      expect(await wiki.head()).toBe(to);
      expect(await heldFiles(wiki)).toEqual([]);
    });

    test('two equal pushes at once and one of other bytes come to an end each', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const to = pusher.commit(largeFiles(6));
      const bytes = pusher.pack(from, to);
      const other = pusher.commit(largeFiles(6), { parents: [from] });
      const otherBytes = pusher.pack(from, other);
      const pushes = await Promise.allSettled([
        wiki.wiki.receive_push({ from, to }, { ...ADA, bytes }),
        wiki.wiki.receive_push({ from, to }, { ...ADA, bytes }),
        wiki.wiki.receive_push({ from, to: other }, { ...ADA, bytes: otherBytes }),
      ]);
      const outcomes = pushes.map((push) =>
        push.status === 'fulfilled' ? push.value.commit : (push.reason as { code: unknown }).code,
      );
      const head = await wiki.head();
      const lost = 'version_conflict';
      expect(outcomes).toEqual(head === to ? [to, to, lost] : [lost, lost, other]);
      expect(await heldFiles(wiki)).toEqual([]);
    });

    test('commits of another repository, a zip and a history for new wikis come in the same way', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const stranger = strangerWith({ 'Far.md': 'far' });
      const tip = stranger.commit(largeFiles(6));
      const merge = { commit: tip, source: 'a branch' };
      const merged = await wiki.wiki.merge_commits(merge, { ...ADA, bytes: stranger.pack(null, tip) });
      expect(merged.outcome).toBe('merged');
      const name = `uploaded-${noise(8).toString('hex')}`;
      const zip = Buffer.from(await zipOf(largeFiles(6)), 'base64');
      const files = parseInput('import_wiki', { wiki: `${name}-zip` });
      expect(await wiki.wiki.import_wiki(files, { ...ADA, bytes: zip })).toMatchObject({ pages: 6 });
      stranger.git('bundle', 'create', '--quiet', 'all.bundle', 'HEAD', 'main');
      const bundle = readFileSync(join(stranger.directory, 'all.bundle'));
      const history = parseInput('import_wiki', { wiki: name });
      expect(await wiki.wiki.import_wiki(history, { ...ADA, bytes: bundle })).toMatchObject({
        kind: 'history',
        commit: tip,
        commits: 2,
      });
      for (const each of [name, `${name}-zip`]) expect(await heldFiles(wiki, each)).toEqual([]);
    });

    test('parts may come in any order and again, and are whole when all are there', async () => {
      const wiki = await openTestWiki(backend);
      const upload = newId();
      const part = (offset: number, text: string) =>
        wiki.run('upload_part', { upload, offset, total: 7, content: base64(text) });
      expect(await wiki.run('upload_part', { upload })).toEqual({ parts: [] });
      expect(await part(4, 'def')).toEqual({ parts: [{ offset: 4, bytes: 3 }] });
      const missing = await wiki.refused('upload_part', { upload, whole: wholeOf('abc-def') });
      expect(missing.code).toBe('not_found');
      const all = {
        parts: [
          { offset: 0, bytes: 4 },
          { offset: 4, bytes: 3 },
        ],
      };
      expect(await part(0, 'abc-')).toEqual(all);
      expect(await part(4, 'def')).toEqual(all);
      expect(await wiki.run('upload_part', { upload, whole: wholeOf('abc-def') })).toEqual(all);
      expect(await wiki.run('upload_part', { upload, drop: true })).toEqual({ parts: [] });
      expect(await wiki.run('upload_part', { upload, drop: true })).toEqual({ parts: [] });
      expect(await heldFiles(wiki)).toEqual([]);
    });

    test('other bytes than named, other lengths and unknown ids are refused', async () => {
      const wiki = await openTestWiki(backend);
      const upload = newId();
      await wiki.run('upload_part', { upload, offset: 0, total: 3, content: base64('abc') });
      const codeOf = async (input: CallInput<'upload_part'>) =>
        (await wiki.refused('upload_part', input)).code;
      expect(await codeOf({ upload, whole: wholeOf('abd') })).toBe('invalid_input');
      for (const text of ['ab', 'abcd']) {
        expect(await codeOf({ upload, whole: wholeOf(text) })).toBe('not_found');
      }
      expect(await codeOf({ upload: newId(), whole: wholeOf('abc') })).toBe('not_found');
      expect(await codeOf({ upload, whole: { ...wholeOf('abc'), bytes: 100_000_001 } })).toBe('too_large');
      const beyond = { upload, offset: 1, total: 3, content: base64('abc') };
      expect(await codeOf(beyond)).toBe('invalid_input');
      expect(await codeOf({ ...beyond, total: 100_000_001 })).toBe('too_large');
      expect(await codeOf({ upload, offset: 0, content: base64('abc') })).toBe('invalid_input');
      expect(await codeOf({ upload, offset: 0, total: 3, content: '' })).toBe('invalid_input');
      for (const id of ['../../x', 'A'.repeat(32), '1']) {
        expect(await codeOf({ upload: id })).toBe('invalid_input');
      }
    });

    test("another caller's id shows nothing, and neither replaces nor removes what is held", async () => {
      const wiki = await openTestWiki(backend);
      const upload = newId();
      await wiki.as('ada', null).run('upload_part', { upload, offset: 0, total: 3, content: base64('abc') });
      wiki.as('eve', null);
      expect(await wiki.run('upload_part', { upload })).toEqual({ parts: [] });
      await wiki.run('upload_part', { upload, offset: 0, total: 3, content: base64('xyz') });
      await wiki.run('upload_part', { upload, drop: true });
      expect((await wiki.refused('upload_part', { upload, whole: wholeOf('abc') })).code).toBe('not_found');
      wiki.as('ada', null);
      await wiki.run('upload_part', { upload, whole: wholeOf('abc') });
    });

    test('a scope holds for the call, and for parts of wikis that it could not make', async () => {
      const wiki = await openTestWiki(backend, { 'in/A.md': 'a' });
      const pusher = await Pusher.of(wiki);
      const from = pusher.head;
      const to = pusher.commit(largeFiles(6));
      const limited: Call = { ...ADA, scope: { read: ['in/'], write: ['in/'] } };
      const push = wiki.wiki.receive_push({ from, to }, { ...limited, bytes: pusher.pack(from, to) });
      await expect(push).rejects.toMatchObject({ code: 'forbidden' });
      expect(await heldFiles(wiki)).toEqual([]);
      const part = { upload: newId(), offset: 0, total: 3, content: base64('abc') };
      const missing = wiki.wiki.upload_part({ ...part, wiki: 'not-there' }, limited);
      await expect(missing).rejects.toMatchObject({ code: 'not_found' });
      expect((await wiki.wiki.upload_part(part, limited)).parts).toHaveLength(1);
    });

    test('maintenance removes what nobody came for within a day', async () => {
      const wiki = await openTestWiki(backend);
      const [old, young] = [newId(), newId()];
      for (const upload of [old, young]) {
        await wiki.run('upload_part', { upload, offset: 0, total: 3, content: base64('abc') });
        if (upload === young) continue;
        const seconds = (Date.now() - 1.1 * DAY_MS) / 1000;
        for (const file of await heldFiles(wiki)) utimesSync(file, seconds, seconds);
      }
      const { deleted } = await wiki.run('maintain_wiki', {});
      expect(deleted.temporary_files).toBe(1);
      expect(await wiki.run('upload_part', { upload: old })).toEqual({ parts: [] });
      await wiki.run('upload_part', { upload: young, whole: wholeOf('abc') });
    });
  });
}

/** Pages of 1.2 MB, of which 900 kB are left when they are compressed. */
function largeFiles(count: number): Record<string, string> {
  const text = () => noise(900_000).toString('base64');
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`Large ${at}.md`, text()]));
}

function newId(): string {
  return noise(16).toString('hex');
}

function wholeOf(text: string) {
  return { bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };
}

/** The files of the uploads to this wiki, or to the wiki of another name beside it. */
async function heldFiles(wiki: TestWiki, name?: string): Promise<string[]> {
  const repository = (await wiki.git('rev-parse', '--absolute-git-dir')).trim();
  const directory = join(dirname(repository), '.uploads', name ?? basename(repository, '.git'));
  return existsSync(directory) ? readdirSync(directory).map((file) => join(directory, file)) : [];
}
