import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
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
