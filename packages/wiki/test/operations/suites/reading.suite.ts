import { describe, expect, test } from 'vitest';
import { type Backend, openTestWiki } from '../test-wiki.ts';

/** read_page, read_pages, wiki_status. */
export function readingSuite(backend: Backend): void {
  describe('read_page', () => {
    test('gives text, version, frontmatter and outline, byte for byte what git holds', async () => {
      const text = '---\ntags: [a]\n---\n# Title\n\ntext\n\n## Part\n\nmore\n';
      const wiki = await openTestWiki(backend, { 'Guides/One.md': text });
      const page = await wiki.run('read_page', { path: 'Guides/One' });
      expect(page).toMatchObject({
        path: 'Guides/One',
        title: 'Title',
        content: text,
        frontmatter: { tags: ['a'] },
        outline: [
          { level: 1, text: 'Title', line: 4 },
          { level: 2, text: 'Part', line: 8 },
        ],
        total_lines: 10,
        start_line: 1,
        next_start_line: null,
        truncated: false,
        note: null,
      });
      expect(page.version).toBe(await wiki.git('rev-parse', 'main:Guides/One.md'));
      expect(page.commit).toBe(await wiki.git('rev-parse', 'main'));
    });

    test('drops the extension, and finds names in another Unicode form', async () => {
      const wiki = await openTestWiki(backend, { 'Cafe\u0301/Menu\u0308.md': 'x' });
      expect(await wiki.content('Caf\u00e9/Men\u00fc.md')).toBe('x');
      expect(await wiki.content('Cafe\u0301/Menu\u0308')).toBe('x');
    });

    test('says so if it is asked to begin after the last line', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one\ntwo\n' });
      const last = await wiki.run('read_page', { path: 'P', start_line: 2 });
      expect([last.content, last.note]).toEqual(['two\n', null]);
      const beyond = await wiki.run('read_page', { path: 'P', start_line: 3 });
      expect([beyond.content, beyond.note]).toEqual(['', 'The page ends at line 2.']);
      await wiki.write('Empty', '');
      expect((await wiki.run('read_page', { path: 'Empty', start_line: 2 })).note).toBe('The page is empty.');
      await wiki.write('Parts', '# One\ntext\n# Two\n');
      const notes = [2, 3].map(async (start_line) => {
        const { content, note } = await wiki.run('read_page', { path: 'Parts', heading: 'One', start_line });
        return [content, note];
      });
      expect(await Promise.all(notes)).toEqual([
        ['text\n', null],
        ['', 'The section ends at line 2.'],
      ]);
    });

    test('reports a page that was not there yet as of a commit', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': 'one' });
      const at = (await wiki.head()) ?? '';
      await wiki.write('Later', 'two');
      const missed = await wiki.refused('read_page', { path: 'Later', at });
      expect(missed.code).toBe('not_found');
      expect(missed.text.happened).toBe(`There was no page "Later" after commit ${at}.`);
    });

    test('reads a section, the outline or the metadata alone', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': '# A\n1\n## B\n2\n# C\n3\n## B\n4\n' });
      const section = await wiki.run('read_page', { path: 'P', heading: 'C' });
      expect(section).toMatchObject({ content: '# C\n3\n## B\n4\n', start_line: 5, truncated: false });
      expect((await wiki.run('read_page', { path: 'P', heading: 'C/B' })).content).toBe('## B\n4\n');
      const outline = await wiki.run('read_page', { path: 'P', mode: 'outline' });
      expect([outline.content, outline.outline.length]).toEqual(['', 4]);
      const metadata = await wiki.run('read_page', { path: 'P', mode: 'metadata' });
      expect([metadata.content, metadata.outline.length]).toEqual(['', 0]);
    });

    test('lists the headings if the requested one is missing or ambiguous', async () => {
      const wiki = await openTestWiki(backend, { 'P.md': '# A\n## B\n# C\n## B\n' });
      const missing = await wiki.refused('read_page', { path: 'P', heading: 'D' });
      expect([missing.code, missing.data.headings]).toEqual(['no_match', ['A', 'A/B', 'C', 'C/B']]);
      const ambiguous = await wiki.refused('read_page', { path: 'P', heading: 'B' });
      expect([ambiguous.code, ambiguous.data.headings]).toEqual(['ambiguous_match', ['A/B', 'C/B']]);
    });

    test('reads a section with the outline of that section alone', async () => {
      const many = Array.from({ length: 300 }, (_, part) => `## Part ${part}\n\ntext\n`).join('');
      const wiki = await openTestWiki(backend, { 'P.md': `# A\n\n${many}# C\n3\n## B\n### Deep\n4\n# D\n` });
      const section = await wiki.run('read_page', { path: 'P', heading: 'C' });
      expect(section.outline.map(({ level, text }) => `${level} ${text}`)).toEqual(['1 C', '2 B', '3 Deep']);
      expect(section.note).toBeNull();
      const outline = await wiki.run('read_page', { path: 'P', heading: 'C/B', mode: 'outline' });
      expect([outline.content, outline.outline.length]).toEqual(['', 2]);
      expect((await wiki.refused('read_page', { path: 'P', heading: 'E', mode: 'outline' })).code).toBe(
        'no_match',
      );
    });

    test('says how many headings an error leaves out, and stays short', async () => {
      const parts = (text: string) =>
        Array.from({ length: 100 }, (_, part) => `# ${part} ${text}\n\n## Same\n`).join('\n');
      const wiki = await openTestWiki(backend, {
        'P.md': parts('part'),
        'Long.md': parts('long '.repeat(200)),
      });
      const missing = await wiki.refused('read_page', { path: 'P', heading: 'None' });
      expect(missing.data.headings).toHaveLength(30);
      expect(missing.data.left_out).toBe(170);
      expect(missing.text.now).toMatch(/, "14 part\/Same", and 170 more\.$/);
      const ambiguous = await wiki.refused('read_page', { path: 'P', heading: 'Same' });
      expect([ambiguous.code, ambiguous.data.left_out]).toEqual(['ambiguous_match', 70]);
      expect(ambiguous.text.now).toMatch(/, "29 part\/Same", and 70 more\.$/);
      const long = await wiki.refused('read_page', { path: 'Long', heading: 'None' });
      expect(JSON.stringify([long.text, long.data]).length).toBeLessThan(20_000);
      expect((long.data.headings as string[]).length + Number(long.data.left_out)).toBe(200);
      await wiki.write('Few', '# One\n');
      const few = await wiki.refused('read_page', { path: 'Few', heading: 'None' });
      expect([few.text.now, few.data.left_out]).toEqual(['Its headings: "One".', 0]);
    });

    test('reads as of a commit, named by a prefix', async () => {
      const wiki = await openTestWiki(backend);
      const first = await wiki.write('P', 'one\n');
      await wiki.run('write_page', { path: 'P', content: 'two\n', version: first.version ?? '' });
      const at = first.commit?.slice(0, 10) ?? '';
      const page = await wiki.run('read_page', { path: 'P', at });
      expect([page.content, page.commit]).toEqual(['one\n', first.commit]);
      expect((await wiki.refused('read_page', { path: 'P', at: 'f'.repeat(40) })).code).toBe('not_found');
    });

    test('gives a long page in parts that join to the page, each within the reply', async () => {
      const text = `${'"quoted" \\ line\n'.repeat(5_000)}${'🎉é'.repeat(100_000)}`;
      const wiki = await openTestWiki(backend, { 'Long.md': text });
      let joined = '';
      let next = { start_line: 1, start_char: 0 };
      for (;;) {
        const page = await wiki.run('read_page', { path: 'Long', ...next });
        expect(JSON.stringify(page).length).toBeLessThanOrEqual(40_000);
        expect(page.truncated).toBe(page.next_start_line !== null);
        joined += page.content;
        if (page.next_start_line === null) break;
        expect(page.note).toContain(`start_line ${page.next_start_line}`);
        next = { start_line: page.next_start_line, start_char: page.next_start_char ?? 0 };
      }
      expect(joined).toBe(text);
    });

    test('reads what is not UTF-8 with a note, and invalid frontmatter as none', async () => {
      const wiki = await openTestWiki(backend, {
        'Latin.md': Uint8Array.of(0x63, 0x61, 0x66, 0xe9),
        'Broken.md': '---\na: [\n---\n# T\n',
      });
      const latin = await wiki.run('read_page', { path: 'Latin' });
      expect([latin.content, latin.note]).toEqual(['caf\ufffd', expect.stringContaining('UTF-8')]);
      const broken = await wiki.run('read_page', { path: 'Broken' });
      expect(broken).toMatchObject({ title: 'T', frontmatter: {}, note: expect.stringContaining('line') });
    });

    test.each(['', '/abs', '../up', 'a/../b', 'a//b', '.git/config', 'nul\0byte'])(
      'refuses a path that can be no page: %j',
      async (path) => {
        const wiki = await openTestWiki(backend);
        expect((await wiki.refused('read_page', { path })).code).toMatch(/^invalid_(path|input)$/);
      },
    );
  });

  describe('read_pages', () => {
    test('gives each page or its error, all within one reply', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'a', 'Long.md': 'long line\n'.repeat(20_000) });
      const { pages } = await wiki.run('read_pages', { paths: ['A', 'None', 'Long', '../x'] });
      expect(pages.map((page) => page.error?.split(':', 1)[0] ?? page.truncated)).toEqual([
        false,
        'not_found',
        true,
        'invalid_path',
      ]);
      expect(pages[0]?.content).toBe('a');
      const many = await wiki.run('read_pages', { paths: Array(20).fill('Long') });
      expect(JSON.stringify(many).length).toBeLessThanOrEqual(40_000);
      expect(many.pages.every((page) => (page.content?.length ?? 0) > 500)).toBe(true);
    });
  });

  describe('wiki_status', () => {
    test('gives the name and the newest commit of the wiki', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': 'x', 'b.txt': 'x' });
      expect(await wiki.run('wiki_status', {})).toMatchObject({
        wiki: expect.stringMatching(/^test/),
        branch: 'main',
        head: await wiki.git('rev-parse', 'main'),
        pages: 1,
        read_only: false,
        scope: null,
        limits: { page_bytes: 2_000_000 },
      });
    });

    test('a wiki that is not there is not_found', async () => {
      const wiki = await openTestWiki(backend);
      expect((await wiki.refused('wiki_status', { wiki: 'other' })).code).toBe('not_found');
      expect((await wiki.refused('wiki_status', { wiki: '../x' })).code).toBe('invalid_input');
    });
  });
}
