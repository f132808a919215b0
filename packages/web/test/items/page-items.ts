import { expect } from 'vitest';
import { boxOf, type Item, styleOf } from './item.ts';

const EVERYTHING = '/main/Guides/Everything';
const STARTED = '/main/Guides/Getting%20Started';
const IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>';

/** Everything that a page shows. */
export const PAGE_ITEMS: readonly Item[] = [
  {
    sees: 'a footnote, and goes there and back',
    at: EVERYTHING,
    async check({ page, article }) {
      await article.getByRole('link', { name: '1', exact: true }).click();
      expect(new URL(page.url()).hash).toBe('#note.fn-1');
      expect(await article.locator('[id="note.fn-1"]').textContent()).toContain('The note.');
      await article.getByRole('link', { name: 'Back to reference 1' }).click();
      expect(new URL(page.url()).hash).toBe('#note.fnref-1');
    },
  },
  {
    sees: 'marked words on a color of their own',
    at: EVERYTHING,
    async check({ article }) {
      const mark = article.locator('mark');
      expect(await mark.allTextContents()).toEqual(['mark']);
      expect(await styleOf(mark, 'backgroundColor')).not.toBe('rgba(0, 0, 0, 0)');
    },
  },
  {
    sees: 'what is done and to do in a list of tasks',
    at: EVERYTHING,
    async check({ article }) {
      expect(await article.getByRole('checkbox', { name: 'Done' }).isChecked()).toBe(true);
      const open = article.getByRole('checkbox', { name: 'To do' });
      expect([await open.isChecked(), await open.isDisabled()]).toEqual([false, true]);
    },
  },
  {
    sees: 'a formula with its exponents above the line',
    at: EVERYTHING,
    async check({ article }) {
      const math = article.locator('math').first();
      expect((await math.textContent())?.replaceAll(/\s/g, '')).toBe('a2+b2');
      const [letter, exponent] = await Promise.all([
        boxOf(math.locator('mi').first()),
        boxOf(math.locator('mn').first()),
      ]);
      expect(exponent.y).toBeLessThan(letter.y + letter.height / 2);
    },
  },
  {
    sees: 'code in colors',
    at: EVERYTHING,
    async check({ article }) {
      const code = article.locator('pre code');
      expect(await code.textContent()).toContain('export const answer: number = 42;');
      const parts = ['.hljs-comment', '.hljs-keyword', '.hljs-string'].map((part) =>
        code.locator(part).first(),
      );
      const colors = await Promise.all([code, ...parts].map((part) => styleOf(part, 'color')));
      expect(new Set(colors).size).toBe(4);
    },
  },
  {
    sees: 'callouts, one of which opens',
    at: EVERYTHING,
    async check({ article }) {
      expect(await article.getByText('This is a callout.').isVisible()).toBe(true);
      expect(await article.getByText('This one is closed.').isVisible()).toBe(false);
      await article.getByText('Folded').click();
      expect(await article.getByText('This one is closed.').isVisible()).toBe(true);
    },
  },
  {
    sees: 'an image from elsewhere only after a click',
    at: EVERYTHING,
    async check({ page, article }) {
      const asked: string[] = [];
      await page.route('https://example.org/**', (route) => {
        asked.push(route.request().url());
        return route.fulfill({ contentType: 'image/svg+xml', body: IMAGE });
      });
      await page.reload();
      expect(asked).toEqual([]);
      await article.getByRole('link', { name: /Show the image “cat”/ }).click();
      const image = article.getByRole('img', { name: 'cat' });
      await expect.poll(async () => (await boxOf(image)).width).toBe(32);
      expect(asked).toEqual(['https://example.org/cat.png']);
    },
  },
  {
    sees: 'an image of the wiki, and it among the attachments',
    at: STARTED,
    async check({ page, article }) {
      const image = article.getByRole('img', { name: 'diagram.svg' });
      await image.scrollIntoViewIfNeeded();
      await expect.poll(async () => (await boxOf(image)).height).toBeGreaterThan(50);
      await page
        .getByRole('region', { name: 'Attachments' })
        .getByRole('link', { name: 'diagram.svg' })
        .click();
      expect(new URL(page.url()).pathname).toBe('/_/main/files/diagram.svg');
    },
  },
  {
    sees: 'a part of another page',
    at: '/main/Wrong',
    async check({ article }) {
      const embed = article.locator('.embed');
      expect(await embed.textContent()).toContain('npx -y pnpm@12 mcp --dir ~/wiki');
      expect(await embed.textContent()).not.toContain('Before you begin');
    },
  },
  {
    sees: 'the frontmatter as a table',
    at: STARTED,
    async check({ page }) {
      const rows = page.getByRole('region', { name: 'Properties' }).getByRole('row');
      expect(await rows.allInnerTexts()).toEqual([
        'tags\tguide, onboarding',
        'owner\tGrace Hopper',
        'aliases\tStart here',
      ]);
    },
  },
  {
    sees: 'an outline that leads to the places',
    at: STARTED,
    async check({ page, article, way }) {
      if (!way.isDesktop) await page.getByText('On this page').click();
      const outline = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
      const places = ['Before you begin', 'Install', 'What can go wrong', 'Where to go next'];
      expect(await outline.allTextContents()).toEqual(places);
      await outline.last().click();
      const heading = article.getByRole('heading', { name: 'Where to go next' });
      expect((await boxOf(heading)).y).toBeLessThan(page.viewportSize()?.height ?? 0);
    },
  },
  {
    sees: 'the pages that link here, with their lines',
    at: STARTED,
    async check({ page }) {
      const from = page.getByRole('region', { name: 'Linked from' });
      expect(await from.getByRole('link').allTextContents()).toEqual(['Accounts', 'Guides/Style', 'Wrong']);
      expect(await from.locator('.line').first().textContent()).toBe(
        'After [[Guides/Getting Started]], ask for an account.',
      );
    },
  },
  {
    sees: 'who changed the page last, through which agent, and what',
    at: EVERYTHING,
    async check({ page, main }) {
      expect(await page.locator('.last-change').textContent()).toMatch(
        /^Changed .* by Ada Lovelace through claude-code\/2\.1: “Show every form”/,
      );
      await page.getByRole('link', { name: 'See the change' }).click();
      expect(await main.textContent()).toContain('Show every form');
    },
  },
  {
    sees: 'a diagram, or its text without JavaScript',
    at: '/main/Diagrams',
    async check({ article, way }) {
      const text = article.getByText('A[First] --> B[Second]');
      if (!way.hasScripts) return expect(await text.isVisible()).toBe(true);
      await article.getByRole('img', { name: 'Diagram; its source follows' }).waitFor();
      await article.getByText('Source of the diagram').click();
      await text.waitFor();
    },
  },
];
