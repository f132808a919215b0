import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { SdkClient } from '../../../mcp-server/test/sdk-client.ts';
import { git, gitBytes } from '../../../wiki/test/native-git.ts';
import { launchWithProfile } from '../open-chromium.ts';
import { openLab } from '../open-lab.ts';
import { DESKTOP } from '../ways.ts';

const ODD: Readonly<Record<string, string>> = {
  CRLF: 'one\r\ntwo\r\nthree\r\n',
  'mixed ends': 'one\r\ntwo\nthree\rfour',
  'BOM and NUL': '\uFEFFone\0\ntwo\n\n\tthree \n',
};

const lab = openLab(async (directory) => {
  const repository = join(directory, 'main.git');
  git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
  const pages = { ...ODD, Race: PARTS.map((part) => `${part}: 0\n`).join('\n') };
  const files = Object.entries(pages).map(
    ([path, text]) =>
      `M 100644 inline ${JSON.stringify(`${path}.md`)}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const signature = 'Ada <ada@example.org> 1735732800 +0000';
  const head = `commit refs/heads/main\nauthor ${signature}\ncommitter ${signature}\ndata 5\nBegin\n`;
  git(repository, ['fast-import', '--quiet'], head + files.join(''));
});
const PARTS = ['Anna', 'Bert', 'Agent', 'Shared'];
const wiki = () => join(lab.directory, 'main.git');

test('the editor keeps every byte of a page that is saved as it is, and the line ends of one that is edited', async () => {
  const page = await lab.open(DESKTOP);
  const saved = (path: string) => gitBytes(wiki(), ['show', `HEAD:${path}.md`]).toString();
  for (const [path, text] of Object.entries(ODD)) {
    await page.goto(`/main/${encodeURIComponent(path)}?view=edit`);
    await page.getByLabel('Text, in Markdown').press('Control+s');
    await page.waitForURL(`**/main/${encodeURIComponent(path)}`);
    expect(saved(path)).toBe(text);
    await page.goto(`/main/${encodeURIComponent(path)}?view=edit`);
    await page.getByText('two', { exact: true }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Control+s');
    await page.waitForURL(`**/main/${encodeURIComponent(path)}`);
    expect(saved(path)).toBe(text.replace('two', 'two!'));
  }
});

test('what was typed outlives a browser that is killed', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'pagetree-profile-'));
  onTestFinished(() => rmSync(profile, { recursive: true }));
  const first = await launchWithProfile(profile);
  await first.page.goto(`${lab.baseURL}/main/Killed?view=edit`);
  await first.page.getByLabel('Text, in Markdown').fill('typed before the crash');
  await first.page.getByText('This browser keeps the text').waitFor();
  await first.kill();
  const second = await launchWithProfile(profile);
  onTestFinished(() => second.kill());
  await second.page.goto(`${lab.baseURL}/main/Killed?view=edit`);
  await second.page.getByRole('button', { name: 'Restore' }).click();
  expect(await sentText(second.page)).toBe('typed before the crash');
});

test('two people in browsers and an agent write one page at once: nothing is lost, and conflicts are shown', async () => {
  const agent = await openAgent();
  const people = await Promise.all(
    ['Anna', 'Bert'].map(async (name) => ({ name, page: await lab.open(DESKTOP) })),
  );
  const end = Date.now() + sampled(60_000, 4_000);
  const written = await Promise.all([
    ...people.map(({ name, page }) => personWrites(page, name, end)),
    agentWrites(agent, end),
  ]);
  const history = git(wiki(), ['log', '-p', '--format=', '--', 'Race.md']);
  const added = new Set(history.split('\n').flatMap((line) => /^\+\w+: (\w+-\d+)$/.exec(line)?.[1] ?? []));
  const saved = written.flatMap((each) => each.saved);
  process.stderr.write(
    `writers ${JSON.stringify({ saved: written.map((each) => each.saved.length), conflicts: written.map((each) => each.conflicts) })}\n`,
  );
  for (const each of written) expect(each.saved.length).toBeGreaterThan(0);
  expect(saved.filter((token) => !added.has(token))).toEqual([]);
  git(wiki(), ['fsck', '--strict']);

  // A text that was refused and never saved is on the screen, and in the draft after the tab is closed.
  const page = people[0]?.page;
  if (page === undefined) throw new Error('Nobody writes.');
  await page.goto('/main/Race?view=edit');
  await fillText(page, put(await sentText(page), 'Shared', 'refused-1'));
  await replaceLine(agent, 'Shared', 'quicker-1');
  expect(await saves(page)).toBe(false);
  expect(await shownTexts(page)).toContain('refused-1');
  const context = page.context();
  await page.close();
  const again = await context.newPage();
  await again.goto('/main/Race?view=edit');
  expect(await sentText(again)).toContain('quicker-1');
  await again.getByRole('button', { name: 'Restore' }).click();
  expect(await sentText(again)).toContain('refused-1');
  expect(git(wiki(), ['show', 'HEAD:Race.md'])).not.toContain('refused-1');
});

interface Written {
  /** What the writer was shown as saved. */
  saved: string[];
  conflicts: number;
}

/** Writes lines of their own and the shared one, in turn, and goes on after each conflict until the text is saved. */
async function personWrites(page: Page, name: string, end: number): Promise<Written> {
  const written: Written = { saved: [], conflicts: 0 };
  for (let round = 1; Date.now() < end; round += 1) {
    const token = `${name}-${round}`;
    await page.goto('/main/Race?view=edit');
    await fillText(page, put(await sentText(page), round % 2 === 0 ? name : 'Shared', token));
    while (!(await saves(page))) {
      written.conflicts += 1;
      expect(await shownTexts(page)).toContain(token);
      const text = await sentText(page);
      await fillText(page, text.replaceAll(/^(?:<{7} yours|={7}|>{7} theirs)\n/gm, ''));
    }
    written.saved.push(token);
  }
  return written;
}

/** True if the page was shown after it, false if the form came back. */
async function saves(page: Page): Promise<boolean> {
  await page.locator('form.write').evaluate((form) => form.setAttribute('data-sent', ''));
  const answered = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Save' }).click();
  const status = (await answered).status();
  if (status === 303) {
    await page.waitForURL('**/main/Race');
    return true;
  }
  expect(status).toBe(409);
  await page.locator('form.write:not([data-sent])').waitFor();
  expect(await page.getByRole('alert').textContent()).toContain('Somebody changed this page');
  return false;
}

async function openAgent(): Promise<SdkClient> {
  const main = fileURLToPath(new URL('../../../mcp-server/src/main.ts', import.meta.url));
  const agent = new SdkClient(process.execPath, [main, '--dir', lab.directory]);
  onTestFinished(() => agent.client.close());
  return agent.connect();
}

async function agentWrites(agent: SdkClient, end: number): Promise<Written> {
  const written: Written = { saved: [], conflicts: 0 };
  for (let round = 1; Date.now() < end; round += 1) {
    const token = `Agent-${round}`;
    written.conflicts += await replaceLine(agent, round % 2 === 0 ? 'Agent' : 'Shared', token);
    written.saved.push(token);
  }
  return written;
}

/** Returns the number of conflicts before it was saved. */
async function replaceLine(agent: SdkClient, part: string, token: string): Promise<number> {
  for (let conflicts = 0; ; conflicts += 1) {
    const { content, version } = await agent.ok('read_page', { wiki: 'main', path: 'Race' });
    const input = { wiki: 'main', path: 'Race', content: put(String(content), part, token), version };
    const answer = await agent.call('write_page', input);
    if (answer.isError !== true) return conflicts;
    expect(JSON.stringify(answer.content)).toContain('version_conflict');
  }
}

function put(text: string, part: string, token: string): string {
  return text.replace(new RegExp(`^${part}: .*$`, 'm'), `${part}: ${token}`);
}

function fillText(page: Page, text: string): Promise<void> {
  return page.getByLabel('Text, in Markdown').fill(text);
}

function sentText(page: Page): Promise<string> {
  return page.locator('textarea[name="content"]').inputValue();
}

/** The text to go on with, and that of both sides. */
function shownTexts(page: Page): Promise<string> {
  return page
    .locator('textarea')
    .evaluateAll((all) => all.map((area) => (area as HTMLTextAreaElement).value).join('\n'));
}
