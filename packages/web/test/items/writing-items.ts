import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { boxOf, type Item } from './item.ts';

/** Everything that a person writes. Each works on pages of its own, since the wiki is that of all items. */
export const WRITING_ITEMS: readonly Item[] = [
  {
    sees: 'a page that they write from a link, preview, save and change',
    at: '/main/',
    async check({ page, article, main }) {
      const name = uniqueName('Notes');
      await make(page, `Guides/${name}`, `See [[${name} 2]].\n`);
      await article.getByRole('link', { name: `${name} 2` }).click();
      await page.waitForURL('**view=edit*');
      await page.getByLabel('Text, in Markdown').fill(`# Second\n\nA *word* and [[${name}]].\n`);
      await page.getByRole('button', { name: 'Preview' }).click();
      await article.getByRole('heading', { name: 'Second' }).waitFor();
      expect(await article.locator('em').textContent()).toBe('word');
      await page.getByLabel('Why, for the history').fill('Go on there');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/main/Guides/${encodeURIComponent(`${name} 2`)}`);
      expect(await page.locator('.last-change').textContent()).toMatch(/ by [^“]+: “Go on there”/);
      expect(await page.locator('.last-change').textContent()).not.toContain('through');
      await article.getByRole('link', { name }).click();
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.waitForURL('**view=edit*');
      await page.getByLabel('Text, in Markdown').press('Control+End');
      await page.getByLabel('Text, in Markdown').pressSequentially('One more line.');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/main/Guides/${encodeURIComponent(name)}`);
      expect(await main.textContent()).toContain('One more line.');
    },
  },
  {
    sees: 'both changes when somebody else was quicker, and saves them',
    at: '/main/',
    async check({ page, article }) {
      const name = uniqueName('Race');
      await make(page, name, 'one\n\ntwo\n\nthree\n');
      const other = await page.context().newPage();
      for (const each of [page, other]) await each.goto(`/main/${name}?view=edit`);
      await save(other, 'one\n\ntwo\n\ntheirs\n');
      await other.waitForURL(`**/main/${name}`);
      await save(page, 'mine\n\ntwo\n\nthree\n');
      expect(await page.getByRole('alert').textContent()).toContain('Both changes are in the text below');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/main/${name}`);
      expect(await article.getByRole('paragraph').allTextContents()).toEqual(['mine', 'two', 'theirs']);
    },
  },
  {
    sees: 'what changes with a move, moves a page, deletes it and restores it',
    at: '/main/',
    async check({ page, article, main }) {
      const name = uniqueName('Move');
      await make(page, name, 'Words.\n');
      await make(page, `${name} linking`, `[[${name}]]\n`);
      await page.goto(`/main/${name}`);
      await page.getByRole('link', { name: 'Move or rename' }).click();
      await page.getByLabel('New path, with its folders').fill(`Guides/${name} moved`);
      await page.getByRole('button', { name: 'See what changes' }).click();
      const plan = page.getByRole('region', { name: 'What changes' });
      expect(await plan.getByRole('link').allTextContents()).toEqual([`${name} linking`]);
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await page.waitForURL(`**/main/Guides/${encodeURIComponent(`${name} moved`)}`);
      await page.getByRole('link', { name: 'Delete' }).click();
      expect(await main.textContent()).toContain(`${name} linking`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.waitForURL('**view=history');
      await page.getByRole('link', { name: 'Restore it' }).first().click();
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.waitForURL(`**/main/Guides/${encodeURIComponent(`${name} moved`)}`);
      expect(await article.textContent()).toContain('Words.');
    },
  },
  {
    sees: 'a file that they add, in a page',
    at: '/main/',
    async check({ page, main }) {
      const name = `${uniqueName('dot')}.svg`;
      await main.getByRole('link', { name: 'Add a file' }).click();
      const buffer = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>');
      await page.getByLabel(/^File, of/).setInputFiles({ name, mimeType: 'image/svg+xml', buffer });
      await page.getByRole('button', { name: 'Store' }).click();
      const written = await page.getByRole('status').locator('code').textContent();
      expect(written).toBe(`![[${name}]]`);
      await make(page, uniqueName('Shows a dot'), `${written}\n`);
      expect(await page.getByRole('img', { name }).isVisible()).toBe(true);
    },
  },
  {
    sees: 'what undoing a change does, and what of others it leaves, and undoes it',
    at: '/main/',
    async check({ page, article, main, way }) {
      const name = uniqueName('Undo');
      await make(page, name, 'one\n\ntwo\n\nthree\n');
      for (const text of ['ONE\n\ntwo\n\nthree\n', 'ONE\n\ntwo\n\nTHREE\n']) {
        await page.goto(`/main/${name}?view=edit`);
        await save(page, text);
        await page.waitForURL(`**/main/${name}`);
      }
      await page.goto(`/main/${name}?view=history`);
      await main.getByRole('link', { name: 'Undo it' }).nth(1).click();
      expect(await main.textContent()).toContain('What others changed here since stays.');
      await main.getByText('The change', { exact: true }).click();
      const [undo, theirs] = await Promise.all([
        boxOf(main.locator('.both > div').first()),
        boxOf(main.locator('.both > div').last()),
      ]);
      if (way.isDesktop) expect(theirs.x).toBeGreaterThanOrEqual(undo.x + undo.width);
      else expect(theirs.y).toBeGreaterThanOrEqual(undo.y + undo.height);
      await main.getByRole('button', { name: 'Undo' }).click();
      await page.waitForURL('**/commits/*');
      await page.goto(`/main/${name}`);
      expect(await article.getByRole('paragraph').allTextContents()).toEqual(['one', 'two', 'THREE']);
      await page.goto('/_/main/changes');
      await main.getByRole('link', { name: 'Undo what somebody did' }).click();
      await page.getByLabel('Author').fill('nobody of this name');
      await page.getByLabel('Since').fill('yesterday');
      await main.getByRole('button', { name: 'See what that undoes' }).click();
      expect(await main.getByRole('status').textContent()).toBe('There are none.');
    },
  },
  {
    sees: 'the likely pages for a broken and an ambiguous link, what choosing one changes, and fixes them',
    at: '/main/',
    async check({ page, article, main }) {
      const name = uniqueName('Fix');
      await make(page, `A/${name}`, 'The one.\n');
      await make(page, `B/${name}`, 'The other.\n');
      await make(page, `${name} plan`, `[[B/${name}x]] and [[${name}]]\n`);
      const finding = main.locator('.findings > li').filter({ hasText: `${name} plan` });
      await page.goto('/_/main/problems');
      await finding.getByRole('link', { name: 'Fix it' }).click();
      expect(await page.getByRole('radio').first().isChecked()).toBe(true);
      await page.getByLabel(`B/${name}`, { exact: true }).check();
      await page.getByRole('button', { name: 'See what changes' }).click();
      const plan = page.getByRole('region', { name: 'What changes' });
      expect(await plan.locator('ins').textContent()).toContain(`[[B/${name}]] and`);
      await page.getByRole('button', { name: 'Fix it' }).click();
      await page.waitForURL(`**/main/${encodeURIComponent(`${name} plan`)}`);
      await page.goto('/_/main/problems?kind=ambiguous_link');
      await finding.getByRole('link', { name: 'Fix it' }).click();
      await page.getByLabel(`B/${name}`, { exact: true }).check();
      await page.getByRole('button', { name: 'See what changes' }).click();
      await page.getByRole('button', { name: 'Fix it' }).click();
      await page.waitForURL(`**/main/${encodeURIComponent(`${name} plan`)}`);
      const addresses = await article
        .getByRole('link')
        .evaluateAll((links) => links.map((each) => each.getAttribute('href')));
      expect(addresses).toEqual([`/main/B/${name}`, `/main/B/${name}`]);
    },
  },
  {
    sees: 'the line that mentions an orphan page, what a link there changes, and makes it',
    at: '/main/',
    async check({ page, article, main }) {
      const name = uniqueName('Orphan');
      await make(page, name, 'Alone.\n');
      await make(page, `${name}2`, `Words about ${name.toUpperCase()} here.\n`);
      await page.goto('/_/main/problems?kind=orphan');
      await main
        .locator('.findings > li')
        .filter({ hasText: `${name} No` })
        .getByRole('link', { name: 'Fix it' })
        .click();
      expect(await page.getByRole('radio').isChecked()).toBe(true);
      expect(await page.locator('fieldset mark').textContent()).toBe(name.toUpperCase());
      await page.getByRole('button', { name: 'See what changes' }).click();
      const plan = page.getByRole('region', { name: 'What changes' });
      expect(await plan.locator('ins').textContent()).toContain(`[[${name}|`);
      await page.getByRole('button', { name: 'Fix it' }).click();
      await page.waitForURL(`**/main/${name}2`);
      await article.getByRole('link', { name: name.toUpperCase() }).click();
      await page.waitForURL(`**/main/${name}`);
    },
  },
  {
    sees: 'how two near-copies differ, keeps one, and finds its links there',
    at: '/main/',
    async check({ page, article, main }) {
      const name = uniqueName('Copy');
      const text = Array.from({ length: 40 }, (_, at) => `${name}x${at}`).join(' ');
      await make(page, `${name}1`, `${text}\n`);
      await make(page, `${name}2`, `${text} more\n`);
      await make(page, `${name} linking`, `[[${name}1]]\n`);
      await page.goto('/_/main/problems?kind=near_copy');
      await main.getByRole('link', { name: `Compare with ${name}2` }).click();
      const plan = page.getByRole('region', { name: 'What changes' });
      expect(await plan.getByRole('link').allTextContents()).toEqual([`${name} linking`]);
      expect(await plan.locator('ins').textContent()).toContain('more');
      await page.getByRole('button', { name: `Delete ${name}1` }).click();
      await page.waitForURL(`**/main/${name}2`);
      await page.goto(`/main/${encodeURIComponent(`${name} linking`)}`);
      await article.getByRole('link', { name: `${name}1` }).click();
      await page.waitForURL(`**/main/${name}2`);
    },
  },
];

function uniqueName(kind: string): string {
  return `${kind}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Makes a page by the form of the root folder. */
async function make(page: Page, path: string, text: string): Promise<void> {
  await page.goto('/main/');
  await page.getByLabel('New page').fill(path);
  await page.getByRole('button', { name: 'Write it' }).click();
  await save(page, text);
  await page.waitForURL(`**/main/${path.split('/').map(encodeURIComponent).join('/')}`);
}

/** Waits for the script, which puts the editor in the place of the text area. */
async function save(page: Page, text: string): Promise<void> {
  await page.waitForURL('**view=edit*');
  await page.getByLabel('Text, in Markdown').fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
}
