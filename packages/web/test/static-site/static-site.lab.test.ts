import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { commitFiles } from '../../../wiki/test/operations/local-backends.ts';
import { fillWiki } from '../demo-wiki.ts';
import { ACTION_MS, openChromium } from '../open-chromium.ts';
import { exportSite } from './export-site.ts';
import { serveFiles } from './file-server.ts';
import { followLinks } from './follow-links.ts';

let directory: string;
let site: string;
let browser: Browser;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-static-'));
  site = join(directory, 'site');
  const repository = join(directory, 'wikis', 'main.git');
  git('.', ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  commitFiles(repository, ODD);
  await fillWiki(join(directory, 'wikis'));
  const [exported, opened] = await Promise.all([exportSite(join(directory, 'wikis'), site), openChromium()]);
  browser = opened;
  expect(exported, exported.reported).toMatchObject({
    code: 0,
    said: expect.stringMatching(/ is a site in /),
  });
});

afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

test('every link leads to a file, and every place is there', async () => {
  const followed = await followLinks(site, await serveFiles(site));
  process.stdout.write(`${JSON.stringify({ pages: followed.pages, links: followed.links })}\n`);
  expect(followed).toMatchObject({ dead: [], deadPlaces: [], foreign: [], withoutPolicy: [] });
  expect(followed.links).toBeGreaterThan(300);
});

test('the licenses of what others wrote of the scripts come along', async () => {
  const notices = await readFile(join(site, 'site-files', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  expect(notices).toMatch(/^@mermaid-js\/tiny .*, license MIT$/m);
  expect(notices).toContain('DOMPurify');
  expect(notices).not.toContain('sigma ');
});

test('the same commit gives the same bytes', async () => {
  const again = join(directory, 'again');
  expect(await exportSite(join(directory, 'wikis'), again)).toMatchObject({ code: 0 });
  const read = async (root: string) => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return Promise.all(
      files.toSorted().map(async (file) => [file.slice(root.length), await readFile(file, 'base64')]),
    );
  };
  expect(await read(again)).toEqual(await read(site));
});

test('the search finds pages by words and beginnings, in any script, and marks them', async () => {
  const { page, base, wrong, requests } = await openStatic();
  await page.goto(base);
  await page.fill('form.find input', 'kraken');
  await page.press('form.find input', 'Enter');
  await page.waitForSelector('.hits li');
  expect(await page.locator('.hits h2').allTextContents()).toEqual(['What? 100%']);
  expect(await page.locator('.hits mark').allTextContents()).toEqual(['Krakens']);
  const search = async (query: string) => {
    await page.goto(`${base}site-files/search.html?q=${encodeURIComponent(query)}`);
    await page.waitForFunction(
      () => !document.querySelector('#ui\\.search')?.textContent?.includes('Write a word'),
    );
    return page.locator('.hits h2').allTextContents();
  };
  expect(await search('時間')).toEqual(['日本']);
  expect(await search('creme brulee')).toEqual(['CON']);
  expect(await search('krak')).toEqual(['What? 100%']);
  // The page with both words comes first, whatever else the words are in.
  expect((await search('walrus 7'))[0]).toBe('Walrus 7');
  expect(await search('walr')).toHaveLength(10);
  await page.click('text=More pages');
  await page.waitForFunction(() => document.querySelectorAll('.hits li').length === 12);
  expect(
    await page.locator('.hits li:nth-child(11) a').evaluate((link) => link === document.activeElement),
  ).toBe(true);
  expect(await page.locator('text=More pages').count()).toBe(0);
  expect(await search('constructor __proto__')).toEqual([]);
  expect(await search('nothingofthiskind')).toEqual([]);
  expect(await page.textContent('[role=status]')).toMatch(/No page was found/);
  await search('kraken');
  await page.click('.hits a');
  expect(await page.textContent('h1')).toBe('What? 100%');
  expect({ wrong, foreign: requests.filter((each) => !each.startsWith(base)) }).toEqual({
    wrong: [],
    foreign: [],
  });
});

test('every page opens without a fault, loads nothing from elsewhere, and runs nothing of the wiki', async () => {
  const { page, base, wrong, requests } = await openStatic();
  const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.html'));
  for (const file of files) {
    await page.goto(base + file.split('/').map(encodeURIComponent).join('/'));
    expect(await page.evaluate(() => 'harm' in window), file).toBe(false);
  }
  expect({ wrong, foreign: requests.filter((each) => !each.startsWith(base)) }).toEqual({
    wrong: [],
    foreign: [],
  });
  await page.goto(`${base}Attack.html`);
  const drawn = await page
    .locator('article img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth > 0));
  expect(drawn).toEqual([true]);
  await page.waitForSelector('figure.diagram img');
  expect(wrong).toEqual([]);
});

test('it can be read and searched from the disk', async () => {
  const { page, wrong } = await openStatic();
  await page.goto(pathToFileURL(join(site, 'index.html')).href);
  await page.fill('form.find input', 'kraken');
  await page.press('form.find input', 'Enter');
  await page.waitForSelector('.hits li');
  await page.click('.hits a');
  expect(await page.textContent('h1')).toBe('What? 100%');
  expect(wrong).toEqual([]);
});

async function openStatic() {
  const base = await serveFiles(site);
  const context = await browser.newContext();
  context.setDefaultTimeout(ACTION_MS);
  onTestFinished(() => context.close());
  const page: Page = await context.newPage();
  const wrong: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => {
    // Chromium does not know this directive of the frame yet.
    const isKnown = message.text().includes("directive 'webrtc'");
    if (message.type() === 'error' && !isKnown) wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.on('request', (request) => /^https?:/.test(request.url()) && requests.push(request.url()));
  return { page, base, wrong, requests };
}

const HARM = '<script>window.harm = 1</script>';

/** Names that systems and hosts take for something else, and content that wants to run. */
const ODD: Readonly<Record<string, string>> = {
  'Odd.md':
    '# Odd\n\n[[C#/What? 100%|odd]], [[C#/What? 100%#A part|part]], [[CON]], [[index]], [[n.txt]], [[Missing]]\n',
  'C#/What? 100%.md': '# What? 100%\n\nKrakens live here.\n\n## A part\n\n[[Odd]] #a/b #A/B\n',
  'c#/what.md': '# Other\n\n[[C#/What? 100%]]\n',
  'CON.md': '# CON\n\nCrème brûlée </script><script>window.harm = 1</script>\n',
  'index.md': '# Index\n\n[[site-files/x]]\n',
  'Site-Files/x.md': '# Y\n',
  'site-files/x.md': '# X\n\n[[index]]\n',
  '日本.md': '# 日本\n\n長い時間の話\n',
  'Attack.md':
    '# Attack\n\n![[evil.svg]] [[evil.html]] [[evil.svg]] [[a b.pdf]] ![cat](https://h.example/cat.png)\n\n<script>window.harm = 1</script><img src=x onerror="window.harm = 1">\n\n```mermaid\ngraph TD; A-->B\n```\n',
  'evil.html': HARM,
  'evil.svg': `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/>${HARM}</svg>`,
  'a b.pdf': '%PDF-1.4',
  'n.txt': 'n',
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [`Walruses/${at}.md`, `# Walrus ${at}\n\nA walrus.\n`]),
  ),
};
