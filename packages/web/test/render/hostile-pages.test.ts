import { readPageText } from '@pagetree/wiki/page-text';
import { expect, test } from 'vitest';
import { costOf, MAX_COST } from '../../src/render/render-cost.ts';
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

test('tags in code are no elements, however many there are', async () => {
  const lines = Array.from({ length: 1_500 }, (_, index) => `  <Item${index}>`).join('\n');
  const { html } = await render(
    `# Items\n\n<b>Bold</b>\n\n\`\`\`jsx\n${lines}\n\`\`\`\n\n${'`<Foo>` '.repeat(1_100)}\n`,
  );
  expect(html).not.toContain('class="notice"');
  expect(html).toContain('<b>Bold</b>');
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

const rows = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index)).join('\n');

test.each([
  ['multiplications', rows(600, () => 'a * b * c')],
  ['words with underscores', rows(700, (i) => `The snake_case_word and other_word_${i} stand here.`)],
  ['emphasis on each line', rows(1_200, () => 'some *words* and **strong** ones, _some_ within')],
  ['items', rows(3_000, (i) => `- item ${i} with some words`)],
  ['links in items', rows(3_000, (i) => `- [item ${i}](page-${i}.md) and words`)],
  ['numbered items', rows(3_000, (i) => `${i + 1}. item ${i}`)],
  ['items within items', rows(3_000, (i) => `${'  '.repeat(i % 4)}- item ${i}`)],
  ['rows', `${'|a'.repeat(20)}|\n${'|-'.repeat(20)}|\n${rows(900, (i) => `${`| c${i} `.repeat(20)}|`)}`],
])('a page of many %s costs no more than it takes, and is shown with its formatting', (_, page) => {
  expect(costOf(page, readPageText(page))).toBeLessThan(MAX_COST);
});
