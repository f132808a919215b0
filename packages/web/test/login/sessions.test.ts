import { describe, expect, test } from 'vitest';
import type { TestBrowser } from './browser.ts';
import { beginLogin, logIn, openTeam, signOutTokenIn } from './team.ts';

const SESSION = '__Host-pagetree';
const MINUTE_MS = 60_000;

const isIn = async (browser: TestBrowser) => (await browser.get('/main/')).status === 200;

test('the cookie of a session is for this host alone, for no script, and for no form of another site', async () => {
  const { browser: open, issuer } = await openTeam();
  const { headers } = await logIn(open(), issuer);
  const lines = [headers['set-cookie'] ?? []].flat();
  expect(lines.length).toBe(2);
  for (const line of lines) {
    expect(line).toMatch(/^__Host-pagetree[\w-]*=[^;]*;.* Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(line).not.toContain('Domain');
  }
});

describe('a session is not taken', () => {
  const replaced = (at: number, text: string) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

  test('if any part of its cookie was changed', async () => {
    const { loggedIn } = await openTeam();
    const browser = await loggedIn();
    const good = browser.cookies.get(SESSION) ?? '';
    const parts = good.split('.');
    const beginnings = parts.map((_, at) => parts.slice(0, at).join('.').length + (at === 0 ? 0 : 1));
    const places = [
      ...beginnings,
      ...Array.from({ length: 60 }, (_, at) => Math.floor((good.length * at) / 60)),
    ];
    for (const place of places.filter((at) => good[at] !== '.' && at < good.length)) {
      browser.cookies.set(SESSION, replaced(place, good));
      expect(await isIn(browser), `${place}`).toBe(false);
    }
    browser.cookies.set(SESSION, good);
    expect(await isIn(browser)).toBe(true);
  });

  test('if its cookie is cut off, longer, empty, or something else', async () => {
    const { loggedIn } = await openTeam();
    const browser = await loggedIn();
    const good = browser.cookies.get(SESSION) ?? '';
    const [header, , ...rest] = good.split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    const wrong = [
      ...[1, 10, good.length / 2, good.length - 1].map((length) => good.slice(0, length)),
      ...[`${good}A`, `${good}.`, '', '....', 'null', '{}', `${header}.A.${rest.join('.')}`],
      ...[`${none}.${Buffer.from('{"content":{}}').toString('base64url')}.`, 'x'.repeat(8_000)],
    ];
    for (const value of wrong) {
      browser.cookies.set(SESSION, value);
      expect(await isIn(browser), value).toBe(false);
    }
  });

  test('if another process made it with its own key', async () => {
    const one = await openTeam();
    const { issuer } = one;
    const other = await openTeam({ issuer });
    const browser = await one.loggedIn();
    const foreign = other.browser();
    foreign.cookies.set(SESSION, browser.cookies.get(SESSION) ?? '');
    expect(await isIn(foreign)).toBe(false);
    const sibling = (await openTeam({ issuer, key: one.key })).browser();
    sibling.cookies.set(SESSION, browser.cookies.get(SESSION) ?? '');
    expect(await isIn(sibling)).toBe(true);
  });

  test('if it is the cookie of a login under way, and the other way round', async () => {
    const { browser: open, loggedIn, issuer } = await openTeam();
    const browser = open();
    await beginLogin(browser);
    const [[name = '', pending = ''] = []] = [...browser.cookies];
    browser.cookies.set(SESSION, pending);
    expect(await isIn(browser)).toBe(false);
    const session = (await loggedIn()).cookies.get(SESSION) ?? '';
    const address = await beginLogin(browser);
    for (const each of browser.cookies.keys()) if (each !== SESSION) browser.cookies.set(each, session);
    const state = address.searchParams.get('state');
    expect((await browser.get(`/_/login/callback?code=x&state=${state}&iss=${issuer.address}`)).status).toBe(
      403,
    );
    expect(name).toMatch(/^__Host-pagetree-login-/);
  });

  test('after an hour without use, though an hour passes in use', async () => {
    const { loggedIn, clock } = await openTeam();
    const browser = await loggedIn();
    const first = browser.copy();
    for (let time = 0; time < 6; time += 1) {
      clock.ms += 30 * MINUTE_MS;
      expect(await isIn(browser)).toBe(true);
    }
    // The cookie that was replaced long ago.
    expect(await isIn(first)).toBe(false);
    clock.ms += 60 * MINUTE_MS;
    expect(await isIn(browser)).toBe(false);
  });

  test('after twelve hours, however it is used', async () => {
    const { loggedIn, clock } = await openTeam();
    const browser = await loggedIn();
    for (let time = 0; time < 23; time += 1) {
      clock.ms += 30 * MINUTE_MS;
      expect(await isIn(browser)).toBe(true);
    }
    clock.ms += 30 * MINUTE_MS;
    expect(await isIn(browser)).toBe(false);
  });

  test('after the person signed out, in no copy of it, older or newer', async () => {
    const { loggedIn, clock } = await openTeam();
    const browser = await loggedIn();
    const older = browser.copy();
    clock.ms += 10 * MINUTE_MS;
    const page = await browser.get('/main/');
    expect(browser.cookies.get(SESSION)).not.toBe(older.cookies.get(SESSION));
    const newer = browser.copy();
    expect([await isIn(older), await isIn(newer)]).toEqual([true, true]);
    expect((await browser.post('/_/sign-out', { token: signOutTokenIn(page.text) })).status).toBe(200);
    expect([await isIn(older), await isIn(newer)]).toEqual([false, false]);
    // Another session of the same person goes on.
    const other = await loggedIn();
    expect([await isIn(other), await isIn(newer)]).toEqual([true, false]);
  });
});

test('a cookie in use is replaced after some minutes, with the same session', async () => {
  const { loggedIn, clock } = await openTeam();
  const browser = await loggedIn();
  const cookie = () => browser.cookies.get(SESSION);
  const first = cookie();
  const token = signOutTokenIn((await browser.get('/main/')).text);
  expect(cookie()).toBe(first);
  clock.ms += 5 * MINUTE_MS;
  expect(signOutTokenIn((await browser.get('/main/')).text)).toBe(token);
  expect(cookie()).not.toBe(first);
});

test('without a session a page leads to the login, and everything else is refused', async () => {
  const { browser: open } = await openTeam();
  const browser = open();
  for (const path of [
    '/',
    '/main/',
    '/main/Home',
    '/_/now',
    '/_/main/search?q=x',
    '/none/',
    '/_/main/files/a.png',
  ]) {
    const { status, location, headers } = await browser.get(path);
    expect([status, location]).toEqual([303, `/_/login?${new URLSearchParams({ to: path })}`]);
    expect(headers['cache-control']).toBe('no-store');
  }
  const script = { accept: '*/*', 'sec-fetch-mode': 'cors' };
  for (const headers of [
    script,
    { ...script, accept: 'text/html' },
    { ...script, accept: 'text/event-stream' },
  ]) {
    for (const path of [
      '/main/Home',
      '/_/live',
      '/_/main/live',
      '/_/main/graph.json',
      '/_/main/files/a.png',
    ]) {
      expect((await browser.send(path, { headers })).status, path).toBe(401);
    }
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
    expect((await browser.send('/main/Home', { method })).status, method).toBe(401);
  }
  for (const method of ['GET', 'POST']) expect((await browser.send('/mcp', { method })).status).toBe(401);
});

test('the scripts of the pages, the login and nothing else are for everybody', async () => {
  const { browser: open, loggedIn } = await openTeam();
  const page = await (await loggedIn()).get('/main/');
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? [];
  const browser = open();
  for (const path of [script, '/_/third-party-notices.txt', '/_/login', '/_/signed-out'])
    expect((await browser.get(path)).status, path).toBe(200);
  for (const path of [script, '/_/login', '/_/signed-out']) {
    const { headers } = await browser.get(path);
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  }
});

test('no cache keeps what a person was shown for the next one', async () => {
  const { loggedIn, run } = await openTeam();
  await run('write_page', { path: 'Page', content: 'text\n' });
  await run('put_attachment', { path: 'a.png', content: 'AAAA' });
  const [one, other] = [await loggedIn(), await loggedIn({ sub: 'grace', name: 'Grace Hopper' })];
  for (const path of [
    '/main/Page',
    '/_/main/changes',
    '/_/main/files/a.png',
    '/main/None',
    '/main/Page?view=edit',
    '/main',
  ]) {
    const { headers } = await one.get(path);
    expect(headers['cache-control'], path).toMatch(/^(no-store|private, no-cache)$/);
    expect(headers.vary, path).toBe('Cookie');
    expect(headers['referrer-policy'], path).toBe('same-origin');
    expect(headers['strict-transport-security'], path).toBe('max-age=31536000');
  }
  const { headers, text } = await one.get('/main/Page');
  const tag = { 'if-none-match': `${headers.etag}` };
  expect(text).toContain('Ada Lovelace');
  expect((await one.get('/main/Page', tag)).status).toBe(304);
  const shown = await other.get('/main/Page', tag);
  expect([shown.status, shown.text.includes('Grace Hopper'), shown.text.includes('Ada')]).toEqual([
    200,
    true,
    false,
  ]);
  // Another login of the same person has another token to sign out.
  expect((await (await loggedIn()).get('/main/Page', tag)).status).toBe(200);
});

test('what is sent stays within what proxies take', async () => {
  const { loggedIn } = await openTeam({
    rules: [{ groups: [groupOf(199)], wikis: ['main'], may: 'write' }],
  });
  const groups = Array.from({ length: 200 }, (_, at) => groupOf(at));
  const long = {
    sub: 's'.repeat(255),
    name: '"'.repeat(500),
    email: `${'e'.repeat(64)}@${'d'.repeat(140)}.org`,
  };
  const browser = await loggedIn({ ...long, groups });
  for (let tab = 0; tab < 10; tab += 1) await beginLogin(browser);
  const header = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect(browser.cookies.get(SESSION)?.length).toBeLessThan(4_000);
  expect(header.length).toBeLessThan(8_000);
  // The group that a rule names is kept, though not all are.
  expect(await isIn(browser)).toBe(true);
  // A header that is too large is answered by Node itself.
  browser.cookies.set('x', 'x'.repeat(20_000));
  expect((await browser.get('/main/')).status).toBe(431);
});

test('a session of another issuer is not taken, although the key is the same', async () => {
  const before = await openTeam();
  const { cookies } = await before.loggedIn();
  const after = await openTeam({ key: before.key });
  const browser = after.browser();
  browser.cookies.set(SESSION, cookies.get(SESSION) ?? '');
  expect(await isIn(browser)).toBe(false);
});

/** As long as those of Microsoft Entra. */
function groupOf(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
}
