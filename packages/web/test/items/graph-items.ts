import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { boxOf, type Item } from './item.ts';

/** The graph of links, as a list and as a picture. */
export const GRAPH_ITEMS: readonly Item[] = [
  {
    sees: 'the links around a page, by direction and distance',
    at: '/main/Guides/Getting%20Started',
    async check({ page, main }) {
      await page.getByRole('link', { name: 'Graph', exact: true }).last().click();
      expect(await main.getByRole('heading', { level: 1 }).textContent()).toBe(
        'Graph around Getting Started',
      );
      const listed = async (name: string) => {
        const part = main.locator('section').filter({ has: page.getByRole('heading', { name }) });
        return part.locator('.path').allTextContents();
      };
      expect(await listed('It links to')).toEqual(['Accounts', 'Guides/Style', 'Home', 'Tools/Editor']);
      expect(await listed('Linked from')).toEqual(['Accounts', 'Guides/Style', 'Wrong']);
      await main.getByRole('link', { name: '2 links away' }).click();
      await main.getByRole('heading', { name: '2 links away' }).waitFor();
      expect(await listed('2 links away')).toContain('Rules 1');
    },
  },
  {
    sees: 'the graph of the wiki, whose nodes lead to their pages',
    at: '/_/main/graph',
    async check({ page, main, way }) {
      expect(await main.locator('.pages .path').first().textContent()).toBe('Guides/Getting Started');
      if (!way.hasScripts) {
        expect(await main.getByRole('img').count()).toBe(0);
        await main.getByRole('link', { name: 'Editor', exact: true }).click();
        return void expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Editor');
      }
      const picture = main.getByRole('img', { name: /^Picture of \d+ pages/ });
      await main.locator('.graph[data-drawn]').waitFor();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      const field = main.getByLabel('Find in the picture');
      await field.fill('tools/ed');
      await main.getByText('1 found.').waitFor();
      await field.press('Enter');
      await nextFrames(page);
      await picture.scrollIntoViewIfNeeded();
      const { x, y, width, height } = await boxOf(picture);
      const [left, top] = [x + width / 2, y + height / 2] as const;
      if (way.isDesktop) await page.mouse.click(left, top);
      else await page.touchscreen.tap(left, top);
      await page.waitForURL('**/main/Tools/Editor');
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Editor');
    },
  },
];

/** Without movement the picture is at its place with the second frame. */
async function nextFrames(page: Page): Promise<void> {
  for (let frame = 0; frame < 4; frame += 1)
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
}
