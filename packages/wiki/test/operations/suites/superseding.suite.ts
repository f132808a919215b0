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

    test('comes after its successor, also if that has no word of the query, or comes later', async () => {
      const wiki = await openTestWiki(backend, {
        'Leave/Old.md': old('Leave/New', 'parental leave of twelve weeks'),
        'Leave/New.md': 'Time off for everyone with a new child.\n',
        'Travel/Old.md': old('Travel/New', 'travel rules '.repeat(9)),
        'Travel/New.md': `${'Other text. '.repeat(200)}\nThe rules of a journey.\n`,
      });
      const found = async (query: string, more = {}) =>
        (await wiki.run('search_pages', { query, ...more })).hits.map(({ path }) => path);
      for (const mode of ['words', 'passages'] as const) {
        expect(await found('parental leave', { mode }), mode).toEqual(['Leave/New', 'Leave/Old']);
        expect(await found('parental leave', { mode, limit: 1 }), mode).toEqual(['Leave/New']);
        expect(await found('travel rules', { mode, limit: 1 }), mode).toEqual(['Travel/New']);
      }
      expect(await found('parental leave', { prefix: 'Leave/O' })).toEqual(['Leave/Old']);
      expect(await found('parental leave', { property: 'superseded_by' })).toEqual(['Leave/Old']);
    });

    test('comes after its successor also if no passage of that fits', async () => {
      const wiki = await openTestWiki(backend, {
        'Old.md': old('New', 'a lantern is lit at dusk'),
        'New.md': `${'Long text. '.repeat(400)}\n`,
      });
      const query = { query: 'lantern lit dusk', mode: 'passages', max_bytes: 2_000 } as const;
      const { hits } = await wiki.run('search_pages', query);
      expect(hits.map(({ path, lines }) => [path, lines.length])).toEqual([
        ['New', 0],
        ['Old', 1],
      ]);
    });

    test('leads on to the end of a long chain', async () => {
      const pages = Array.from({ length: 14 }, (_, at) => [
        `ch/${at}.md`,
        at === 13 ? 'the end\n' : old(`ch/${at + 1}`, at === 0 ? 'lantern' : 'x'),
      ]);
      const wiki = await openTestWiki(backend, Object.fromEntries(pages));
      const { hits } = await wiki.run('search_pages', { query: 'lantern' });
      expect(hits.map(({ path }) => path)).toEqual(['ch/13', 'ch/0']);
    });

    test.each([1, 2, 3, 50])(
      'and its successor are in the answers once each, %i at a time',
      async (limit) => {
        const pages = Array.from({ length: 12 }, (_, at) => [
          `P${at}.md`,
          at % 3 === 0
            ? old(`P${(at * 5 + 1) % 12}`, `lantern ${'x '.repeat(at)}`)
            : `${'y '.repeat(at)} lantern\n`,
        ]);
        const wiki = await openTestWiki(backend, {
          ...Object.fromEntries(pages),
          'A.md': old('B'),
          'B.md': 'b\n',
        });
        for (const mode of ['words', 'passages'] as const) {
          const paths: string[] = [];
          for (let cursor: string | null = ''; cursor !== null; ) {
            const query = { query: 'lantern', mode, limit, ...(cursor !== '' && { cursor }) };
            const found: Output<'search_pages'> = await wiki.run('search_pages', query);
            expect(found.hits.length).toBeLessThanOrEqual(limit);
            for (const { path, superseded_by } of found.hits) {
              if (superseded_by !== undefined) expect(paths).toContain(superseded_by);
              paths.push(path);
            }
            cursor = found.next_cursor;
          }
          const all = ['A', 'B', ...pages.map(([path = '']) => path.slice(0, -3))];
          expect(paths.toSorted(), mode).toEqual(all.toSorted());
        }
      },
    );

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
      expect(hits.map(({ path, superseded_by }) => [path, superseded_by])).toEqual([
        ['Guides/New', undefined],
        ['Guides/Old', 'Guides/New'],
      ]);
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
      expect(hits).toHaveLength(10);
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
