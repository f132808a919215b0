import { describe, expect, test } from 'vitest';
import { HOST, openSite } from '../../../test/open-site.ts';
import { fieldsIn, type OpenForm, openForm, post } from '../../../test/posting.ts';
import { AUTHOR } from '../../../test/writable-site.ts';

const EDIT = '/main/Page?view=edit';
const MINE = 'typed <by> me\n';

async function openWritable() {
  const opened = await openSite({ author: AUTHOR });
  await opened.run('write_page', { path: 'Page', content: 'as it is\n' });
  const form = await openForm(opened.site, EDIT);
  form.fields = { ...form.fields, content: MINE, do: 'save' };
  const content = async () => (await opened.run('view_page', { path: 'Page' })).page?.content;
  return { ...opened, form, content };
}

test('the form of our own page changes the page, once, however often it is sent', async () => {
  const { site, form, content, run } = await openWritable();
  for (let time = 0; time < 3; time += 1) {
    const { status, location } = await post(site, form);
    expect([status, location]).toEqual([303, '/main/Page']);
  }
  expect(await content()).toBe(MINE);
  const { entries } = await run('get_history', { path: 'Page' });
  expect(entries.map(({ author, agent, message }) => [author, agent, message])).toEqual([
    ['Grace <grace@example.org>', null, 'Update Page'],
    ['Ada <ada@example.org>', 'claude-code/2.1', 'Create Page'],
  ]);
});

test.each<[how: string, headers: Record<string, string>]>([
  ['an old browser, which says nothing of where the form came from', { origin: '', 'sec-fetch-site': '' }],
  ['a browser without Sec-Fetch-Site', { 'sec-fetch-site': '' }],
])('the form is taken from %s', async (_, headers) => {
  const { site, form, content } = await openWritable();
  expect((await post(site, form, { headers })).status).toBe(303);
  expect(await content()).toBe(MINE);
});

test('the form is taken if it is urlencoded', async () => {
  const { site, form, content } = await openWritable();
  const body = new URLSearchParams(form.fields);
  expect((await post(site, form, { body })).status).toBe(303);
  expect(await content()).toBe(MINE);
});

const OTHER_TOKEN = 'A'.repeat(43);

/** Ways in which a foreign page, or nobody, may send the form. Each has the right token, unless it says otherwise. */
const FOREIGN: readonly [how: string, headers: Record<string, string>, change?: (form: OpenForm) => void][] =
  [
    ['another origin', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:7328', 'sec-fetch-site': 'same-site' }],
    [
      'another port, in a browser without Sec-Fetch-Site',
      { origin: 'http://127.0.0.1:9', 'sec-fetch-site': '' },
    ],
    ['the other name of this machine', { origin: 'http://localhost:7327', 'sec-fetch-site': 'cross-site' }],
    ['our host under https', { origin: `https://${HOST}` }],
    ['a host that begins like ours', { origin: `http://${HOST}.evil.example` }],
    ['our origin with a path', { origin: `http://${HOST}/` }],
    ['our host in front of another', { origin: `http://${HOST}@evil.example` }],
    ['a page without an origin', { origin: 'null' }],
    [
      'a page without an origin, in a browser without Sec-Fetch-Site',
      { origin: 'null', 'sec-fetch-site': '' },
    ],
    ['a foreign page by Sec-Fetch-Site alone', { origin: '', 'sec-fetch-site': 'cross-site' }],
    ['a page of our site by Sec-Fetch-Site alone', { origin: '', 'sec-fetch-site': 'same-site' }],
    ['an address that a person typed', { origin: '', 'sec-fetch-site': 'none' }],
    ['a value of Sec-Fetch-Site that nobody knows', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['a form without a token', {}, ({ fields }) => delete fields.token],
    ['a form with an empty token', {}, ({ fields }) => Object.assign(fields, { token: '' })],
    ['a form with another token', {}, ({ fields }) => Object.assign(fields, { token: OTHER_TOKEN })],
    ['a form with a longer token', {}, ({ fields }) => Object.assign(fields, { token: `${fields.token}A` })],
    ['a browser without the cookie', { cookie: '' }],
    ['a browser with an older cookie', { cookie: `pagetree-7327=${OTHER_TOKEN}` }],
    [
      'a browser with the cookie of another port',
      {},
      (form) => {
        form.cookie = form.cookie.replace('7327', '7328');
      },
    ],
    [
      'a browser with an empty cookie, and a form with an empty token',
      { cookie: 'pagetree-7327=' },
      ({ fields }) => Object.assign(fields, { token: '' }),
    ],
  ];

test.each(FOREIGN)(
  'a form is refused from %s, and what was typed is shown again',
  async (_, headers, change) => {
    const { site, form, content } = await openWritable();
    change?.(form);
    const { status, text, headers: answered } = await post(site, form, { headers });
    expect(status).toBe(403);
    expect(await content()).toBe('as it is\n');
    expect(text).toContain('Nothing was changed');
    expect(text).toContain('typed &lt;by&gt; me');
    // A foreign page could have typed it, and a person would only have to click.
    expect(fieldsIn(text)).toEqual({});
    expect(answered.get('cache-control')).toBe('no-store');
    expect(answered.get('set-cookie')).toBeNull();
  },
);

test('the form that undoes a change is refused from another origin, and without its token', async () => {
  const { site, run } = await openWritable();
  const { commit } = await run('write_page', { path: 'Other', content: 'other\n' });
  const form = await openForm(site, `/_/main/undo?commit=${commit}`);
  form.fields.do = 'undo';
  const foreign = await post(site, form, { headers: { origin: 'https://evil.example' } });
  const unsigned = await post(site, { ...form, fields: { ...form.fields, token: OTHER_TOKEN } });
  expect([foreign.status, unsigned.status]).toEqual([403, 403]);
  expect((await run('view_page', { path: 'Other' })).page?.content).toBe('other\n');
  expect((await post(site, form)).status).toBe(303);
});

test('the form that fixes a link is refused from another origin, and without its token', async () => {
  const { site, run } = await openWritable();
  await run('write_page', { path: 'Other', content: '[[Nowhere]]\n' });
  const form = await openForm(site, '/_/main/fix?path=Other&kind=broken_link&line=1&target=Nowhere');
  form.fields = { ...form.fields, to: '/', seen: '/', do: 'fix' };
  const foreign = await post(site, form, { headers: { origin: 'https://evil.example' } });
  const unsigned = await post(site, { ...form, fields: { ...form.fields, token: OTHER_TOKEN } });
  expect([foreign.status, unsigned.status]).toEqual([403, 403]);
  expect((await run('view_page', { path: 'Other' })).page?.content).toBe('[[Nowhere]]\n');
  expect((await post(site, form)).status).toBe(303);
});

const JSON_BODY = JSON.stringify({ content: MINE });

/** Other requests, each with everything else as it should be, and their answers. */
const OTHER: readonly [how: string, request: Parameters<typeof post>[2], status: number][] = [
  [
    'text/plain, which needs no preflight',
    { body: 'content=typed', headers: { 'content-type': 'text/plain' } },
    415,
  ],
  ['no type at all', { body: new Uint8Array([97]) }, 415],
  ['JSON', { body: JSON_BODY, headers: { 'content-type': 'application/json' } }, 415],
  ['two types', { body: JSON_BODY, headers: { 'content-type': 'text/plain, multipart/form-data' } }, 415],
  ['multipart without a boundary', { body: 'x', headers: { 'content-type': 'multipart/form-data' } }, 400],
  [
    'a form that is cut off',
    {
      body: '--b\r\nContent-Disposition: form-data; name="content"\r\n\r\ntyped',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    },
    400,
  ],
  ['a form that is too large', { body: new URLSearchParams({ content: 'x'.repeat(4_200_000) }) }, 413],
  ['PUT', { method: 'PUT' }, 405],
  ['PATCH', { method: 'PATCH' }, 405],
  ['DELETE', { method: 'DELETE' }, 405],
  [
    'OPTIONS, as a preflight',
    { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
    405,
  ],
  [
    'another host, as after DNS rebinding',
    {
      headers: { host: 'evil.example:7327', origin: 'http://evil.example:7327' },
    },
    421,
  ],
];

test.each(OTHER)('%s changes nothing', async (_, request, expected) => {
  const { site, form, content } = await openWritable();
  const { status, headers } = await post(site, form, request);
  expect(status).toBe(expected);
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(await content()).toBe('as it is\n');
});

test('a GET or HEAD changes nothing, whatever it names or overrides', async () => {
  const { site, form, content } = await openWritable();
  const query = new URLSearchParams({ ...form.fields, _method: 'POST' });
  const headers = { host: HOST, cookie: form.cookie, 'x-http-method-override': 'POST' };
  for (const method of ['GET', 'HEAD']) {
    const request = new Request(`http://${HOST}${EDIT}&${query}`, { method, headers });
    expect((await site.fetch(request)).status).toBe(200);
    expect(await content()).toBe('as it is\n');
  }
});

test('a POST to an address without a form changes nothing, even by the method that it names', async () => {
  const { site, form, content } = await openWritable();
  for (const address of [
    '/main/Page',
    '/main/Page?view=history',
    '/main/?view=edit',
    '/',
    '/_/main/new?path=x',
  ]) {
    const fields = { ...form.fields, _method: 'DELETE' };
    const headers = { 'x-http-method-override': 'DELETE' };
    const { status } = await post(site, { ...form, address, fields }, { headers });
    expect(Math.floor(status / 100), address).toBe(4);
  }
  expect(await content()).toBe('as it is\n');
});

describe('the cookie', () => {
  test('comes with forms alone, for no script and no other site, and is named by the port', async () => {
    const { get } = await openWritable();
    const { headers } = await get(EDIT);
    expect(headers.get('set-cookie')).toMatch(
      /^pagetree-7327=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    // With no-referrer a browser would send `Origin: null`.
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toMatch(/form-action 'self'.*frame-ancestors 'none'/);
    for (const address of [
      '/main/Page',
      '/main/',
      '/_/main/search',
      '/_/main/changes',
      '/main/Page?view=history',
    ]) {
      const read = await get(address);
      expect(read.headers.get('set-cookie'), address).toBeNull();
      expect(read.headers.get('referrer-policy'), address).toBe('no-referrer');
    }
  });

  test('stays the same, so that a form in another tab can still be sent, and is never chosen by others', async () => {
    const { get } = await openWritable();
    const cookie = `pagetree-7327=${OTHER_TOKEN}`;
    const kept = await get(EDIT, { cookie });
    expect(kept.headers.get('set-cookie')).toBeNull();
    expect(fieldsIn(kept.text).token).toBe(OTHER_TOKEN);
    const odd = await get(EDIT, { cookie: 'pagetree-7327="><script>' });
    expect(odd.headers.get('set-cookie')).toMatch(/^pagetree-7327=[\w-]{43};/);
    const tokens = [await get(EDIT), await get(EDIT)].map(({ text }) => fieldsIn(text).token);
    expect(new Set(tokens).size).toBe(2);
  });
});

test('without an author nothing can be posted, and no form is shown', async () => {
  const { site, get, run } = await openSite();
  await run('write_page', { path: 'Page', content: 'as it is\n' });
  expect((await get(EDIT)).status).toBe(403);
  const form = {
    host: HOST,
    address: EDIT,
    cookie: `pagetree-7327=${OTHER_TOKEN}`,
    fields: { token: OTHER_TOKEN, content: 'x' },
  };
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await post(site, form, { method })).status).toBe(405);
  for (const address of ['/main/Page', '/main/', '/main/None']) {
    expect((await get(address)).text, address).not.toMatch(/view=edit|_\/main\/new/);
  }
});
