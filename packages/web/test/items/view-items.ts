import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { boxOf, type Item } from './item.ts';

const STARTED = '/main/Guides/Getting%20Started';

/** Everything that finds pages, and that shows who changed them. */
export const VIEW_ITEMS: readonly Item[] = [
  {
    sees: 'the tree of folders, with the open page',
    at: STARTED,
    async check({ page }) {
      const tree = page.getByRole('navigation', { name: 'Folders' });
      expect(await tree.locator('[aria-current="page"]').allTextContents()).toEqual(['Getting Started']);
      await tree.getByRole('link', { name: 'Tools' }).click();
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Tools');
    },
  },
  {
    sees: 'the words of a search marked, and the search narrowed',
    at: '/_/main/search?q=account',
    async check({ page, main }) {
      expect(
        (await main.locator('.line mark').allTextContents()).every((word) => /^account/i.test(word)),
      ).toBe(true);
      const found = () => main.locator('.hits .path').allTextContents();
      expect(await found()).toEqual(expect.arrayContaining(['Accounts', 'Guides/Getting Started']));
      await page.getByLabel('Folder', { exact: true }).fill('Guides/');
      await main.getByRole('button', { name: 'Search' }).click();
      expect(await found()).toEqual(['Guides/Getting Started']);
      await page.getByLabel('Last changed by').fill('Ada');
      await main.getByRole('button', { name: 'Search' }).click();
      expect(await found()).toEqual([]);
    },
  },
  {
    sees: 'the tags with how many pages have them',
    at: '/_/main/tags',
    async check({ page, main }) {
      const entries = await main.getByRole('listitem').allTextContents();
      expect(entries.map((entry) => entry.trim())).toEqual(['guide 2', 'onboarding 1']);
      await main.getByRole('link', { name: 'guide' }).click();
      expect(await page.locator('.pages a').allTextContents()).toEqual(['Getting Started', 'Editor']);
    },
  },
  {
    sees: 'the changes of each day, by author and agent',
    at: '/_/main/changes',
    async check({ page, main }) {
      expect(await main.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
        expect.stringMatching(/\d{4}/),
      ]);
      expect(await main.locator('.message').first().textContent()).toBe('Take it away');
      await page.getByLabel('Agent').fill('cursor');
      await page.getByRole('button', { name: 'Show' }).click();
      expect(await main.locator('.message').allTextContents()).toEqual(['Add editors']);
      expect(await main.locator('.who').textContent()).toContain('Alan Turing through cursor/1.4');
    },
  },
  ...problemItems(),
  {
    sees: 'the history of a page, with who, through which agent, and why',
    at: `${STARTED}?view=history`,
    async check({ main }) {
      const changes = await main.locator('.changes > li').allInnerTexts();
      expect(changes).toEqual([
        expect.stringMatching(/Say what to do if the port is taken[\s\S]*Grace Hopper/),
        expect.stringMatching(
          /Write down how to begin[\s\S]*Three people asked[\s\S]*Ada Lovelace through claude-code\/2\.1/,
        ),
      ]);
    },
  },
  {
    sees: 'the words that changed, side by side where there is room',
    at: `${STARTED}?view=history`,
    async check({ main, way }) {
      await main.getByRole('button', { name: 'Compare the chosen versions' }).click();
      const row = main.locator('.row:not(.same)').first();
      expect(await row.locator('del b').first().textContent()).toBe('machine');
      expect(await row.locator('ins b').first().textContent()).toBe('laptop');
      const [before, after] = await Promise.all([boxOf(row.locator('.old')), boxOf(row.locator('.new'))]);
      if (way.isDesktop) {
        expect(after.y).toBe(before.y);
        expect(after.x).toBeGreaterThanOrEqual(before.x + before.width);
      } else {
        expect(after.x).toBe(before.x);
        expect(after.y).toBeGreaterThanOrEqual(before.y + before.height);
      }
    },
  },
  {
    sees: 'who wrote each paragraph, through which agent, when and why, beside it where there is room',
    at: `${STARTED}?view=blame`,
    async check({ main, way }) {
      const byAda = paragraph(main, 'Ask in the channel for an invitation');
      const byGrace = paragraph(main, 'Else look at the log.');
      expect(await byAda.locator('.writers').allInnerTexts()).toEqual([
        expect.stringMatching(
          /^Write down how to begin\s+Three people asked the same questions last week\.\s+Ada Lovelace through claude-code\/2\.1\s+\d+ \w{3} \d{4}, \d\d:\d\d$/,
        ),
      ]);
      expect(await byGrace.locator('.writers').allInnerTexts()).toEqual([
        expect.stringMatching(
          /^Say what to do if the port is taken\s+Grace Hopper\s+\d+ \w{3} \d{4}, \d\d:\d\d$/,
        ),
      ]);
      const [writers, text] = await Promise.all([
        boxOf(byAda.locator('.writers')),
        boxOf(byAda.locator('.written')),
      ]);
      if (way.isDesktop) expect(text.x).toBeGreaterThanOrEqual(writers.x + writers.width);
      else expect(text.y).toBeGreaterThanOrEqual(writers.y + writers.height);
      await byGrace.getByRole('link').click();
      expect(await main.locator('ins').allTextContents()).toContain('Else look at the log.');
    },
  },
  {
    sees: 'a page as it was, and the way back',
    at: `${STARTED}?view=history`,
    async check({ page, article, main }) {
      await main.getByRole('link', { name: 'The page then' }).last().click();
      expect(await page.locator('.notice').textContent()).toContain('This is the page as it was');
      expect(await article.textContent()).toContain('a machine with Node 24.');
      await page.getByRole('link', { name: 'See the page as it is now' }).click();
      expect(await article.textContent()).toContain('a laptop with Node 24 or later.');
    },
  },
  {
    sees: 'that a page was deleted, by whom, and its text before that',
    at: '/main/Gone',
    async check({ article, main }) {
      await main.getByRole('link', { name: 'See its history' }).click();
      expect(await main.locator('.changes > li').first().allInnerTexts()).toEqual([
        expect.stringMatching(/Take it away[\s\S]*deleted here/),
      ]);
      await main.getByRole('link', { name: 'The page then' }).click();
      expect(await article.textContent()).toContain('Last words.');
    },
  },
];

function paragraph(main: Locator, text: string): Locator {
  return main.locator('.blame > li').filter({ hasText: text });
}

function problemItems(): Item[] {
  const kinds: [title: string, page: string, detail: string][] = [
    ['Broken links', 'Guides/Getting Started', 'Nowhere Yet'],
    ['Broken headings', 'Wrong', 'No such place'],
    ['Ambiguous links', 'Wrong', 'Twin'],
    ['Links to superseded pages', 'Wrong', 'Rules 2'],
    ['Orphan pages', 'Lonely', ''],
    ['Near-copies', 'Copy', ''],
  ];
  return kinds.map(([title, path, detail]) => ({
    sees: `the list of problems “${title}”`,
    at: '/_/main/problems',
    async check({ page, main }) {
      await main.getByRole('link', { name: title }).click();
      expect(await main.getByRole('heading', { level: 2 }).textContent()).toBe(title);
      const finding = main
        .locator('.findings > li')
        .filter({ has: page.getByRole('link', { name: path, exact: true }) });
      expect(await finding.first().textContent()).toContain(detail);
      await finding.first().getByRole('link', { name: path, exact: true }).click();
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/main/${path}`);
    },
  }));
}
