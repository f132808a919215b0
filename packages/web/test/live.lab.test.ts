import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { RawServer } from '../../mcp-server/test/raw-server.ts';
import { openLab } from './open-lab.ts';
import { ServedWeb } from './served-web.ts';
import { DESKTOP, PHONE } from './ways.ts';

const lab = openLab();
const MCP_SERVER = fileURLToPath(new URL('../../mcp-server/src/main.ts', import.meta.url));

/** An agent, in a process of its own. */
let agent: RawServer;
let calls = 0;

beforeAll(async () => {
  agent = new RawServer(process.execPath, [MCP_SERVER, '--dir', lab.directory], {
    PAGETREE_AUTHOR: 'Ada Lovelace <ada@example.org>',
  });
  await agent.initialize();
  return async () => {
    agent.process.kill('SIGKILL');
    await agent.ended;
  };
});

async function call(tool: string, input: Record<string, unknown>): Promise<void> {
  calls += 1;
  agent.callTool(calls, tool, input);
  const answer = await agent.answerTo(calls);
  expect(JSON.stringify(answer)).not.toContain('"isError":true');
}

/** A page of many paragraphs, of which number 3 and the last one can be changed. */
function longText(third = 'Number 3.', last = 'The end.'): string {
  const paragraphs = Array.from({ length: 60 }, (_, at) => (at === 3 ? third : `Number ${at}.`));
  return `# Long\n\n${paragraphs.join('\n\n')}\n\n- one\n- two\n- three\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |\n\n${last}\n`;
}

async function rewrite(path: string, old: string, now: string, message = 'Say it better'): Promise<void> {
  await call('edit_page', { path, edits: [{ old_string: old, new_string: now }], message });
}

/** Opens a page, and waits until it follows changes. */
async function follow(page: Page, address: string): Promise<void> {
  const begun = page.waitForResponse((response) => response.url().endsWith('/live'));
  await page.goto(address);
  await begun;
}

const status = (page: Page) => page.locator('.live-status [role=status]');
const marked = (page: Page) => page.locator('[data-changed]');

describe.each([
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
])('on %s', (size, options) => {
  const path = `Long on ${size}`;
  const address = `/main/${encodeURIComponent(path)}`;

  beforeAll(() => call('write_page', { path, content: longText() }));

  async function openPage(): Promise<Page> {
    const page = await lab.open(options);
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      // Chromium logs each 404: there is no icon, and pages go.
      const isMissing = message.text().includes('status of 404');
      if (message.type() === 'error' && !isMissing) problems.push(message.text());
    });
    onTestFinished(() => expect(problems).toEqual([]));
    return page;
  }

  test('what an agent writes appears, is marked and announced, and nothing else is touched', async () => {
    const page = await openPage();
    await follow(page, address);
    await page.evaluate(`globalThis.first = document.querySelector('article p')`);
    await rewrite(path, 'Number 3.', 'Number 3, changed.');
    await page.getByText('Number 3, changed.').waitFor();
    expect(await marked(page).allTextContents()).toEqual(['Number 3, changed.']);
    expect(await status(page).textContent()).toBe(
      'Page updated by Ada Lovelace through raw-client/0.1. See the change',
    );
    expect(await page.evaluate(`globalThis.first.isConnected`)).toBe(true);
    await page.getByRole('main').getByRole('link', { name: 'See the change' }).last().click();
    expect(await page.locator('ins').allTextContents()).toEqual(['Number 3, changed.']);
    await call('write_page', { path, content: longText(), allow_shrink: true, ...(await versionOf(path)) });
  });

  test('of a list and a table only the items and rows that changed are marked', async () => {
    const page = await openPage();
    await follow(page, address);
    await rewrite(path, '- two\n', '- two\n- and a half\n');
    await page.getByText('and a half').waitFor();
    expect(await marked(page).allTextContents()).toEqual(['and a half']);
    await rewrite(path, '| 3 | 4 |', '| 3 | four |');
    await page.getByText('four').waitFor();
    expect((await marked(page).allTextContents()).map((text) => text.replace(/\s+/g, ''))).toEqual([
      'andahalf',
      '3four',
    ]);
    await page.getByRole('button', { name: 'Hide' }).click();
    expect(await status(page).textContent()).toBe('');
  });

  test('the text stays where the reader has it, also if the page above it grows, shrinks or changes', async () => {
    const page = await openPage();
    await follow(page, address);
    const place = page.getByText('Number 40.', { exact: true });
    await place.evaluate((element) => element.scrollIntoView({ block: 'start' }));
    const top = async () => (await place.boundingBox())?.y;
    const before = await top();
    const more = Array.from({ length: 20 }, (_, at) => `Above ${at}.`).join('\n\n');
    await rewrite(path, 'Number 10.', `Number 10.\n\n${more}`);
    await page.getByText('Above 19.').waitFor();
    expect(await top()).toBeCloseTo(before ?? Number.NaN, 0);
    await rewrite(path, `${more}\n\n`, '');
    await page.getByText('Above 19.').waitFor({ state: 'detached' });
    expect(await top()).toBeCloseTo(before ?? Number.NaN, 0);
  });

  test('what a person has typed stays, and so does the focus', async () => {
    const page = await openPage();
    await follow(page, address);
    const field = page.getByRole('searchbox', { name: 'Search in this wiki' });
    await field.pressSequentially('half a wor');
    await rewrite(path, 'The end.', 'The very end.');
    await page.getByText('The very end.').waitFor();
    await field.pressSequentially('d');
    expect(await field.inputValue()).toBe('half a word');
    await rewrite(path, 'The very end.', 'The end.');
  });

  test('a page that is moved or deleted says so, with a link', async () => {
    const page = await openPage();
    const [old, next] = [`Old on ${size}`, `New on ${size}`];
    await call('write_page', { path: old, content: '# Old\n\nHere.\n' });
    await follow(page, `/main/${encodeURIComponent(old)}`);
    await call('move_page', { path: old, new_path: next });
    await page.getByText('This page was moved to').waitFor();
    expect(await page.getByText('Here.').isVisible()).toBe(true);
    await page.getByRole('main').getByRole('link', { name: next }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/main/${encodeURIComponent(next)}`);
    await call('delete_page', { path: next, ...(await versionOf(next)) });
    await page.getByText('This page was deleted.').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'See its history' }).click();
    expect(await page.getByRole('main').textContent()).toContain('deleted here');
  });

  test('a page that sleeps catches up when it is seen again', async () => {
    const page = await openPage();
    await follow(page, address);
    await setVisibility(page, 'hidden');
    await rewrite(path, 'The end.', 'The end, for now.');
    await rewrite(path, 'Number 7.', 'Number 7, too.');
    await setVisibility(page, 'visible');
    await page.getByText('Number 7, too.').waitFor();
    expect((await marked(page).allTextContents()).toSorted()).toEqual([
      'Number 7, too.',
      'The end, for now.',
    ]);
    await rewrite(path, 'The end, for now.', 'The end.');
    await page.getByText('The end.', { exact: true }).waitFor();
  });

  test('without JavaScript a page is as it was, and the view of what happens now is a list', async () => {
    const page = await lab.open({ ...options, javaScriptEnabled: false });
    await page.goto(address);
    expect(await page.locator('.live-status').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Wiki' }).getByRole('link', { name: 'Now' }).click();
    expect(await page.locator('.changes > li').count()).toBeGreaterThan(3);
  });

  test('the view of now shows the changes of all wikis as they come: by which agent, who and why', async () => {
    const page = await openPage();
    const wiki = `on-${size.replace(/^a /, '')}`;
    await call('create_wiki', { wiki });
    await follow(page, '/_/now');
    await call('write_page', { wiki, path: 'News', content: 'x\n', message: `Report the news on ${size}` });
    const first = page.locator('.changes > li').first();
    await first.getByText(`Report the news on ${size}`).waitFor();
    expect(await first.textContent()).toMatch(/Ada Lovelace\s+through raw-client\/0\.1/);
    expect(await first.getAttribute('data-changed')).toBe('');
    expect(await status(page).textContent()).toContain('updated by Ada Lovelace through raw-client/0.1');
    await first.getByRole('link', { name: 'News', exact: true }).click();
    expect(new URL(page.url()).pathname).toBe(`/${wiki}/News`);
    await page.goBack();
    await page.getByRole('link', { name: 'raw-client/0.1' }).first().click();
    await page.getByText('Only changes through raw-client/0.1').waitFor();
  });
});

test('a page goes on after the server was started again, and misses nothing', async () => {
  const path = 'Restarted';
  await call('write_page', { path, content: 'one\n' });
  const first = new ServedWeb(['--port', '0', '--dir', lab.directory]);
  const base = await first.address();
  onTestFinished(async () => {
    await first.stop('SIGKILL');
  });
  const page = await lab.open({ ...DESKTOP, baseURL: base });
  await follow(page, `/main/${path}`);
  await call('append_to_page', { path, content: 'two' });
  await page.getByText('two').waitFor();
  await first.stop();
  await call('append_to_page', { path, content: 'three' });
  const second = new ServedWeb(['--port', new URL(base).port, '--dir', lab.directory]);
  onTestFinished(async () => {
    await second.stop('SIGKILL');
  });
  await second.address();
  await page.getByText('three').waitFor();
  await call('append_to_page', { path, content: 'four' });
  await page.getByText('four').waitFor();
  expect(await page.getByText('two').count()).toBe(1);
});

test('axe finds no problem on a page with marks and a message', async () => {
  const path = 'Marked';
  await call('write_page', { path, content: '# Marked\n\nOne.\n\n- two\n\n| a |\n| - |\n| b |\n' });
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await lab.open({ ...DESKTOP, colorScheme, reducedMotion: 'reduce' });
    await follow(page, `/main/${path}`);
    await rewrite(path, 'One.', `One in ${colorScheme} more.`);
    await rewrite(path, '| b |', `| b |\n| ${colorScheme} |`);
    await page.getByRole('cell', { name: colorScheme }).waitFor();
    expect(await marked(page).count()).toBe(2);
    expect(
      await marked(page)
        .first()
        .evaluate((block) => getComputedStyle(block).animationName),
    ).toBe('none');
    await page.evaluate(axe.source);
    const found = await page.evaluate<{ violations: { id: string }[] }>('axe.run()');
    expect(found.violations.map(({ id }) => id)).toEqual([]);
    await rewrite(path, `One in ${colorScheme} more.`, 'One.');
  }
});

test('many changes at once end with the last one, and a script in a change does not run', async () => {
  const page = await lab.open(DESKTOP);
  await call('write_page', { path: 'Busy', content: 'begin\n' });
  await follow(page, '/main/Busy');
  for (let at = 0; at < 30; at += 1) await call('append_to_page', { path: 'Busy', content: `\nLine ${at}` });
  const attack =
    '\n<img src="x" onerror="globalThis.hacked = 1"><script>globalThis.hacked = 1</script>\n\n[x](javascript:globalThis.hacked=1)\n\nLast line';
  await call('append_to_page', { path: 'Busy', content: attack });
  await page.getByText('Last line').waitFor();
  for (let at = 0; at < 30; at += 1) await page.getByText(`Line ${at}`, { exact: true }).waitFor();
  await setTimeout(200);
  expect(await page.evaluate('globalThis.hacked')).toBeUndefined();
});

async function versionOf(path: string): Promise<{ version: string }> {
  calls += 1;
  agent.callTool(calls, 'read_page', { path });
  const answer = JSON.stringify(await agent.answerTo(calls));
  return { version: /"version":"([0-9a-f]{40})"/.exec(answer)?.[1] ?? '' };
}

/** As a browser does for a tab that is not shown. Chromium without a window shows all. */
async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
     Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${state === 'hidden'} });
     document.dispatchEvent(new Event('visibilitychange'));`,
  );
}
