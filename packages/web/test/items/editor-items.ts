import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Item } from './item.ts';

/** All that the script adds to the form for text. Each works on a page of its own. */
export const EDITOR_ITEMS: readonly Item[] = [
  {
    sees: 'colors of Markdown, a search, an undo, and a save by Ctrl+S; Tab leaves the text',
    at: '/main/',
    async check({ page, article, way }) {
      const { text, name } = await openNew(page);
      await text.fill('# Title\n\nfirst **bold**');
      expect(await page.getByText('Ctrl+S saves').isVisible()).toBe(way.isDesktop);
      const weight = await page
        .getByText('bold', { exact: true })
        .evaluate((e) => getComputedStyle(e).fontWeight);
      expect(Number(weight)).toBeGreaterThanOrEqual(700);
      await text.press('Control+z');
      expect(await sentText(page)).not.toContain('bold');
      await text.press('Control+y');
      expect(await sentText(page)).toBe('# Title\n\nfirst **bold**');
      await text.press('Control+f');
      await page.getByRole('textbox', { name: 'Find' }).fill('first');
      await page.locator('.cm-searchMatch').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.id')).toBe('ui.message');
      await page.keyboard.press('Shift+Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('editor');
      await page.keyboard.press('Control+s');
      await page.waitForURL(`**/main/${name}`);
      expect(await article.locator('strong').textContent()).toBe('bold');
    },
  },
  {
    sees: 'frontmatter as YAML, and a rule in the first line as a rule',
    at: '/main/',
    async check({ page }) {
      // Text over other text keeps its style in Chromium, which our policy refuses: each is on a page of its own.
      const write = async (content: string) => (await openNew(page)).text.fill(content);
      const style = (shown: string) =>
        page
          .getByText(shown, { exact: true })
          .last()
          .evaluate(
            (element) => {
              const { fontWeight, color } = getComputedStyle(element);
              return { weight: Number(fontWeight), color };
            },
            undefined,
            { timeout: 10_000 },
          );
      await write('---\ntitle: Ada\nby: "Grace"\n---\n# Head\n');
      const [key, string, head] = [await style('title'), await style('"Grace"'), await style(' Head')];
      expect([key.weight, head.weight >= 700]).toEqual([400, true]);
      expect(new Set([key.color, string.color, head.color]).size).toBeGreaterThan(1);
      await write('---\n\n# Head\n\ntext **bold**\n');
      expect((await style('bold')).weight).toBeGreaterThanOrEqual(700);
      await write('Ada\n---\n');
      expect((await style('Ada')).weight).toBeGreaterThanOrEqual(700);
    },
  },
  {
    sees: 'a preview that follows the text, and the newest of its answers',
    at: '/main/',
    async check({ page, article }) {
      const { text } = await openNew(page);
      await text.fill('one');
      await page.getByRole('button', { name: 'Preview' }).click();
      await article.getByText('one').waitFor();
      // The answer to `slow` comes after that to `fast`.
      let release = () => {};
      const late = new Promise<void>((resolve) => (release = resolve));
      const asked = Promise.withResolvers<void>();
      await page.route('**/*view=edit', async (route) => {
        if (!route.request().postData()?.includes('slow')) return route.continue();
        asked.resolve();
        await late;
        await route.continue().catch(() => undefined);
      });
      await text.fill('slow');
      await asked.promise;
      await text.fill('fast *words*');
      await article.locator('em').waitFor();
      release();
      await page.unroute('**/*view=edit');
      await text.press('Control+End');
      await text.press('!');
      await article.getByText('fast words!').waitFor();
      expect(await article.getByText('slow').count()).toBe(0);
    },
  },
  {
    sees: 'unsaved text again after a reload, with what differs, and discards it',
    at: '/main/',
    async check({ page }) {
      const { text } = await openNew(page);
      await text.fill('kept\nwords');
      await kept(page);
      await page.reload();
      await offer(page).getByText('What differs').click();
      expect(await offer(page).getByRole('textbox').inputValue()).toContain('+ kept\n+ words');
      expect(await text.textContent()).toBe('');
      await offer(page).getByRole('button', { name: 'Restore' }).click();
      await kept(page);
      expect(await sentText(page)).toBe('kept\nwords');
      await page.reload();
      await offer(page).getByRole('button', { name: 'Discard' }).click();
      await offer(page).waitFor({ state: 'detached' });
      await page.reload();
      await text.waitFor();
      expect(await offer(page).count()).toBe(0);
    },
  },
  {
    sees: 'both changes if unsaved text is of an older page, and no offer once it is saved',
    at: '/main/',
    async check({ page }) {
      const { text, name } = await openNew(page);
      await save(page, 'one\n\ntwo\n\nthree\n', name);
      await page.goto(`/main/${name}?view=edit`);
      await text.fill('mine\n\ntwo\n\nthree\n');
      await kept(page);
      await page.goto('/main/');
      await page.goto(`/main/${name}?view=edit`);
      const other = await page.context().newPage();
      await other.goto(`/main/${name}?view=edit`);
      await other.getByRole('button', { name: 'Restore' }).waitFor();
      await save(other, 'one\n\ntwo\n\ntheirs\n', name);
      await page.reload();
      expect(await offer(page).textContent()).toContain('The page has changed since');
      await offer(page).getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('Both changes').waitFor();
      expect(await sentText(page)).toBe('mine\n\ntwo\n\ntheirs\n');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/main/${name}`);
      await page.goto(`/main/${name}?view=edit`);
      await text.waitFor();
      expect(await offer(page).count()).toBe(0);
    },
  },
  {
    sees: 'the draft of each of two tabs, and that an open tab has its own',
    at: '/main/',
    async check({ page }) {
      const { text, name } = await openNew(page);
      const other = await page.context().newPage();
      await other.goto(`/main/${name}?view=edit`);
      await text.fill('of one tab');
      await kept(page);
      await other.getByLabel('Text, in Markdown').fill('of the other tab');
      await kept(other);
      expect(await offer(other).count()).toBe(0);
      await other.close();
      await page.reload();
      await offer(page).nth(1).waitFor();
      const shown: string[] = [];
      for (const each of await offer(page).all()) {
        await each.getByText('What differs').click();
        shown.push(await each.getByRole('textbox').inputValue());
      }
      expect(shown.sort()).toEqual(['+ of one tab', '+ of the other tab']);
    },
  },
  {
    sees: 'that the browser keeps no text if its storage fails, and goes on',
    at: '/main/',
    async check({ page, article }) {
      await page.addInitScript(
        "IDBFactory.prototype.open = () => { throw new DOMException('No', 'SecurityError'); }",
      );
      const { text, name } = await openNew(page);
      await text.fill('words');
      await page.getByText('keeps no unsaved text').waitFor();
      await save(page, 'more words', name);
      expect(await article.textContent()).toContain('more words');
    },
  },
  {
    sees: 'a picture that they drop, where they dropped it, and takes the link back by Ctrl+Z',
    at: '/main/',
    async check({ page, article }) {
      const { text, name } = await openNew(page);
      await text.fill('before\n\nafter');
      const picture = `${name}.svg`;
      await drop(page, [{ name: picture, text: SVG }], 'after');
      await page.getByText('linked in the text').waitFor();
      expect(await sentText(page)).toBe(`before\n\n![[${picture}]]\n\nafter`);
      await text.press('Control+z');
      expect(await sentText(page)).toBe('before\n\nafter');
      await text.press('Control+y');
      await drop(page, [{ name: picture, text: '<svg/>' }], 'before');
      await page.getByText(`${picture} is not stored: `).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.waitForURL(`**/main/${name}`);
      await article.getByRole('img').waitFor();
      const width = await article.getByRole('img').evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        return image.naturalWidth;
      });
      expect(width).toBe(32);
    },
  },
  {
    sees: 'that a file is too large before it is sent, that text stays text, and a file that is no picture',
    at: '/main/',
    async check({ page }) {
      const { text, name } = await openNew(page);
      await text.fill('x');
      await page.locator('form.write').evaluate((form) => form.setAttribute('data-file-bytes', '3'));
      await drop(page, [{ name: 'large.txt', text: 'four' }], 'x');
      await page.getByText('large.txt is not stored: it is larger than').waitFor();
      await page.locator('form.write').evaluate((form) => form.setAttribute('data-file-bytes', '1000'));
      await paste(page, [{ name: `${name}.pdf`, text: 'four' }], 'plain');
      await page.getByText('plain').waitFor();
      expect(await sentText(page)).not.toContain('pdf');
      await paste(page, [{ name: `${name}[1].pdf`, text: 'four' }], null);
      await page.getByText('linked in the text').waitFor();
      expect(await sentText(page)).toContain(`[[${name}-1-.pdf]]`);
    },
  },
];

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>';

async function openNew(page: Page) {
  const name = `Editor-${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(`/main/${name}?view=edit`);
  return { name, text: page.getByLabel('Text, in Markdown') };
}

async function save(page: Page, text: string, name: string): Promise<void> {
  await page.getByLabel('Text, in Markdown').fill(text);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`**/main/${name}`);
}

/** The text that the form sends. */
function sentText(page: Page): Promise<string> {
  return page.locator('textarea[name="content"]').inputValue();
}

function kept(page: Page): Promise<void> {
  return page.getByText('This browser keeps the text').waitFor();
}

function offer(page: Page) {
  return page.getByRole('region', { name: 'Unsaved text' });
}

interface Dropped {
  name: string;
  text: string;
}

/** Drops files on the beginning of the line with these words. */
async function drop(page: Page, files: readonly Dropped[], words: string): Promise<void> {
  const line = page.locator('.cm-line', { hasText: words }).first();
  await line.evaluate((element, given) => {
    const data = new DataTransfer();
    for (const { name, text } of given) data.items.add(new File([text], name));
    const { left, top } = element.getBoundingClientRect();
    const at = { clientX: left + 13, clientY: top + 12 };
    element.dispatchEvent(
      new DragEvent('drop', { bubbles: true, cancelable: true, composed: true, dataTransfer: data, ...at }),
    );
  }, files);
}

async function paste(page: Page, files: readonly Dropped[], text: string | null): Promise<void> {
  await page.getByLabel('Text, in Markdown').evaluate(
    (element, given) => {
      const data = new DataTransfer();
      for (const file of given.files) data.items.add(new File([file.text], file.name));
      if (given.text !== null) data.setData('text/plain', given.text);
      element.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, composed: true, clipboardData: data }),
      );
    },
    { files, text },
  );
}
