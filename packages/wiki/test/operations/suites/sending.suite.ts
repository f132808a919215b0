import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { noise } from '../../../../../labs/noise.ts';
import type { CallInput } from '../../../src/contract/operations.ts';
import { bareRepository, git } from '../../native-git.ts';
import { type Backend, openTestWiki, type TestWiki } from '../test-wiki.ts';

const LARGE = 3_500_000;

/** list_refs and send_objects: what a server of git's protocol asks for clones and fetches. */
export function sendingSuite(backend: Backend): void {
  describe('list_refs', () => {
    test('names the branch at the newest commit, and tags with what they name', async () => {
      const empty = await openTestWiki(backend);
      expect(await empty.run('list_refs', {})).toEqual({ head: 'refs/heads/main', refs: [] });
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const first = await wiki.head();
      await wiki.git('tag', 'light', 'main');
      await wiki.write('A2', 'newer');
      expect(await wiki.run('list_refs', {})).toEqual({
        head: 'refs/heads/main',
        refs: [
          { name: 'refs/heads/main', oid: await wiki.head(), peeled: null },
          { name: 'refs/tags/light', oid: first, peeled: null },
        ],
      });
    });
  });

  describe('send_objects', () => {
    test('gives a clone in as many parts as it takes, at the commit that it asks for', async () => {
      const wiki = await openTestWiki(backend, {
        ...{ 'A.md': 'a', 'in/B.md': 'b' },
        // Bytes that no compression makes fewer.
        ...{ 'one.bin': noise(LARGE), 'two.bin': noise(LARGE), 'three.bin': noise(LARGE) },
      });
      const head = (await wiki.head()) ?? '';
      const client = await cloned(wiki, { wants: [head] }, () => wiki.write('Later', 'while it is sent'));
      expect(client.parts).toBeGreaterThan(1);
      expect(client.git('ls-tree', '-r', '--name-only', head).split('\n')).toEqual([
        ...['A.md', 'in/B.md', 'one.bin', 'three.bin', 'two.bin'],
      ]);
      expect(client.git('rev-list', '--objects', '--count', head)).toBe('8');
    });

    test('gives a client that has something only what it lacks', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const before = (await wiki.head()) ?? '';
      await wiki.write('B', 'b');
      const wants = [(await wiki.head()) ?? ''];
      const asked = { wants, haves: ['e'.repeat(40), before], is_final: false };
      expect(await wiki.run('send_objects', asked)).toMatchObject({
        ...{ common: [before], shallow: [], unshallow: [], objects: 3, next_cursor: null },
      });
      const unknown = { wants, haves: ['e'.repeat(40)], is_final: false };
      expect(await wiki.run('send_objects', unknown)).toMatchObject({
        common: [],
        objects: null,
        content: null,
      });
      expect(await wiki.run('send_objects', { wants, depth: 1 })).toMatchObject({
        shallow: wants,
        objects: 4,
      });
      expect(await wiki.run('send_objects', { wants, filter: 'blob:none' })).toMatchObject({ objects: 4 });
    });

    test('refuses what it does not know, by words', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a' });
      const wants = [(await wiki.head()) ?? ''];
      expect(await wiki.refused('send_objects', { wants: ['f'.repeat(40)] })).toMatchObject({
        code: 'not_found',
      });
      const filtered = await wiki.refused('send_objects', { wants, filter: 'sparse:oid=x' });
      expect(filtered.message).toBe(
        'invalid_input: The filter "sparse:oid=x" is not supported. Nothing was sent. Use blob:none, blob:limit=BYTES or tree:0.',
      );
      expect(await wiki.refused('send_objects', { wants, cursor: 'x' })).toMatchObject({
        code: 'invalid_input',
      });
    });
  });
}

/** Has native git take all parts. `between` runs after the first one. */
async function cloned(
  wiki: TestWiki,
  asked: CallInput<'send_objects'>,
  between: () => Promise<unknown> = async () => {},
): Promise<{ parts: number; git(...args: string[]): string }> {
  let answer = await wiki.run('send_objects', asked);
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(answer.objects ?? 0, 8);
  const parts = [header, Buffer.from(answer.content ?? '', 'base64')];
  await between();
  while (answer.next_cursor !== null) {
    answer = await wiki.run('send_objects', { ...asked, cursor: answer.next_cursor });
    parts.push(Buffer.from(answer.content ?? '', 'base64'));
  }
  const body = Buffer.concat(parts);
  const directory = bareRepository();
  git(
    directory,
    ['index-pack', '--stdin', '--strict'],
    Buffer.concat([body, createHash('sha1').update(body).digest()]),
  );
  git(directory, ['update-ref', 'refs/heads/main', asked.wants[0] ?? '']);
  git(directory, ['fsck', '--strict']);
  return { parts: parts.length - 1, git: (...args) => git(directory, args) };
}
