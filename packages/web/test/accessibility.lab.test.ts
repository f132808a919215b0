import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { fillWiki } from './demo-wiki.ts';
import { openLab } from './open-lab.ts';
import { addProblems } from './problem-wiki.ts';
import { DESKTOP, PHONE } from './ways.ts';

const lab = openLab(fillWiki, addProblems);
const STARTED = '/main/Guides/Getting%20Started';

/** Every kind of page. NEWEST and OLDEST stand for changes of the page Getting Started. */
const KINDS = [
  STARTED,
  '/main/Guides/Everything',
  '/main/Diagrams',
  `${STARTED}?at=OLDEST`,
  '/main/Gone',
  '/main/Gone?view=history',
  `${STARTED}?view=history`,
  `${STARTED}?view=blame`,
  `${STARTED}?view=diff&to=NEWEST`,
  '/main/',
  '/main/Guides/',
  '/_/main/search',
  '/_/main/search?q=account',
  '/_/main/changes',
  '/_/now',
  '/_/main/tags',
  '/_/main/tags?tag=guide',
  '/_/main/graph',
  '/_/main/graph?around=Guides%2FGetting+Started&depth=3',
  ...['broken_link', 'broken_anchor', 'ambiguous_link', 'superseded_link', 'orphan', 'near_copy'].map(
    (kind) => `/_/main/problems?kind=${kind}`,
  ),
  '/main/Gettin',
  `${STARTED}?view=edit`,
  '/main/Guides/Unwritten?view=edit',
  `${STARTED}?view=move`,
  `${STARTED}?view=delete`,
  `${STARTED}?view=restore&at=OLDEST`,
  '/main/Gone?view=edit',
  '/_/main/new?path=Guides/',
  '/_/main/upload?folder=Guides/',
  '/_/main/upload?stored=diagram.svg',
  '/_/main/undo?agent=claude&since=2020',
  '/_/main/undo?commit=OLDEST',
  '/_/main/fix?path=Wrong&kind=ambiguous_link&line=3&target=Twin',
  '/_/main/fix?path=Lonely&kind=orphan',
  '/_/main/fix?path=Copy&kind=near_copy&copy=Copy+again',
];

const THEMES: readonly [theme: 'light' | 'dark', size: string, options: typeof DESKTOP][] = [
  ['light', 'a desktop', DESKTOP],
  ['dark', 'a desktop', DESKTOP],
  ['light', 'a phone', PHONE],
  ['dark', 'a phone', PHONE],
];

describe.each(sampled(THEMES, THEMES.slice(1, 2)))('in the %s theme on %s', (colorScheme, _, options) => {
  // In a sample each kind is seen in one of the two, in turn.
  const kinds = sampled(
    KINDS,
    KINDS.filter((_, at) => (at % 2 === 0) === (colorScheme === 'dark')),
  );

  test('axe finds no problem on any kind of page, and no page is wider than the screen', async () => {
    const page = await lab.open({ ...options, colorScheme });
    const addressOf = await addresses(page);
    for (const kind of kinds) {
      const address = addressOf(kind);
      await page.goto(address);
      if (kind.startsWith('/_/main/graph')) await page.locator('.graph[data-drawn]').waitFor();
      if (kind === '/main/Diagrams') await page.locator('figure.diagram img').waitFor();
      expect(await violationsOf(page), address).toEqual([]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, address).toBeLessThanOrEqual(options.viewport.width);
    }
  });
});

describe.each(sampled(THEMES, THEMES.slice(2, 3)))('in the %s theme on %s', (colorScheme, _, options) => {
  test('axe finds no problem in what a form answers: a preview, a plan, a conflict and a refusal', async () => {
    const page = await lab.open({ ...options, colorScheme });
    const check = async (what: string) => {
      expect(await violationsOf(page), what).toEqual([]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, what).toBeLessThanOrEqual(options.viewport.width);
    };
    await page.goto(`${STARTED}?view=edit`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('heading', { name: 'Preview, not saved yet' }).waitFor();
    await check('a preview');
    await page.goto(`${STARTED}?view=move`);
    await page.getByLabel('New path, with its folders').fill('Guides/Begin');
    await page.getByRole('button', { name: 'See what changes' }).click();
    await page.getByRole('heading', { name: 'What changes' }).waitFor();
    await check('a plan');
    await page.goto('/_/main/fix?path=Wrong&kind=ambiguous_link&line=3&target=Twin');
    await page.getByRole('button', { name: 'See what changes' }).click();
    await page.getByRole('heading', { name: 'What changes' }).waitFor();
    await check('a link that is fixed');
    const other = await page.context().newPage();
    const name = `Race ${crypto.randomUUID()}`;
    for (const each of [other, page]) await each.goto(`/main/${name}?view=edit`);
    for (const [each, text] of [
      [other, 'theirs'],
      [page, 'mine'],
    ] as const) {
      await each.getByLabel('Text, in Markdown').fill(text);
      await each.getByRole('button', { name: 'Save' }).click();
    }
    await page.getByRole('alert').waitFor();
    for (const each of await page.locator('summary').all()) await each.click();
    await check('a conflict');
    await page.goto(`${STARTED}?view=edit`);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Nothing was changed' }).waitFor();
    await check('a refusal');
  });
});

test('axe finds the problems of a page that has some', async () => {
  const page = await lab.open(DESKTOP);
  await page.setContent(
    '<!doctype html><html lang="en"><title>x</title><main><h1>x</h1><img src="data:,"><p style="color:#ccc;background:#fff">pale</p></main>',
  );
  const rules = (await violationsOf(page)).map((violation) => violation.split(' ')[0]);
  expect(rules).toEqual(expect.arrayContaining(['color-contrast', 'image-alt']));
});

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes
      .filter(({ target }) => !(id === 'scrollable-region-focusable' && ${SCROLLED}.test(target)))
      .map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`,
  );
}

/** A formula that is too wide: the browser lets the keyboard focus it, which axe does not know. See layout.lab.test.ts. */
const SCROLLED = /\.math$/;

/** Puts the commits into an address. */
async function addresses(page: Page): Promise<(address: string) => string> {
  await page.goto(`${STARTED}?view=history`);
  const links = page.getByRole('link', { name: 'What changed' });
  const commits = await links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('to') ?? ''),
  );
  return (address) => address.replace('NEWEST', commits[0] ?? '').replace('OLDEST', commits.at(-1) ?? '');
}

const BY_KEYBOARD = [
  STARTED,
  '/main/Guides/Everything',
  '/_/main/search?q=account',
  `${STARTED}?view=history`,
  `${STARTED}?view=diff&to=NEWEST`,
  `${STARTED}?view=blame`,
  '/_/main/changes',
  '/_/now',
  '/_/main/problems',
  '/main/Guides/',
  `${STARTED}?view=edit`,
  `${STARTED}?view=move`,
  `${STARTED}?view=delete`,
  '/_/main/upload',
];

test.each(sampled(BY_KEYBOARD, BY_KEYBOARD.slice(1, 5)))(
  'by keyboard a person reaches all of %s in order, and sees where the focus is',
  async (kind) => {
    const page = await lab.open(DESKTOP);
    const addressOf = await addresses(page);
    await page.goto(addressOf(kind));
    const expected = await page.evaluate(numberControls);
    expect(expected).toBeGreaterThan(5);
    const reached: number[] = [];
    for (let step = 0; step < expected * 3; step += 1) {
      await page.keyboard.press('Tab');
      const focus = await page.evaluate(readFocus);
      if (focus === null) break;
      expect(focus.outline, `${focus.name} shows the focus`).not.toBe('none');
      if (focus.number !== reached.at(-1)) reached.push(focus.number);
    }
    expect(reached).toEqual(Array.from({ length: expected }, (_, number) => number));
  },
);

/**
 * Runs in the browser: numbers the controls in the order of the document, and formulas that scroll. Of the radio buttons with one name, Tab
 * reaches the chosen one; the arrow keys reach the others.
 */
function numberControls(): number {
  const all = document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), summary, select, textarea, .editor, .math',
  );
  const isFixedFormula = (each: Element) =>
    each.matches('.math') &&
    (each.scrollWidth <= each.clientWidth || getComputedStyle(each).overflowX !== 'auto');
  const controls = [...all].filter(
    (each) =>
      !each.matches(':disabled, [type=radio]:not(:checked)') &&
      !isFixedFormula(each) &&
      each.checkVisibility(),
  );
  for (const [number, control] of controls.entries()) control.setAttribute('data-number', String(number));
  return controls.length;
}

/** Runs in the browser: null when the focus has left the page. */
function readFocus(): { number: number; name: string; outline: string } | null {
  const { activeElement: active, body } = document;
  if (active === null || active === body) return null;
  const number = Number(active.getAttribute('data-number') ?? Number.NaN);
  return { number, name: active.outerHTML.slice(0, 100), outline: getComputedStyle(active).outlineStyle };
}
