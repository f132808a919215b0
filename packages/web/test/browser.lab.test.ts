import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { fillWiki } from './demo-wiki.ts';
import { addHostilePages, FILES } from './hostile-wiki.ts';
import { ACTION_MS, openChromium } from './open-chromium.ts';
import { ServedWeb } from './served-web.ts';
import { DESKTOP, OPPOSITE_WAYS, WAYS } from './ways.ts';

let directory: string;
let web: ServedWeb;
let base: string;
let browser: Browser;
/** Stands for every other machine: nothing may reach it. */
const elsewhere = createServer((socket) => {
  foreignConnections += 1;
  socket.destroy();
});
let foreignConnections = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-browser-'));
  await fillWiki(directory);
  await addHostilePages(directory);
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const { port } = elsewhere.address() as AddressInfo;
  web = new ServedWeb(['--port', '0', '--dir', directory]);
  [base, browser] = await Promise.all([
    web.address(),
    openChromium([`--host-resolver-rules=MAP example.org 127.0.0.1:${port}`]),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await web?.stop();
  elsewhere.close();
  if (directory !== undefined) rmSync(directory, { recursive: true });
});

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ baseURL: base, ...options });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(ACTION_MS);
  return context.newPage();
}

describe.each(sampled(WAYS, OPPOSITE_WAYS))('$name', ({ options }) => {
  test('a person reads, searches, and follows what changed', async () => {
    const page = await open(options);
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Getting Started' }).click();
    await expectHeading(page, 'Getting Started');
    if ((options.viewport?.width ?? 0) < 1_000) await page.getByText('On this page').click();
    await page.getByRole('link', { name: 'What can go wrong' }).click();
    expect(new URL(page.url()).hash).toBe('#what-can-go-wrong');
    await page.getByRole('article').getByRole('link', { name: 'Accounts' }).click();
    await expectHeading(page, 'Accounts');
    await page
      .getByRole('region', { name: 'Linked from' })
      .getByRole('link', { name: 'Getting Started' })
      .click();

    await page.getByRole('searchbox', { name: 'Search in this wiki' }).fill('invitation');
    await page.keyboard.press('Enter');
    expect(await page.locator('mark').first().textContent()).toMatch(/^invitation$/i);
    await page.getByRole('main').getByRole('link', { name: 'Getting Started' }).click();

    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Compare the chosen versions' }).click();
    expect(await page.locator('del b').first().textContent()).toBe('machine');
    expect(await page.locator('ins b').first().textContent()).toBe('laptop');
    await page.getByRole('link', { name: 'The page after it' }).click();
    expect(await page.locator('.notice').textContent()).toContain('This is the page as it was');

    await page.getByRole('navigation', { name: 'Wiki' }).getByRole('link', { name: 'Changes' }).click();
    await page.getByLabel('Author').fill('Turing');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.locator('.who').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/Alan Turing through cursor/)]),
    );
    await page.getByRole('navigation', { name: 'Wiki' }).getByRole('link', { name: 'Tags' }).click();
    await page.getByRole('main').getByRole('link', { name: 'onboarding' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Getting Started' }).click();
    await page.getByRole('navigation', { name: 'Wiki' }).getByRole('link', { name: 'Problems' }).click();
    expect(await page.getByRole('main').textContent()).toContain('Nowhere Yet');
  });
});

async function expectHeading(page: Page, name: string): Promise<void> {
  expect(await page.getByRole('heading', { level: 1 }).allTextContents()).toEqual([name]);
}

test('pages are found while a person types, and a link shows the beginning of its page', async () => {
  const page = await open(DESKTOP);
  await page.goto('/main/Guides/Getting%20Started');
  await page.getByRole('searchbox', { name: 'Search in this wiki' }).pressSequentially('accou');
  const found = page.getByRole('list', { name: 'Pages found' });
  await found.getByRole('link', { name: 'Accounts' }).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await found.isVisible()).toBe(false);
  await page.getByRole('article').getByRole('link', { name: 'Accounts' }).hover();
  await page.getByRole('tooltip').getByText('ask for an account').waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  await page.getByRole('searchbox', { name: 'Search in this wiki' }).pressSequentially('s');
  await page.getByRole('searchbox', { name: 'Search in this wiki' }).fill('style');
  await found.getByRole('link', { name: 'Style' }).click();
  await expectHeading(page, 'Style');
});

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`,
  );
}

test('by keyboard a person skips to the content', async () => {
  const page = await open(DESKTOP);
  await page.goto('/main/Guides/Getting%20Started');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('main');
});

function focused(page: Page): Promise<string> {
  return page.evaluate<string>('document.activeElement.textContent');
}

test('no script of a page or a file runs, nothing navigates, and no request leaves', async () => {
  const page = await open(DESKTOP);
  let dialogs = 0;
  page.on('dialog', async (dialog) => {
    dialogs += 1;
    await dialog.dismiss();
  });
  for (const address of [
    '/main/Hostile',
    '/main/Hostile?view=history',
    '/_/main/changes',
    '/_/main/files/hostile.svg',
    '/_/main/search?q=hostile',
  ]) {
    await page.goto(address);
    await page.waitForTimeout(200);
    expect(await page.evaluate('globalThis.hacked'), address).toBeUndefined();
    expect(page.url()).toBe(base + address);
  }
  const shown: string[] = [];
  for (const file of Object.keys(FILES)) {
    const download = page.waitForEvent('download').catch(() => null);
    const opened = await page.goto(`/_/main/files/${file}`).catch(() => null);
    if (opened === null) expect((await download)?.suggestedFilename()).toBe(file);
    else shown.push(file);
    await page.waitForTimeout(200);
    expect(await page.evaluate('globalThis.hacked'), file).toBeUndefined();
  }
  expect(shown).toEqual(['hostile.svg', 'hostile.txt', 'hostile.png']);
  expect([foreignConnections, dialogs]).toEqual([0, 0]);
});
