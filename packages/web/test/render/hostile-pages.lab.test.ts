import { expect, test } from 'vitest';
import { slowness } from '../../../wiki/test/machine-speed.ts';
import { renderPage } from '../../src/render/render-page.ts';
import { HOSTILE_PAGES } from './hostile-pages.ts';

const CONTEXT = {
  path: 'P',
  links: [],
  embed: async () => null,
};
/** Milliseconds of an idle core. */
const MOST = 1_500;

test('every page that is shown with its formatting is rendered quickly', async () => {
  const slow = slowness();
  const taken: [name: string, length: number, ms: number][] = [];
  for (const [name, page] of Object.entries(HOSTILE_PAGES)) {
    for (const length of [20_000, 100_000]) {
      const text = page(length);
      const start = process.cpuUsage();
      const { html } = await renderPage(text, CONTEXT);
      const { user, system } = process.cpuUsage(start);
      taken.push([name, length, Math.round((user + system) / 1_000)]);
      if (html.startsWith('<p class="notice">')) break;
    }
  }
  const slowest = taken.toSorted((a, b) => b[2] - a[2]).slice(0, 8);
  process.stdout.write(`${JSON.stringify({ slow, pages: taken.length, slowest })}\n`);
  expect(slowest.filter(([, , ms]) => ms > MOST * slow)).toEqual([]);
});
