import { describe, expect, test } from 'vitest';
import type { Output } from '../../src/contract/operations.ts';
import { type Backend, openTestWiki } from './test-wiki.ts';

/** check_wiki. */
export function checkingSuite(backend: Backend): void {
  describe('check_wiki', () => {
    const files = {
      'Home.md':
        'Welcome [[A]] [[Gone]]\n![[no.png]] ![[img.png]] `[[Code]]`\n[x](deep/B.md#nowhere) [[A#nowhere]]\n',
      'A.md': '---\ntitle: Same\n---\n# A\n\n## Empty too\n',
      'deep/B.md': '# same\n\ntext [[B]]\n',
      'Alone.md': '[[Alone]] text\n',
      'Nothing.md': '',
      'img.png': 'x',
    };
    const short = ({ findings }: Output<'check_wiki'>) =>
      findings.map(({ kind, path, line, detail }) => `${kind} ${path}${line ? `:${line}` : ''} ${detail}`);

    test('tells in one pass what needs care', async () => {
      const wiki = await openTestWiki(backend, files);
      const checked = await wiki.run('check_wiki', {});
      expect(checked).toMatchObject({ commit: await wiki.head(), total: 13, next_cursor: null });
      expect(checked.counts).toEqual({ broken_link: 2, orphan: 2, duplicate_title: 2, empty: 2, stale: 5 });
      expect(short(checked).slice(0, 9)).toEqual([
        'broken_link Home:1 Gone',
        'broken_link Home:2 no.png',
        'orphan Alone No other page links here.',
        'orphan Nothing No other page links here.',
        'duplicate_title A "Same" is also the title of deep/B',
        'duplicate_title deep/B "same" is also the title of A',
        'empty A It has no text.',
        'empty Nothing It has no text.',
        'stale A Last changed on 2023-11-14.',
      ]);
    });

    test('only of the kinds and pages asked for, a part at a time, of one commit', async () => {
      const wiki = await openTestWiki(backend, files);
      const query = { kinds: ['broken_link' as const, 'orphan' as const], limit: 3 };
      const first = await wiki.run('check_wiki', query);
      expect(first.findings).toHaveLength(3);
      await wiki.write('Gone', '[[Nothing]]');
      const rest = await wiki.run('check_wiki', { ...query, cursor: first.next_cursor ?? '' });
      expect(short(rest)).toEqual(['orphan Nothing No other page links here.']);
      expect(rest).toMatchObject({ commit: first.commit, total: 4, next_cursor: null });
      expect((await wiki.run('check_wiki', query)).counts).toEqual({ broken_link: 1, orphan: 1 });
      expect((await wiki.run('check_wiki', { prefix: 'deep/' })).counts).toEqual({
        duplicate_title: 1,
        stale: 1,
      });
      const refused = await wiki.refused('check_wiki', { cursor: first.next_cursor });
      expect(refused.text.happened).toBe('The cursor does not belong to this query.');
    });

    test('calls stale what nobody changed for so many days', async () => {
      const wiki = await openTestWiki(backend, { 'Old.md': 'x' });
      await wiki.write('New', 'x');
      const stale = await wiki.run('check_wiki', { kinds: ['stale'], stale_days: 30 });
      expect(stale.findings.map((finding) => finding.path)).toEqual(['Old']);
      expect((await wiki.run('check_wiki', { kinds: ['stale'], stale_days: 100_000 })).total).toBe(0);
    });

    test('of an empty wiki finds nothing', async () => {
      const wiki = await openTestWiki(backend);
      expect(await wiki.run('check_wiki', {})).toEqual({
        commit: null,
        findings: [],
        counts: {},
        total: 0,
        next_cursor: null,
      });
    });
  });
}
