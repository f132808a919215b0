import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fillWiki } from './demo-wiki.ts';
import { openChromium } from './open-chromium.ts';
import { ServedWeb } from './served-web.ts';

/** Pictures of each kind of page in both themes, for people who want to see them and for the README. */
const DIRECTORY = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const STARTED = '/main/Guides/Getting%20Started';

await mkdir(DIRECTORY, { recursive: true });
const wikis = await mkdtemp(join(tmpdir(), 'pagetree-pictures-'));
await fillWiki(wikis);
const web = new ServedWeb(['--port', '0', '--dir', wikis]);
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
    const take = (name: string) => page.screenshot({ path: join(DIRECTORY, `${name}-${colorScheme}.png`) });
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
    await context.close();
  }
} finally {
  await browser.close();
  await web.stop();
  await rm(wikis, { recursive: true });
}
