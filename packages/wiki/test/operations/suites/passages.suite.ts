import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Output } from '../../../src/contract/operations.ts';
import { type Backend, openTestWiki } from '../test-wiki.ts';

const backups = 'Backups are kept for thirty days, and then they are removed by a job that runs at night.';
const rest = 'Something else stands here, which has nothing to do with what anybody asks about it.';

/** search_pages with mode passages. */
export function passagesSuite(backend: Backend): void {
  describe('search_pages for passages', () => {
    test('answers whole paragraphs of several pages, each with its page, headings, line and version', async () => {
      const wiki = await openTestWiki(backend, {
        'Guides/Backup.md': `---\ntitle: Keeping copies\n---\n# Backup\n\n${rest}\n\n## Keeping\n\nHow long\nbackups are\nkept: thirty days.\n\n${rest}\n`,
        'Policy.md': `${rest}\n\nEvery team decides how long its backups are kept, for at least a week.\n`,
        'Other.md': `${rest}\n`,
      });
      const query = { query: 'how long are backups kept', mode: 'passages' } as const;
      const { hits, total, next_cursor } = await wiki.run('search_pages', query);
      expect(hits.map(({ path, title, lines }) => ({ path, title, lines }))).toEqual([
        {
          path: 'Policy',
          title: 'Policy',
          lines: [
            { line: 3, text: 'Every team decides how long its backups are kept, for at least a week.' },
          ],
        },
        {
          path: 'Guides/Backup',
          title: 'Keeping copies',
          lines: [{ line: 10, heading: 'Backup/Keeping', text: 'How long\nbackups are\nkept: thirty days.' }],
        },
      ]);
      expect([total, next_cursor]).toEqual([2, null]);
      expect(hits[1]?.version).toBe(await wiki.git('rev-parse', 'main:Guides/Backup.md'));
      const read = { path: 'Guides/Backup', heading: hits[1]?.lines[0]?.heading };
      expect((await wiki.run('read_page', read)).content).toContain('thirty days');
    });

    test('folds what says the same, and says so', async () => {
      const near = `- ${backups.replace('job', '[job](Jobs.md)')}`;
      const wiki = await openTestWiki(backend, {
        'A.md': `${backups}\n`,
        'B.md': `# B\n\n${backups}\n\n${near}\n`,
        'C.md': `> ${backups.toUpperCase()}\n`,
        'D.md': `${backups.replace('thirty', '30')}\n\n${backups.replace('thirty', '90')}\n`,
      });
      const { hits, note } = await wiki.run('search_pages', { query: 'backups kept', mode: 'passages' });
      const folded = hits.flatMap(({ path, lines }) => lines.map(({ also = [] }) => [path, ...also]));
      expect(folded.map((paths) => paths.toSorted().join(' ')).toSorted()).toEqual(['A B C', 'D', 'D']);
      expect(note).toBe('3 more passages are the same as one here; `also` names their pages.');
    });

    test('shows both of two passages that differ in a word, which may contradict each other', async () => {
      const rule = (word: string) =>
        `Contractors must be ${word} access to the production database of the payment service before they begin to work on it.\n`;
      const words = ['given', 'denied', 'not given'];
      const wiki = await openTestWiki(
        backend,
        Object.fromEntries(words.map((word, at) => [`m/${at}.md`, rule(word)])),
      );
      const query = { query: 'contractors access production database', mode: 'passages' } as const;
      const { hits, note } = await wiki.run('search_pages', query);
      expect(hits.map(({ path }) => path).toSorted()).toEqual(['m/0', 'm/1', 'm/2']);
      expect(note).toBeUndefined();
    });

    test('never exceeds the bytes asked for, and cuts no paragraph that would fit', async () => {
      const word = fc.constantFrom('backup', 'größe', '备份', 'and', 'of', '"quoted"', 'kept.', 'then\nnext');
      const paragraph = fc.array(word, { minLength: 1, maxLength: 200 }).map((words) => words.join(' '));
      const page = fc.array(paragraph, { minLength: 1, maxLength: 12 }).map((all) => `${all.join('\n\n')}\n`);
      const pages = fc.sample(page, { numRuns: 8, seed: 20_261_123 });
      const files = Object.fromEntries(pages.map((text, at) => [`${'ä'.repeat(at * 30)}P${at}.md`, text]));
      const wiki = await openTestWiki(backend, files);
      for (const max_bytes of [2_000, 2_100, 2_500, 3_000, 5_000, 9_000, 20_000, 40_000]) {
        const answer = await wiki.run('search_pages', { query: 'backup 备份', mode: 'passages', max_bytes });
        expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(max_bytes);
        const cut = answer.hits.flatMap(({ path, lines }) => {
          const whole = new Set(files[`${path}.md`]?.trimEnd().split('\n\n'));
          return lines.filter(({ text }) => !whole.has(text));
        });
        expect(cut.length).toBeLessThanOrEqual(answer.note?.includes('it is cut') ? 1 : 0);
      }
    });

    test('never exceeds them either when many answers were before, which the cursor names', async () => {
      const text = (page: number) =>
        `${[1, 2, 3, 4].map((at) => `backup ${page} part ${at}`).join('\n\n')}\n`;
      const pages = Array.from({ length: 120 }, (_, page) => [`P${page}.md`, text(page)]);
      const wiki = await openTestWiki(backend, Object.fromEntries(pages));
      const query = { query: 'backup', mode: 'passages', limit: 5, max_bytes: 2_000 } as const;
      let cursor: string | null | undefined;
      let answers = 0;
      while (cursor !== null) {
        const answer: Output<'search_pages'> = await wiki.run('search_pages', { ...query, cursor });
        expect(answer.hits.length, `answer ${answers}`).toBeGreaterThan(0);
        expect(Buffer.byteLength(JSON.stringify(answer)), `answer ${answers}`).toBeLessThanOrEqual(2_000);
        cursor = answer.next_cursor;
        answers += 1;
      }
      expect(answers).toBe(24);
    });

    test('cuts a paragraph that is larger than the answer at the end of a sentence', async () => {
      const wiki = await openTestWiki(backend, { 'A.md': `${'A backup is kept. '.repeat(300)}\n` });
      const query = { query: 'backup', mode: 'passages', max_bytes: 2_000 } as const;
      const { hits, note } = await wiki.run('search_pages', query);
      expect(hits[0]?.lines[0]?.text).toMatch(/^(A backup is kept\. )+A backup is kept\.…$/);
      expect(note).toBe('The best passage alone is larger than max_bytes: it is cut, and ends with "…".');
    });

    test('reads every page that was found, also after one of very many paragraphs', async () => {
      const wiki = await openTestWiki(backend, {
        'Backup.md': Array.from({ length: 20_000 }, () => 'backup').join('\n\n'),
        'Policy.md': `${rest} ${backups}\n`,
      });
      const { hits } = await wiki.run('search_pages', { query: 'backup', mode: 'passages' });
      expect(hits.map(({ path }) => path).toSorted()).toEqual(['Backup', 'Policy']);
    });

    test('goes on with the next pages, of the same commit', async () => {
      const texts = Array.from({ length: 5 }, (_, at) => [`P${at}.md`, `backup of ${'abcde'[at]} ${at}\n`]);
      const wiki = await openTestWiki(backend, Object.fromEntries(texts));
      const query = { query: 'backup', mode: 'passages', limit: 3 } as const;
      const first = await wiki.run('search_pages', query);
      await wiki.write('New', 'backup backup backup');
      const next = await wiki.run('search_pages', { ...query, cursor: first.next_cursor ?? '' });
      const paths = [...first.hits, ...next.hits].map(({ path }) => path);
      expect(paths.toSorted()).toEqual(['P0', 'P1', 'P2', 'P3', 'P4']);
      expect([next.commit, next.next_cursor]).toEqual([first.commit, null]);
    });

    test('returns no paragraph twice over all answers to a question', async () => {
      const marks = fc.constantFrom('', '> ', '- ', '**');
      const number = fc.integer({ min: 0, max: 15 });
      const paragraph = fc
        .tuple(marks, number)
        .map(([mark, at]) => `${mark}backup ${at} is kept${mark === '**' ? '**' : ''}`);
      const page = fc.array(paragraph, { minLength: 1, maxLength: 6 }).map((all) => all.join('\n\n'));
      const pages = fc.sample(page, { numRuns: 20, seed: 20_261_125 });
      const wiki = await openTestWiki(
        backend,
        Object.fromEntries(pages.map((text, at) => [`P${at}.md`, text])),
      );
      const numbersIn = (text: string) => text.match(/\d+/g) ?? [];
      for (const limit of [1, 2, 3, 7]) {
        const query = { query: 'backup', mode: 'passages', limit, max_bytes: 40_000 } as const;
        const numbers: string[] = [];
        const notes: string[] = [];
        let cursor: string | null = null;
        do {
          const input = { ...query, ...(cursor !== null && { cursor }) };
          const answer: Output<'search_pages'> = await wiki.run('search_pages', input);
          for (const { lines } of answer.hits) numbers.push(...lines.flatMap(({ text }) => numbersIn(text)));
          notes.push(answer.note ?? '');
          cursor = answer.next_cursor;
        } while (cursor !== null);
        expect(numbers.toSorted()).toEqual([...new Set(pages.flatMap(numbersIn))].toSorted());
        expect(notes.join(' ')).toMatch(/the same as one of an earlier answer/);
      }
    });

    test('answers the beginning of a page that is found by its name alone, and nothing for no words', async () => {
      const wiki = await openTestWiki(backend, {
        'Lantern.md': `# Lantern\n\n${backups}\n\n${rest}\n`,
        'Empty.md': '',
      });
      const passages = async (query: string) =>
        (await wiki.run('search_pages', { query, mode: 'passages' })).hits.flatMap(({ lines }) => lines);
      expect((await passages('lantern')).map(({ text }) => text)).toEqual([backups]);
      expect(await passages('empty')).toEqual([]);
      expect(await passages('absent')).toEqual([]);
      const refused = await wiki.refused('search_pages', { query: 'lantern', max_bytes: 3_000 });
      expect([refused.code, refused.text.happened]).toEqual([
        'invalid_input',
        'max_bytes limits passages, and this search answers lines.',
      ]);
    });

    test('splits a long list between its items, and keeps code whole', async () => {
      const items = Array.from({ length: 60 }, (_, at) => `- Item ${at} of a list about servers and so on`);
      items[40] = '- The lantern server\n  is on this item';
      const code = `\`\`\`\nlantern\n\n# no heading\n${'x\n'.repeat(900)}\`\`\``;
      const wiki = await openTestWiki(backend, { 'A.md': `${items.join('\n')}\n\n${code}\n` });
      const { hits } = await wiki.run('search_pages', { query: 'lantern', mode: 'passages' });
      const texts = hits.flatMap(({ lines }) => lines.map(({ text }) => text));
      expect(texts).toHaveLength(2);
      expect(texts[0]?.length).toBeLessThan(1_400);
      expect(texts[0]).toContain('\n- The lantern server\n  is on this item\n');
      expect(texts[1]).toBe(code);
    });
  });
}
