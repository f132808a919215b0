import { aroundEach } from '@pagetree/wiki/contract';
import { afterEach, expect, test, vi } from 'vitest';
import { HOST, openSite, siteOf } from '../../../test/open-site.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a page that was given up is kept by no browser, and is shown whole once it can be rendered', async () => {
  const { site, asked, found } = await openSlow();
  const get = async (headers: Record<string, string> = {}) => {
    const answer = await site.fetch(requestOf(headers));
    const text = await answer.text();
    const { status, headers: sent } = answer;
    return { status, text, tag: sent.get('etag'), cache: sent.get('cache-control') };
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const first = get();
  await asked;
  vi.advanceTimersByTime(10_000);
  const given = await first;
  expect(given.text).toContain('takes too long');
  expect(given).toMatchObject({ status: 200, tag: null, cache: 'no-store' });
  found();
  vi.advanceTimersByTime(61_000);
  const whole = await get();
  expect(whole.text).toContain('Text of B');
  expect(whole.tag).not.toBeNull();
  expect((await get({ 'if-none-match': whole.tag ?? '' })).status).toBe(304);
});

test('a page of a static site has the time that it takes on a machine with much other work', async () => {
  const { site, asked, found } = await openSlow({ isStatic: true });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = site.fetch(requestOf());
  await asked;
  vi.advanceTimersByTime(50_000);
  found();
  expect(await (await page).text()).toContain('Text of B');
});

/** A site with a page whose embed is found only when `found` is called; `asked` resolves when it is looked for. */
async function openSlow(options: Parameters<typeof siteOf>[3] = {}) {
  const { run, wiki } = await openSite();
  await run('write_page', { path: 'B', content: 'Text of B\n' });
  await run('write_page', { path: 'A', content: '# A\n\n![[B]]\n' });
  const asked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<void>();
  let views = 0;
  const slow = aroundEach(
    async () => wiki,
    async (operation, go) => {
      // The first view is the page itself, the second its embed.
      if (operation === 'view_page' && ++views === 2) {
        asked.resolve();
        await found.promise;
      }
      return go();
    },
  );
  const site = siteOf(slow, HOST, '', options);
  await site.warm();
  return { site, asked: asked.promise, found: found.resolve };
}

function requestOf(headers: Record<string, string> = {}): Request {
  return new Request(`http://${HOST}/main/A`, { headers: { host: HOST, ...headers } });
}
