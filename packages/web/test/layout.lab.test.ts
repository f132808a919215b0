import { crc32, deflateSync } from 'node:zlib';
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
const COLUMNS = Array.from({ length: 20 }, (_, at) => `Column ${at + 1}`);

/** Pages that begin with an image. */
const IMAGES: Record<string, string> = {
  Embedded: '![[wide.png]]',
  Narrowed: '![[wide.png|300]]',
  Forced: '![[wide.png|300x20]]',
  Drawn: '![[drawn.svg]]',
  Written: '![a](wide.png)',
  Tagged: '<img src="wide.png" alt="a" width="500">',
};

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
    path: 'Printed',
    content: `| ${COLUMNS.join(' | ')} |\n|${'-|'.repeat(COLUMNS.length)}\n\n> [!note]- Folded\n> Text of the note.\n`,
  });
  await run('write_page', {
    path: `Deep/${LONG}`,
    content: `# ${LONG}\n\n[[Guide]] ${LONG} [[No ${LONG}]]\n`,
  });
  const wide = `$${'a_i + '.repeat(60)}z^{2^2}$`;
  await run('write_page', {
    path: 'Formulas',
    content: `Text $x$ with $\\frac{a}{b}$ and ${wide} after.\n\n- ${wide}\n\n> ${wide}\n\n| a |\n| - |\n| ${wide} |\n`,
  });
  await run('write_page', { path: 'Links', content: '[[Guide#Part 3|three]] [[Guide|all]]\n' });
  await run('put_attachment', { path: `in/${LONG}.png`, content: 'eA==' });
  await run('put_attachment', { path: 'wide.png', content: pngOf(1_600, 900).toString('base64') });
  const drawn =
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="500"><rect width="9" height="9"/></svg>';
  await run('put_attachment', { path: 'drawn.svg', content: Buffer.from(drawn).toString('base64') });
  for (const [path, image] of Object.entries(IMAGES))
    await run('write_page', { path, content: `# ${path}\n\n${image}\n\nWords.\n\n${SECTIONS.join('\n')}` });
  const { version } = await run('write_page', { path: 'Gone', content: 'words', message: LONG });
  ({ commit } = await run('delete_page', { path: 'Gone', version }));
  await close();
});

function open(width: number, javaScriptEnabled = false): Promise<Page> {
  return lab.open({ viewport: { width, height: 844 }, isMobile: true, javaScriptEnabled });
}

test.each([320, 360, 390])('nothing is wider than a screen of %i px', async (width) => {
  const page = await open(width);
  const wide: Record<string, unknown> = {};
  for (const address of [
    '/main/Guide',
    '/main/Guide?view=history',
    '/main/Guide?view=blame',
    `/main/Deep/${LONG}`,
    '/main/Formulas',
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

test('a formula in a line stands on it, and one that is too wide can be scrolled to its end', async () => {
  const page = await open(360);
  await page.goto('/main/Formulas');
  const { below, left } = await page.evaluate<{ below: number; left: number[] }>(FORMULAS);
  expect(Math.abs(below)).toBeLessThan(1);
  expect(left).toEqual([0, 0, 0]);
  const isFocused = () => page.evaluate<boolean>('document.activeElement.matches(".math")');
  for (let tabs = 0; tabs < 40 && !(await isFocused()); tabs += 1) await page.keyboard.press('Tab');
  expect(await isFocused()).toBe(true);
});

/** The distance of a formula from the line of its text, and what is left of the wide formulas when they are scrolled. */
const FORMULAS = `(() => {
  const [first, , ...wide] = document.querySelectorAll('article .math');
  const mark = document.createElement('span');
  mark.style = 'display: inline-block; width: 0; height: 0';
  first.before(mark);
  const inner = first.querySelector('mi');
  const below = inner.getBoundingClientRect().bottom - mark.getBoundingClientRect().bottom;
  const left = wide.slice(0, 3).map((each) => {
    each.scrollLeft = 1e6;
    return Math.max(0, Math.round(each.querySelector('math').getBoundingClientRect().right - each.getBoundingClientRect().right));
  });
  return { below, left };
})()`;

test.each([390, 1_280])('an image that comes late moves nothing on a screen of %i px', async (width) => {
  const page = await open(width, true);
  let isPainted = Promise.withResolvers<void>();
  await page.route('**/files/**', async (route) => {
    await isPainted.promise;
    await route.continue();
  });
  const shifts: Record<string, number> = {};
  for (const path of Object.keys(IMAGES)) {
    isPainted = Promise.withResolvers();
    await page.goto(`/main/${path}`, { waitUntil: 'domcontentloaded' });
    await page.evaluate(PAINTED);
    isPainted.resolve();
    await page.evaluate('document.querySelector("article img").decode()');
    shifts[path] = await page.evaluate<number>(LAYOUT_SHIFT);
  }
  process.stdout.write(`layout shift at ${width} px ${JSON.stringify(shifts)}\n`);
  expect(Object.values(shifts).filter((shift) => shift >= 0.02)).toEqual([]);
});

test('an image of a given width and height has exactly these', async () => {
  const page = await open(1_280, true);
  await page.goto('/main/Forced');
  await page.evaluate('document.querySelector("article img").decode()');
  expect(await page.locator('article img').boundingBox()).toMatchObject({ width: 300, height: 20 });
});

/** Waits until the page has been painted. */
const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
})`;

/** The cumulative layout shift of the page, after it has been painted with its image. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum), 100)));
})`;

/** A black PNG. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

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

test('on paper a table with many columns is not cut off, and a folded callout is open', async () => {
  const page = await lab.open({ viewport: { width: 700, height: 900 } });
  await page.goto('/main/Printed');
  const note = page.getByText('Text of the note.');
  expect(await note.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  const right = await page.getByText('Column 20').evaluate((cell) => cell.getBoundingClientRect().right);
  expect(right).toBeLessThanOrEqual(700);
  expect(await note.isVisible()).toBe(true);
});
