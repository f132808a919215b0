import { describe, expect, test } from 'vitest';
import { TestBrowser } from './browser.ts';
import { OwnIssuer } from './own-issuer.ts';
import { answerOf, beginLogin, HOST, logIn, ORIGIN, openTeam } from './team.ts';

const SESSION = '__Host-pagetree';

test('the address to which an issuer sends a person back is of no use in another browser', async () => {
  const { browser: open, issuer } = await openTeam();
  const [victim, thief] = [open(), open()];
  const stolen = await answerOf(await beginLogin(victim), issuer);
  const answer = await thief.get(stolen);
  expect([answer.status, thief.cookies.size]).toEqual([403, 0]);
  // Nor if that browser has begun a login of its own.
  await beginLogin(thief);
  expect((await thief.get(stolen)).status).toBe(403);
  expect(thief.cookies.has(SESSION)).toBe(false);
  expect((await victim.get(stolen)).status).toBe(200);
});

test('a person is not logged in as somebody else by a link to the answer of their login', async () => {
  const { browser: open, issuer } = await openTeam();
  const [attacker, victim] = [open(), open()];
  const link = await answerOf(await beginLogin(attacker), issuer, { claims: { sub: 'mallory' } });
  await beginLogin(victim);
  expect((await victim.get(link, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect(victim.cookies.has(SESSION)).toBe(false);
});

test('the code of somebody else cannot be put into a login', async () => {
  const { browser: open, issuer, audited } = await openTeam();
  const [attacker, victim] = [open(), open()];
  const address = await beginLogin(attacker);
  const code = new URLSearchParams(
    new URL(await answerOf(await beginLogin(victim), issuer), ORIGIN).search,
  ).get('code');
  const answer = await answerOf(address, issuer, { answer: (query) => query.set('code', code ?? '') });
  expect((await attacker.get(answer)).status).toBe(403);
  expect(attacker.cookies.has(SESSION)).toBe(false);
  expect(audited).toMatchObject([{ event: 'login refused' }]);
});

test.each<[how: string, change: (query: URLSearchParams) => void]>([
  ['no state', (query) => query.delete('state')],
  ['an empty state', (query) => query.set('state', '')],
  ['another state', (query) => query.set('state', 'x'.repeat(43))],
  ['a state that only begins like it', (query) => query.set('state', `${query.get('state')?.slice(0, 20)}`)],
  ['two states', (query) => query.append('state', 'x')],
  ['no code', (query) => query.delete('code')],
  ['another code', (query) => query.set('code', 'x')],
  ['two codes', (query) => query.append('code', 'x')],
  ['the name of another issuer', (query) => query.set('iss', 'https://evil.example')],
  ['two names of the issuer', (query) => query.append('iss', 'https://evil.example')],
  ['an error beside the code', (query) => query.set('error', 'access_denied')],
  ['a token in the address', (query) => query.set('response', 'x.y.z')],
])('an answer with %s is refused', async (_, change) => {
  const { browser: open, issuer } = await openTeam();
  const browser = open();
  const { status } = await logIn(browser, issuer, { answer: change });
  expect([status, browser.cookies.has(SESSION)]).toEqual([403, false]);
});

test('the log has no more than a line of what an issuer is said to answer', async () => {
  const { browser: open, issuer, audited } = await openTeam();
  const change = (query: URLSearchParams) => {
    query.delete('code');
    query.set('error', 'x'.repeat(3_000));
  };
  expect((await logIn(open(), issuer, { answer: change })).status).toBe(403);
  const [refused] = audited;
  expect(refused).toMatchObject({
    event: 'login refused',
    reason: expect.stringMatching(/^the issuer says x/),
  });
  expect(JSON.stringify(refused).length).toBeLessThan(400);
});

test('an issuer that names itself in its answers must do so in each (RFC 9207)', async () => {
  const issuer = await OwnIssuer.open();
  issuer.metadata = { authorization_response_iss_parameter_supported: true };
  const { browser: open } = await openTeam({ issuer });
  const unnamed = (query: URLSearchParams) => query.delete('iss');
  expect((await logIn(open(), issuer, { answer: unnamed })).status).toBe(403);
  expect((await logIn(open(), issuer)).status).toBe(200);
});

test('metadata of another issuer is not taken, and is asked for again', async () => {
  const issuer = await OwnIssuer.open();
  issuer.metadata = { issuer: 'https://evil.example' };
  const { browser: open } = await openTeam({ issuer });
  expect((await open().get('/_/login/begin')).status).toBe(503);
  issuer.metadata = {};
  expect((await logIn(open(), issuer)).status).toBe(200);
});

test('an answer counts once, and for ten minutes', async () => {
  const { browser: open, issuer, clock } = await openTeam();
  const browser = open();
  const once = await answerOf(await beginLogin(browser), issuer);
  const copy = browser.copy();
  expect((await browser.get(once)).status).toBe(200);
  expect([...browser.cookies.keys()]).toEqual([SESSION]);
  expect((await browser.get(once)).status).toBe(403);
  // The cookie of the login was copied: the issuer takes its code once.
  expect((await copy.get(once)).status).toBe(403);

  const late = open();
  const answer = await answerOf(await beginLogin(late), issuer);
  clock.ms += 10 * 60_000;
  expect((await late.get(answer)).status).toBe(403);
});

test('several tabs log in beside each other; of many logins that were begun the oldest are forgotten', async () => {
  const { browser: open, issuer } = await openTeam();
  const browser = open();
  const addresses: URL[] = [];
  for (let tab = 0; tab < 8; tab += 1) {
    addresses.push(await beginLogin(browser, `/main/Tab${tab}`));
    expect(browser.cookies.size).toBe(Math.min(tab + 1, 4));
  }
  const [oldest, , , , , , other, newest] = await Promise.all(
    addresses.map((address) => answerOf(address, issuer)),
  );
  expect((await browser.get(oldest ?? '')).status).toBe(403);
  for (const [answer, tab] of [
    [other, 6],
    [newest, 7],
  ] as const) {
    expect((await browser.get(answer ?? '')).text).toContain(`url=/main/Tab${tab}`);
  }
  // A foreign page of the same host could have planted them.
  for (let each = 0; each < 30; each += 1) browser.cookies.set(`${SESSION}-login-${each}`, 'x'.repeat(100));
  await beginLogin(browser);
  expect([...browser.cookies.keys()].filter((name) => name.includes('-login-')).length).toBeLessThanOrEqual(
    4,
  );
});

test('a foreign page cannot begin a login', async () => {
  const { browser: open, issuer } = await openTeam();
  for (const site of ['cross-site', 'same-site']) {
    const browser = open();
    const { status, location } = await browser.get('/_/login/begin?to=/main/', { 'sec-fetch-site': site });
    expect([status, location]).toEqual([303, '/_/login?to=%2Fmain%2F']);
    expect(browser.cookies.size).toBe(0);
  }
  expect(issuer.discoveries).toBe(0);
});

describe('a login leads back to this site alone', () => {
  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/./\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'https://evil.example/',
    'HTTPS:evil.example',
    'https:/evil.example',
    `${ORIGIN}@evil.example`,
    '@evil.example',
    '.evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' //evil.example',
    '/\u0000/evil.example',
    '/\u2028//evil.example\u0085',
    '/_/login?to=/_/login',
    '',
    `/${'x'.repeat(2_000)}`,
    `/${'\u6f22'.repeat(1_400)}`,
  ])('not to %j', async (to) => {
    const { browser: open, issuer } = await openTeam();
    const browser = open();
    const offered = await browser.get(`/_/login?${new URLSearchParams({ to })}`);
    expect(offered.text).not.toContain('evil');
    const landed = await logIn(browser, issuer, { to });
    const [, leads = ''] = /content="0; url=([^"]*)"/.exec(landed.text) ?? [];
    const address = new URL(leads, ORIGIN);
    expect(address.origin).toBe(ORIGIN);
    expect(leads.startsWith('//')).toBe(false);
    expect(landed.text).not.toMatch(/(href|url)="?(\/\/|\/\\|https?:|javascript:|data:)/i);
    // With a session the login leads on at once.
    const again = await browser.get(`/_/login?${new URLSearchParams({ to })}`);
    expect(again.status).toBe(303);
    expect(new URL(again.location, ORIGIN).origin).toBe(ORIGIN);
    expect(again.location.startsWith('//')).toBe(false);
  });

  test.each(['/main/A%20b?view=edit&x=%2F%2Fevil.example', '/main/Ä', '/_/main/search?q=a+b'])(
    'to %s',
    async (to) => {
      const { browser: open, issuer } = await openTeam();
      const { text } = await logIn(open(), issuer, { to });
      expect(text).toContain(`url=${new URL(to, ORIGIN).pathname}`);
    },
  );
});

describe('a session cannot be fixed before the login', () => {
  test('a cookie from before the login is not used by it', async () => {
    const { browser: open, issuer, loggedIn } = await openTeam();
    const attacker = await loggedIn({ sub: 'mallory', name: 'Mallory' });
    const planted = attacker.cookies.get(SESSION) ?? '';
    const victim = open();
    victim.cookies.set(SESSION, planted);
    await logIn(victim, issuer);
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    expect((await victim.get('/main/')).text).toContain('Ada Lovelace');
    // The session that was planted has ended, for the attacker too.
    expect((await attacker.get('/main/')).status).toBe(303);
  });

  test('each login has a session of its own', async () => {
    const { loggedIn } = await openTeam();
    const [one, other] = [await loggedIn(), await loggedIn()];
    const token = async (browser: TestBrowser) =>
      /name="token" value="([^"]*)"/.exec((await browser.get('/main/')).text)?.[1];
    expect(await token(one)).not.toBe(await token(other));
  });
});

test('a request for another host is refused, whatever a proxy says of it', async () => {
  const { port, loggedIn } = await openTeam();
  const browser = await loggedIn();
  const other = new TestBrowser(port, 'evil.example');
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  for (const path of ['/main/', '/_/login', '/_/login/begin', '/_/third-party-notices.txt'])
    expect((await other.get(path, { 'x-forwarded-host': HOST })).status, path).toBe(421);
  const posing = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  const offered = await new TestBrowser(port, HOST).get('/_/login/begin', posing);
  expect(new URL(offered.location).searchParams.get('redirect_uri')).toBe(`${ORIGIN}/_/login/callback`);
});
