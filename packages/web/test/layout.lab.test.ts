import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openLab } from './open-lab.ts';

const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(4);
const SECTIONS = Array.from(
  { length: 12 },
  (_, at) => `## Part ${at + 1}\n\nSome words of part ${at + 1}.\n`,
);

let commit: string;

const lab = openLab(async (directory) => {
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  const caller = { author: { name: LONG, email: 'ada@example.org' }, agent: LONG.slice(0, 60) };
  const run = async (name: Parameters<typeof callOperation>[1], input: object) =>
    (await callOperation(wiki, name, input, { caller })) as { commit: string; version: string };
  const properties = `${LONG}: short\nsource: https://example.org/${LONG}\nrelated: "[[Guide]]"`;
  await run('write_page', {
    path: 'Guide',
    content: `---\ntags: [guide, ${LONG.toLowerCase()}]\n${properties}\n---\n# Guide\n\nWords.\n\n${SECTIONS.join('\n')}`,
  });
  await run('write_page', {
    path: `Deep/${LONG}`,
    content: `# ${LONG}\n\n[[Guide]] ${LONG} [[No ${LONG}]]\n`,
  });
  await run('write_page', { path: 'Links', content: '[[Guide#Part 3|three]] [[Guide|all]]\n' });
  await run('put_attachment', { path: `in/${LONG}.png`, content: 'eA==' });
  const { version } = await run('write_page', { path: 'Gone', content: 'words', message: LONG });
  ({ commit } = await run('delete_page', { path: 'Gone', version }));
  await close();
});

function open(width: number, javaScriptEnabled = false): Promise<Page> {
  return lab.open({ viewport: { width, height: 844 }, isMobile: true, javaScriptEnabled });
}

test.each([320, 390])('nothing is wider than a screen of %i px', async (width) => {
  const page = await open(width);
  const wide: Record<string, unknown> = {};
  for (const address of [
    '/main/Guide',
    '/main/Guide?view=history',
    '/main/Guide?view=blame',
    `/main/Deep/${LONG}`,
    '/main/Deep/',
    '/main/',
    '/main/Gone',
    '/main/Gone?view=history',
    `/main/${LONG}`,
    `/main/Guide?at=${'f'.repeat(40)}`,
    `/${LONG.toLowerCase().slice(0, 64)}/Home`,
    `/_/main/search?q=${LONG}`,
    '/_/main/search?q=words',
    '/_/main/search',
    '/_/main/search?tag=guide',
    '/_/main/changes',
    `/_/main/commits/${commit}`,
    '/_/main/tags',
    '/_/main/tags?tag=guide',
    '/_/main/problems',
    '/_/main/nothing',
  ]) {
    await page.goto(address);
    const widest = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (widest > width) wide[address] = [widest, await page.evaluate(WIDEST)];
  }
  expect(wide).toEqual({});
});

/** The elements that reach beyond the screen, for the report of a failure. */
const WIDEST = `[...document.querySelectorAll('body *')]
  .filter((each) => each.getBoundingClientRect().right > screen.width + 0.5)
  .map(({ tagName, className }) => tagName + '.' + className).slice(0, 8)`;

test('on a phone the outline, the tags and the history are above the text', async () => {
  const page = await open(390);
  await page.goto('/main/Guide');
  const topOf = async (name: string) =>
    (await page.getByRole('link', { name, exact: true }).boundingBox())?.y ?? 0;
  const text = (await page.getByText('Words.', { exact: true }).boundingBox())?.y ?? 0;
  expect(text).toBeGreaterThan(0);
  expect(await topOf('History')).toBeLessThan(text);
  expect(await topOf('guide')).toBeLessThan(text);
  expect(text).toBeLessThan(600);
  const part = page.getByRole('link', { name: 'Part 12' });
  expect(await part.isVisible()).toBe(false);
  await page.getByText('On this page').click();
  await part.click();
  expect(new URL(page.url()).hash).toBe('#part-12');
});

test('on a wide screen the outline is open beside the text', async () => {
  const page = await open(1_280);
  await page.goto('/main/Guide');
  const part = page.getByRole('link', { name: 'Part 12' });
  expect(await part.isVisible()).toBe(true);
  const beside = await part.boundingBox();
  const text = await page.getByRole('article').boundingBox();
  expect(beside?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
});

test('a link to a part of a page shows the beginning of that part', async () => {
  const page = await open(1_280, true);
  await page.goto('/main/Links');
  await page.getByRole('link', { name: 'three' }).hover();
  await page.getByRole('tooltip').waitFor();
  const shown = async () => (await page.getByRole('tooltip').textContent())?.split('\n');
  expect(await shown()).toEqual(['Part 3', 'Some words of part 3.']);
  await page.mouse.move(0, 0);
  await page.getByRole('tooltip').waitFor({ state: 'hidden' });
  await page.getByRole('link', { name: 'all' }).hover();
  await page.getByRole('tooltip').waitFor();
  expect(await shown()).toEqual(['Guide', 'Words.', 'Part 1', 'Some words of part 1.']);
});
