import { describe, expect, test } from 'vitest';
import type { Output } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

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

    test('reports in one pass what needs care', async () => {
      const wiki = await openTestWiki(backend, files);
      const checked = await wiki.run('check_wiki', {});
      expect(checked).toMatchObject({ commit: await wiki.head(), total: 15, next_cursor: null });
      expect(checked.counts).toEqual({
        broken_link: 2,
        broken_anchor: 2,
        orphan: 2,
        duplicate_title: 2,
        empty: 2,
        stale: 5,
      });
      expect(short(checked).slice(0, 11)).toEqual([
        'broken_link Home:1 Gone',
        'broken_link Home:2 no.png',
        'broken_anchor Home:3 deep/B has no heading "nowhere"',
        'broken_anchor Home:3 A has no heading "nowhere"',
        'orphan Alone No other page links here.',
        'orphan Nothing No other page links here.',
        'duplicate_title A "Same" is also the title of deep/B',
        'duplicate_title deep/B "same" is also the title of A',
        'empty A It has no text.',
        'empty Nothing It has no text.',
        'stale A Last changed on 2023-11-14.',
      ]);
    });

    test('reports the part of a page that counts as plain text, and get_links says that it leaves out links there', async () => {
      const wiki = await openTestWiki(backend, {
        'Keys.md': `---\n${'k: 1\n'.repeat(6_001)}---\n`,
        'Links.md': '[[Keys]]\n'.repeat(10_003),
        'Invalid.md': '---\na: [\n---\n',
        'Fine.md': `---\na: 1\n---\n${'[[Keys]]\n'.repeat(10_000)}`,
        'Tags.md': `${Array.from({ length: 10_003 }, (_, at) => `#t${at.toString(36)}x`).join(' ')}\n#t0x\n`,
        'Long.md': `${'x '.repeat(1_000_000)}\n[[Keys]]\n`,
      });
      const checked = await wiki.run('check_wiki', { kinds: ['unread_part'] });
      expect(short(checked)).toEqual([
        expect.stringMatching(/^unread_part Invalid The frontmatter cannot be read \(line \d: .+\)\.$/),
        'unread_part Keys The frontmatter cannot be read (line 2: it has over 30000 characters).',
        'unread_part Links It has 10003 links; after the first 10000 they are taken as text.',
        'unread_part Long It has 2000010 bytes; what is after the first 2000000 is not looked at.',
        'unread_part Tags It has 10003 tags; after the first 10000 they are taken as text.',
      ]);
      expect(await wiki.run('get_links', { path: 'Long' })).toMatchObject({ links_to: [], truncated: true });
      expect(await wiki.run('get_links', { path: 'Links' })).toMatchObject({
        links_to: ['Keys'],
        truncated: true,
      });
      expect(await wiki.run('get_links', { path: 'Fine' })).toMatchObject({
        links_to: ['Keys'],
        truncated: false,
      });
    });

    test('never uses a heading in the middle of a page as its title', async () => {
      const wiki = await openTestWiki(backend, {
        'One.md': 'text\n\n## See also\n\n- x\n',
        'Two.md': '## See also\n\n# Late\n',
        'Three.md': '# Own\n\n## See also\n',
      });
      expect((await wiki.run('check_wiki', { kinds: ['duplicate_title'] })).findings).toEqual([]);
      const { pages } = await wiki.run('list_pages', {});
      expect(pages.map(({ title }) => title)).toEqual(['One', 'Own', 'Two']);
    });

    test('reports pages whose texts are nearly the same, but for stubs and pages that are superseded', async () => {
      const prose = (seed: number, count: number) =>
        Array.from(
          { length: count },
          (_, at) => `w${(seed * 7_919 + at * at * 31 + at * seed * 17) % 4_001}`,
        );
      const guide = prose(1, 200);
      const zh = Array.from({ length: 80 }, (_, at) =>
        String.fromCodePoint(0x4e00 + ((at * at * 7) % 5_000)),
      );
      const wiki = await openTestWiki(backend, {
        'Guide.md': `# Guide\n\n${guide.join(' ')}\n`,
        'Copy.md': `---\ntitle: Another\n---\n${guide.with(50, 'changed').with(150, 'changed').join(' ')}\n`,
        'deep/Exact.md': `# Guide\n\n${guide.join(' ')}\n`,
        'Half.md': `${[...guide.slice(0, 100), ...prose(2, 100)].join(' ')}\n`,
        'Other.md': `${prose(3, 200).join(' ')}\n`,
        'Old.md': `---\nsuperseded_by: Guide\n---\n${guide.join(' ')}\n`,
        'Stub.md': 'Nobody has written this page yet.\n',
        'Another stub.md': 'Nobody has written this page yet.\n',
        'zh/One.md': `${zh.join('')}\n`,
        'zh/Two.md': `${zh.with(40, '新').join('')}\n`,
      });
      const { findings } = await wiki.run('check_wiki', { kinds: ['near_copy'] });
      expect(findings.map(({ path, detail }) => `${path}: ${detail.replace(/\b\d+ %/g, 'N %')}`)).toEqual([
        'Copy: Nearly the same text as Guide (N % alike), deep/Exact (N % alike)',
        'Guide: Nearly the same text as deep/Exact (N % alike), Copy (N % alike)',
        'deep/Exact: Nearly the same text as Guide (N % alike), Copy (N % alike)',
        'zh/One: Nearly the same text as zh/Two (N % alike)',
        'zh/Two: Nearly the same text as zh/One (N % alike)',
      ]);
      expect(findings[1]?.detail).toMatch(/Exact \(100 % alike\), Copy \((9\d) % alike\)$/);
      const inFolder = await wiki.run('check_wiki', { kinds: ['near_copy'], prefix: 'deep/' });
      expect(inFolder.counts).toEqual({ near_copy: 1 });
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

    test('reports pages as stale that did not change for the given number of days', async () => {
      const wiki = await openTestWiki(backend, { 'Old.md': 'x' });
      await wiki.write('New', 'x');
      const stale = await wiki.run('check_wiki', { kinds: ['stale'], stale_days: 30 });
      expect(stale.findings.map((finding) => finding.path)).toEqual(['Old']);
      expect((await wiki.run('check_wiki', { kinds: ['stale'], stale_days: 100_000 })).total).toBe(0);
    });

    test('finds nothing in an empty wiki', async () => {
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
