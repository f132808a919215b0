import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { git } from '../../wiki/test/native-git.ts';
import { openLab } from './open-lab.ts';
import { ServedWeb } from './served-web.ts';
import { OPPOSITE_WAYS, WAYS } from './ways.ts';

const lab = openLab(async (directory) => {
  for (const [wiki, commits] of Object.entries(WIKIS)) {
    const repository = join(directory, `${wiki}.git`);
    git(directory, ['init', '--quiet', '--bare', '--initial-branch=main', repository]);
    git(repository, ['fast-import', '--quiet'], commits.map(importedCommit).join(''));
  }
});

/** Nothing here needs a script. */
describe.each(sampled(WAYS, OPPOSITE_WAYS.slice(1)))('$name', ({ options }) => {
  test('a part of another page and callouts are seen in a page, and a folded one opens', async () => {
    const page = await lab.open(options);
    await page.goto('/main/Plan');
    const embed = page.locator('.embed');
    expect(await embed.textContent()).toContain('Run the new installer.');
    expect(await embed.textContent()).not.toContain('Say hello.');
    const warning = page.locator('.callout-warning');
    expect((await warning.textContent())?.trim()).toMatch(/^Careful\s+Ask first\.$/);
    const folded = page.getByText('Three steps.');
    expect(await folded.isVisible()).toBe(false);
    await page.getByText('How long it takes').click();
    expect(await folded.isVisible()).toBe(true);
    await embed.getByRole('link').first().click();
    expect(page.url()).toBe(`${lab.baseURL}/main/Guide#install`);
  });

  test('on paper there is the text, and nothing to click on', async () => {
    const page = await lab.open(options);
    const controls = ['banner', 'navigation', 'complementary', 'button', 'radio', 'searchbox'] as const;
    const count = async () => {
      const counts = controls.map((role) => page.getByRole(role).count());
      return Object.fromEntries((await Promise.all(counts)).map((number, at) => [controls[at], number]));
    };
    await page.goto('/main/Guide');
    expect(await count()).toMatchObject({
      banner: 1,
      navigation: 4,
      complementary: 1,
      button: 1,
      searchbox: 1,
    });
    await page.emulateMedia({ media: 'print' });
    const none = { banner: 0, navigation: 0, complementary: 0, button: 0, radio: 0, searchbox: 0 };
    expect(await count()).toEqual(none);
    expect(await page.getByText('Run the new installer.').isVisible()).toBe(true);
    for (const address of ['/main/Guide?view=history', '/_/main/changes', '/_/main/search?q=words']) {
      await page.goto(address);
      expect(await count(), address).toEqual(none);
    }
  });

  test('a page is shown as it was on a day, with the name that it had', async () => {
    const page = await lab.open(options);
    await page.goto('/main/notes/New?view=history');
    await page.getByLabel('The page on').fill('2025-02-01');
    await page.getByRole('button', { name: 'Show' }).click();
    expect(await page.locator('.notice').textContent()).toContain('This is the page as it was');
    expect(await page.getByRole('article').textContent()).toContain('First words.');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Old');
    await page.getByRole('link', { name: 'See the page as it is now' }).click();
    expect(await page.getByRole('article').textContent()).toContain('Later words.');
    await page.goto('/main/notes/New?at=2024-12-31');
    expect(await page.getByRole('main').textContent()).toContain('was not there on 2024-12-31');
  });

  test('another wiki is reached from the pages of this one, and shows only its own', async () => {
    const page = await lab.open(options);
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Wiki' }).getByRole('link', { name: 'Pages' }).click();
    await page.getByRole('link', { name: 'second' }).click();
    expect(page.url()).toBe(`${lab.baseURL}/second/Home`);
    expect(await page.getByRole('article').textContent()).toContain('Words elsewhere.');
    await search(page, 'words');
    expect(await found(page)).toEqual(['Home']);
    await page.getByRole('navigation', { name: 'Wiki' }).getByRole('link', { name: 'Changes' }).click();
    expect(await page.locator('.message').allTextContents()).toEqual(['Begin elsewhere']);
  });

  test('a search is narrowed by folder, tag, day, author and agent', async () => {
    const page = await lab.open(options);
    await page.goto('/main/Guide');
    await search(page, 'words');
    expect(await found(page)).toEqual(['Guide', 'Secret/Vault', 'notes/New', 'notes/Open']);
    const labels = ['Folder', 'Tag', 'Changed from', 'Changed to', 'Last changed by', 'Through agent'];
    const narrowed = async (filters: Record<string, string>) => {
      for (const label of labels) await page.getByLabel(label, { exact: true }).fill(filters[label] ?? '');
      await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
      return found(page);
    };
    expect(await narrowed({ Folder: 'notes/' })).toEqual(['notes/New', 'notes/Open']);
    expect(await narrowed({ Tag: 'guide' })).toEqual(['Guide']);
    expect(await narrowed({ 'Changed from': '2025-03-02' })).toEqual(['notes/New']);
    const between = { 'Changed from': '2025-03-01', 'Changed to': '2025-03-01' };
    expect(await narrowed(between)).toEqual(['Guide']);
    expect(await narrowed({ ...between, Tag: 'other' })).toEqual([]);
    expect(await page.getByRole('main').getByRole('status').textContent()).toBe('No page was found.');
    expect(await narrowed({ 'Last changed by': 'grace' })).toEqual(['Secret/Vault']);
    expect(await narrowed({ 'Through agent': 'c' })).toEqual(['Guide', 'notes/New']);
    expect(await narrowed({ 'Last changed by': 'Alan', 'Through agent': 'claude' })).toEqual([]);
    expect(await page.getByLabel('Through agent').inputValue()).toBe('claude');
  });

  test('with --scope nothing of the rest is seen: not in the tree, by search, as a backlink or in a history', async () => {
    const limited = new ServedWeb(['--port', '0', '--dir', lab.directory, '--scope', 'notes/']);
    onTestFinished(async () => {
      await limited.stop();
    });
    const page = await lab.open({ ...options, baseURL: await limited.address() });
    const whole = await lab.open(options);
    const seenBy = async (each: Page) => {
      const seen: string[] = [];
      for (const [address, secret] of Object.entries(SECRETS)) {
        await each.goto(address);
        if ((await each.content()).includes(secret)) seen.push(address);
      }
      return seen;
    };
    expect(await seenBy(whole)).toEqual(Object.keys(SECRETS));
    expect(await seenBy(page)).toEqual([]);
    await page.goto('/main/notes/Open');
    expect(await page.getByRole('article').textContent()).toContain('Words for all.');
    expect(await page.getByRole('navigation', { name: 'Folders' }).textContent()).not.toContain('Secret');
    const statuses = ['/main/Secret/Vault', '/main/Secret/', '/_/main/files/Secret/map.txt'].map(
      async (address) => (await page.request.get(address)).status(),
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });
});

async function found(page: Page): Promise<string[]> {
  return (await page.locator('.hits .path').allTextContents()).toSorted();
}

async function search(page: Page, words: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search in this wiki' }).fill(words);
  await page.getByRole('button', { name: 'Search' }).first().click();
}

/** What each address shows of the secret page in a wiki without a scope. */
const SECRETS: Readonly<Record<string, string>> = {
  '/main/Secret/': 'Vault',
  '/main/notes/Open': 'Secret/Vault',
  '/_/main/search?q=treasure': 'Secret/Vault',
  '/_/main/changes': 'Hide it',
  '/_/main/tags?tag=hidden': 'Secret/Vault',
  '/_/main/problems?kind=orphan': 'Secret/Vault',
  '/main/Secret/Vault?view=history': 'Hide it',
  '/main/Secret/Vault?view=blame': 'treasure is',
};

interface ImportedCommit {
  day: string;
  author: string;
  message: string;
  /** Lines of git fast-import, or files by their paths. */
  moves?: readonly string[];
  files?: Readonly<Record<string, string>>;
}

const GUIDE = (age: string) =>
  `---\ntags: [guide]\n---\n# Guide\n\nSome words.\n\n## Install\n\nRun the ${age} installer.\n\n## After\n\nSay hello.\n`;

const WIKIS: Readonly<Record<string, readonly ImportedCommit[]>> = {
  main: [
    {
      day: '2025-01-01',
      author: 'Ada',
      message: 'Begin',
      files: {
        'Home.md': '# Home\n\n[[Guide]]\n',
        'Guide.md': GUIDE('old'),
        'Plan.md':
          '# Plan\n\n![[Guide#Install]]\n\n> [!warning] Careful\n> Ask first.\n\n> [!note]- How long it takes\n> Three steps.\n',
        'notes/Open.md': '# Open\n\nWords for all.\n',
      },
    },
    { day: '2025-01-02', author: 'Ada', message: 'Note it', files: { 'Old.md': '# Old\n\nFirst words.\n' } },
    {
      day: '2025-01-03',
      author: 'Grace',
      message: 'Hide it',
      files: {
        'Secret/Vault.md': '# Vault\n\nThe treasure is here: words. #hidden [[notes/Open]]\n',
        'Secret/map.txt': 'The treasure is there.\n',
      },
    },
    {
      day: '2025-03-01',
      author: 'Alan',
      message: 'Use the new installer\n\nAgent: cursor/1.4',
      files: { 'Guide.md': GUIDE('new') },
    },
    { day: '2025-05-01', author: 'Ada', message: 'Move it', moves: ['R Old.md notes/New.md'] },
    {
      day: '2025-06-01',
      author: 'Ada',
      message: 'Go on\n\nAgent: claude-code/2.1',
      files: { 'notes/New.md': '# New\n\nLater words.\n' },
    },
  ],
  second: [
    {
      day: '2025-01-01',
      author: 'Ada',
      message: 'Begin elsewhere',
      files: { 'Home.md': '# Home\n\nWords elsewhere.\n' },
    },
  ],
};

function importedCommit({ day, author, message, moves = [], files = {} }: ImportedCommit): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const signature = `${author} <${author.toLowerCase()}@example.org> ${Date.parse(`${day}T12:00:00Z`) / 1000} +0000`;
  const changes = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
  return [
    `commit refs/heads/main\nauthor ${signature}\ncommitter ${signature}\n${data(message)}`,
    ...moves.map((line) => `${line}\n`),
    ...changes,
    '\n',
  ].join('');
}
