import { expect, test } from 'vitest';
import { renderPage } from '../../src/render/render-page.ts';
import { HOSTILE_PAGES } from './hostile-pages.ts';
import { render } from './render.ts';

const CONTEXT = {
  path: 'P',
  links: [],
  embed: async () => null,
};

test.each(Object.entries(HOSTILE_PAGES))('a megabyte of %s is shown as plain text', async (_, page) => {
  const { html, outline } = await renderPage(page(1_000_000), CONTEXT);
  expect(html.slice(0, 60)).toContain('<p class="notice">');
  expect(outline).toEqual([]);
});

/** The texts that would take longest if their cost were not estimated first. */
const COSTLY = [
  'quotes',
  'links in links',
  'stars and underscores',
  'a table of columns and rows',
  'open tags',
  'attributes of one tag',
  'many attributes, then blocks',
  'comments in text',
  'instructions in text',
  'declarations in text',
  'character data in text',
];

test.each(COSTLY)('100 kB of %s is shown as plain text, as it would take long', async (name) => {
  const { html } = await renderPage(HOSTILE_PAGES[name]?.(100_000) ?? '', CONTEXT);
  expect(html.slice(0, 60)).toContain('<p class="notice">');
});

test('unknown elements that look closed are shown up to a depth: no parser of HTML closes them', async () => {
  const shown = async (count: number) =>
    (await render(`# Options\n\n${'<p><Since v="1" /></p>\n\nSome words.\n\n'.repeat(count)}`)).html;
  expect(await shown(300)).not.toContain('class="notice"');
  expect(await shown(1_100)).toContain('class="notice"');
});

test('a page that people write is shown with its formatting, however long it is', async () => {
  const section = (number: number) =>
    `## Part ${number}\n\nSome *words* about [[Page ${number}]], ${'and so on '.repeat(40)}.\n\n- one\n- [two](b.md)\n\n`;
  const page = Array.from({ length: 100 }, (_, number) => section(number)).join('');
  const { html, outline } = await render(page);
  expect(page.length).toBeGreaterThan(45_000);
  expect(html).not.toContain('class="notice"');
  expect(outline).toHaveLength(100);
});
