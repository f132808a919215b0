import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillWiki } from './demo-wiki.ts';
import { openChromium } from './open-chromium.ts';
import { ServedWeb } from './served-web.ts';
import { takeMovingPicture } from './take-moving-picture.ts';

/**
 * Pictures of each kind of page in both themes, for people who want to see them and for the README, and a moving one of
 * what an agent writes.
 */
const DIRECTORY = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const STARTED = '/main/Guides/Getting%20Started';

await mkdir(DIRECTORY, { recursive: true });
const wikis = await mkdtemp(join(tmpdir(), 'pagetree-pictures-'));
await fillWiki(wikis);
const web = new ServedWeb(['--port', '0', '--dir', wikis], {
  PAGETREE_AUTHOR: 'Grace Hopper <team@example.org>',
});
const browser = await openChromium();
try {
  const baseURL = await web.address();
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      baseURL,
      colorScheme,
      viewport: { width: 1280, height: 800 },
    });
    const page = await context.newPage();
    const take = (name: string, from = page) =>
      from.screenshot({ path: join(DIRECTORY, `${name}-${colorScheme}.png`) });
    await page.goto(STARTED);
    await take('page');
    await page.goto(`${STARTED}?view=history`);
    await take('history');
    await page.getByRole('link', { name: 'What changed' }).first().click();
    await take('diff');
    await page.goto(`${STARTED}?view=blame`);
    await take('blame');
    await page.goto('/_/main/search?q=account');
    await take('search');
    await page.goto('/_/main/graph');
    await page.locator('.graph[data-drawn]').waitFor();
    await take('graph');
    await page.goto(`${STARTED}?view=edit`);
    await page.locator('.cm-line').first().waitFor();
    await take('editor');
    await page.getByLabel('Text, in Markdown').press('Control+End');
    await page.keyboard.type(`\n## Words of a person, ${colorScheme}\n`);
    const other = await context.newPage();
    await other.goto(`${STARTED}?view=edit`);
    await other.getByLabel('Text, in Markdown').press('Control+End');
    await other.keyboard.type(`\n## Words of somebody else, ${colorScheme}\n`);
    await other.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('article').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.evaluate('scrollTo(0, 0)');
    await take('conflict');
    await other.goto('/_/main/undo?agent=claude-code/2.1&since=yesterday');
    await take('undo', other);
    await context.close();
  }
  await takeMovingPicture({ browser, baseURL, wikis, file: join(DIRECTORY, 'live.webp') });
} finally {
  await browser.close();
  await web.stop();
  await rm(wikis, { recursive: true });
}
