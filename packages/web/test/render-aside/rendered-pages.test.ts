import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PageRenderer } from '../../src/render-aside/page-renderer.ts';
import { RenderedPages } from '../../src/site/views/rendered-pages.ts';

test('many who ask for a page at once get one rendering of it, and a failed one is tried again', async () => {
  const pages = new RenderedPages();
  let embeds = 0;
  let isAway = true;
  const embed = async () => {
    embeds += 1;
    await setImmediate();
    if (isAway) throw new Error('The wiki is away.');
    return { path: 'B', href: '/main/B', markdown: '*text*', links: [] };
  };
  const page = {
    wiki: 'main',
    path: 'A',
    version: 'v',
    commit: 'c',
    markdown: '![[B]]\n',
    links: [{ written: '![[B]]', href: '/main/B' }],
    keptBy: '',
    embed,
  };
  const ask = () => Promise.allSettled(Array.from({ length: 10 }, () => pages.of(page)));
  expect((await ask()).map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
  expect(embeds).toBe(1);
  isAway = false;
  expect((await ask()).map(({ status }) => status)).toEqual(Array(10).fill('fulfilled'));
  await ask();
  expect(embeds).toBe(2);
});

test('a page that was given up is tried again after a minute', async () => {
  let now = 1_000;
  const pages = new RenderedPages({ renderer: new PageRenderer({ limitMs: 3_000 }), now: () => now });
  const page = {
    wiki: 'main',
    path: 'A',
    version: 'v1',
    commit: 'c1',
    markdown: '![[B]]\n',
    links: [{ written: '![[B]]', href: '/main/B' }],
    keptBy: '',
  };
  const never = () => new Promise<null>(() => {});
  const given = await pages.of({ ...page, embed: never });
  expect(given.html).toContain('takes too long');
  const found = async () => ({ path: 'B', href: '/main/B', markdown: 'Text of B', links: [] });
  now = 60_000;
  expect(await pages.of({ ...page, embed: found })).toBe(given);
  now = 65_000;
  expect((await pages.of({ ...page, embed: found })).html).toContain('Text of B');
});
