import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openChromium } from '../../../web/test/open-chromium.ts';
import { median } from '../median.ts';

/** The bytes of the index that the browser loads for one query. */
export interface QueryBytes {
  median: number;
  most: number;
}

/** Searches a static site in Chromium for the titles of some pages, each as the first query of a visit. */
export async function queryStaticSite(site: string): Promise<QueryBytes> {
  const queries = await someTitles(site);
  const browser = await openChromium();
  try {
    const bytes: number[] = [];
    for (const query of queries) {
      const page = await browser.newPage();
      const loaded: string[] = [];
      page.on('request', (request) => loaded.push(request.url()));
      const address = pathToFileURL(join(site, 'site-files', 'search.html'));
      await page.goto(`${address}?q=${encodeURIComponent(query)}`);
      await page.waitForSelector('.hits li', { timeout: SEARCH_MS });
      const files = loaded.filter((url) => url.includes('/site-files/search/'));
      const sizes = await Promise.all(files.map(async (url) => (await stat(fileURLToPath(url))).size));
      bytes.push(sizes.reduce((sum, size) => sum + size, 0));
      await page.close();
    }
    return { median: median(bytes), most: Math.max(...bytes) };
  } finally {
    await browser.close();
  }
}

const QUERIES = 20;
const WORDS = 3;
const SEARCH_MS = 60_000;

/** The first words of titles of pages that are spread over the site. */
async function someTitles(site: string): Promise<string[]> {
  const found = await readdir(site, { recursive: true });
  const pages = found
    .filter((file) => file.endsWith('.html') && !/^site-files|index\.html$/.test(file))
    .toSorted();
  const chosen = Array.from(
    { length: QUERIES },
    (_, at) => pages[Math.floor((at * pages.length) / QUERIES)] ?? '',
  );
  return Promise.all(
    chosen.map(async (file) => {
      const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(await readFile(join(site, file), 'utf8')) ?? [];
      return title
        .replaceAll(/<[^>]*>|&[^;]*;/g, ' ')
        .trim()
        .split(/\s+/)
        .slice(0, WORDS)
        .join(' ');
    }),
  );
}
