import { describe, expect, test } from 'vitest';
import type { Output } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

const old = (successor: string, text = 'lantern '.repeat(20)) =>
  `---\nsuperseded_by: ${successor}\n---\n${text}\n`;

/** Pages whose frontmatter says `superseded_by`. */
export function supersedingSuite(backend: Backend): void {
  describe('a superseded page', () => {
    const files = {
      'Guides/New.md': '---\naliases: [The new one]\n---\nHere is what holds for a lantern now.\n',
      'Guides/Old.md': old('"[[New]]"'),
      'Aside.md': 'A lantern stands aside.\n',
    };

    test('is found after the page that takes its place, which it names', async () => {
      const wiki = await openTestWiki(backend, files);
      const found = async (mode: 'words' | 'passages' | 'regex') => {
        const { hits } = await wiki.run('search_pages', { query: 'lantern', mode });
        return hits.map(({ path, superseded_by }) => [path, superseded_by]);
      };
      for (const mode of ['words', 'passages'] as const) {
        const hits = await found(mode);
        const order = hits.map(([path]) => path);
        expect(order.indexOf('Guides/New'), mode).toBe(order.indexOf('Guides/Old') - 1);
        expect(Object.fromEntries(hits), mode).toMatchObject({ 'Guides/Old': 'Guides/New' });
        expect(hits.filter(([, successor]) => successor !== undefined)).toHaveLength(1);
      }
      expect(await found('regex')).toEqual([
        ['Aside', undefined],
        ['Guides/New', undefined],
        ['Guides/Old', 'Guides/New'],
      ]);
    });

    test('is in the answer once, also if its successor comes with the next cursor', async () => {
      const wiki = await openTestWiki(backend, files);
      const paths: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query = { query: 'lantern', limit: 1, ...(cursor !== '' && { cursor }) };
        const found: Output<'search_pages'> = await wiki.run('search_pages', query);
        paths.push(...found.hits.map(({ path }) => path));
        cursor = found.next_cursor;
      }
      expect(paths.toSorted()).toEqual(['Aside', 'Guides/New', 'Guides/Old']);
    });

    test.each([
      ['New', 'a name'],
      ['Guides/New.md', 'a path'],
      ['./New', 'a path from its folder'],
      ['[[New]]', 'brackets that YAML takes for lists'],
      ['["[[New|the new one]]", Aside]', 'a list'],
      ['"[here](New.md)"', 'a Markdown link'],
      ['The new one', 'an alias'],
    ])('names its successor as %s (%s)', async (written) => {
      const wiki = await openTestWiki(backend, { ...files, 'Guides/Old.md': old(written) });
      const { hits } = await wiki.run('search_pages', { query: 'old' });
      expect(hits.map(({ superseded_by }) => superseded_by)).toEqual(['Guides/New']);
    });

    test('leads on to the newest page, and nowhere if there is none', async () => {
      const wiki = await openTestWiki(backend, {
        'V1.md': old('V2'),
        'V2.md': old('V3'),
        'V3.md': old('V4', 'no such word'),
        'V4.md': 'no such word\n',
        'Round.md': old('About'),
        'About.md': old('Round'),
        'Own.md': old('Own'),
        'Lost.md': old('Nothing'),
        'Away.md': old('https://example.org/V4'),
        'Number.md': old('4'),
        'Map.md': old('{page: V4}'),
      });
      const { hits } = await wiki.run('search_pages', { query: 'lantern' });
      const named = hits.flatMap(({ path, superseded_by }) => (superseded_by ? [[path, superseded_by]] : []));
      expect(Object.fromEntries(named)).toEqual({ V1: 'V4', V2: 'V4' });
      expect(hits).toHaveLength(9);
    });

    test('is reported where other pages link to it, with the successor, by check_wiki', async () => {
      const wiki = await openTestWiki(backend, {
        ...files,
        'Guides/New.md': 'It supersedes [[Old]].\n',
        'Home.md': 'first\n[[Old]] and [[New]]\n\n[x](Guides/Old.md#part)\n',
        'Older.md': old('Old', 'see [[Old]]'),
      });
      const { findings, counts } = await wiki.run('check_wiki', { kinds: ['superseded_link'] });
      expect(counts).toEqual({ superseded_link: 2 });
      expect(
        findings.map(({ path, line, detail, suggestions }) => [path, line, detail, suggestions]),
      ).toEqual([
        ['Home', 2, '"Old" leads to Guides/Old, which is superseded by Guides/New', ['Guides/New']],
        ['Home', 4, '"Guides/Old.md" leads to Guides/Old, which is superseded by Guides/New', ['Guides/New']],
      ]);
      const { version } = await wiki.run('read_page', { path: 'Guides/New' });
      await wiki.run('delete_page', { path: 'Guides/New', version });
      expect((await wiki.run('check_wiki', { kinds: ['superseded_link'] })).total).toBe(0);
    });
  });
}
