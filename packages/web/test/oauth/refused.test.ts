import { describe, expect, test } from 'vitest';
import { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import type { TestBrowser } from '../login/browser.ts';
import { answerOf, HOST, MCP, ORIGIN, openTeam } from '../login/team.ts';
import { connect, decide, OAuthClient, openConsent, proofIn, REDIRECT } from './oauth-client.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };
const GRACE = { sub: 'grace', email: 'grace@example.org', email_verified: true, name: 'Grace' };

async function openClient(more: object = {}) {
  const team = await openTeam();
  const client = new OAuthClient(team.port);
  await client.register(more);
  const browser = await team.loggedIn(ADA);
  const statusOf = async (token = '') => {
    const http = new RawHttp(MCP, { Authorization: `Bearer ${token}` }, fetchAs(HOST, team.port));
    return (await http.modern('tools/list')).status;
  };
  return { ...team, client, browser, statusOf };
}

/** Where a request for authorization leads: to the consent, back to the client with an error, or nowhere. */
async function outcome(browser: TestBrowser, address: string): Promise<string> {
  const { status, location } = await browser.get(address);
  if (location.startsWith('/_/oauth/consent/')) return 'consent';
  if (location.startsWith(REDIRECT)) {
    const { searchParams, hash } = new URL(location);
    return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error') ?? 'no error';
  }
  return `${status}`;
}

test('requests that are not as they must be are refused, and none leads anywhere but to a registered address', async () => {
  const { client, browser } = await openClient({ redirect_uris: [REDIRECT, 'https://client.example/cb'] });
  const cases: [Record<string, string | null>, string][] = [
    [{}, 'consent'],
    [{ scope: null }, 'consent'],
    [{ scope: 'openid email admin wiki:read' }, 'consent'],
    [{ resource: null }, 'consent'],
    [{ resource: `${MCP}/` }, 'consent'],
    [{ state: null }, 'consent'],
    [{ scope: 'openid', nonce: 'x', max_age: '0', acr_values: 'x', id_token_hint: 'x' }, 'consent'],
    // A program takes any port that is free (RFC 8252).
    [{ redirect_uri: 'http://127.0.0.1:9/callback' }, 'consent'],
    [{ code_challenge: null }, 'invalid_request'],
    [{ code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: null }, 'invalid_request'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ resource: `${ORIGIN}/other` }, 'invalid_target'],
    [{ resource: `${MCP}//` }, 'invalid_target'],
    [{ request_uri: 'https://client.example/request' }, 'request_uri_not_supported'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ prompt: 'none' }, 'login_required'],
    [{ client_id: 'nobody' }, '400'],
    [{ redirect_uri: 'http://127.0.0.1:4567/other' }, '400'],
    [{ redirect_uri: 'http://localhost:4567/callback' }, '400'],
    [{ redirect_uri: `${REDIRECT}/more` }, '400'],
    [{ redirect_uri: `${REDIRECT}?more=1` }, '400'],
    [{ redirect_uri: 'https://client.example/cb/../evil' }, '400'],
    [{ redirect_uri: 'https://client.example.evil.example/cb' }, '400'],
    [{ redirect_uri: 'https://client.example:444/cb' }, '400'],
    [{ redirect_uri: 'https://client.example/cb#x' }, '400'],
    [{ redirect_uri: 'https://evil.example/' }, '400'],
    [{ redirect_uri: 'javascript:alert(1)' }, '400'],
    [{ redirect_uri: null }, '400'],
  ];
  for (const [changed, expected] of cases) {
    const seen = await outcome(browser, client.authorizeAddress(changed));
    expect([changed, seen]).toEqual([changed, expected]);
  }
  // An error says by whom it is, so that a client takes none for that of another server.
  const { location } = await browser.get(client.authorizeAddress({ resource: 'https://other.example/' }));
  expect(new URL(location).searchParams.get('iss')).toBe(ORIGIN);
});

test('a code counts once, and a second use of it revokes the tokens of the first', async () => {
  const { client, browser, statusOf, port } = await openClient();
  const code = async () =>
    (await decide(browser, await openConsent(browser, client.authorizeAddress()))).searchParams.get('code') ??
    '';
  const first = await code();
  const got = await client.exchange(first);
  expect([got.status, await statusOf(got.body.access_token)]).toEqual([200, 200]);
  expect((await client.exchange(first)).body.error).toBe('invalid_grant');
  expect(await statusOf(got.body.access_token)).toBe(401);
  expect((await client.refresh(got.body.refresh_token ?? '')).body.error).toBe('invalid_grant');

  const twice = await code();
  const both = await Promise.all([client.exchange(twice), client.exchange(twice)]);
  expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);

  const wrong: [Record<string, string>, string][] = [
    [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ redirect_uri: 'http://127.0.0.1:4568/callback' }, 'invalid_grant'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
  ];
  for (const [changed, error] of wrong) {
    const { status, body } = await client.exchange(await code(), changed);
    expect([changed, status, body.error]).toEqual([changed, 400, error]);
  }
  const other = new OAuthClient(port);
  await other.register();
  const stolen = await code();
  expect((await client.exchange(stolen, { client_id: 'nobody' })).body.error).toBe('invalid_client');
  expect((await other.exchange(stolen)).body.error).toBe('invalid_grant');
});

test('a refresh token counts once, and its second use ends all that followed from it', async () => {
  const { client, browser, statusOf, audited } = await openClient();
  const first = await connect(browser, client);
  const second = await client.refresh(first.refresh_token ?? '');
  const third = await client.refresh(second.body.refresh_token ?? '');
  expect([third.status, await statusOf(third.body.access_token)]).toEqual([200, 200]);
  expect((await client.refresh(first.refresh_token ?? '')).body.error).toBe('invalid_grant');
  expect(await statusOf(third.body.access_token)).toBe(401);
  expect((await client.refresh(third.body.refresh_token ?? '')).body.error).toBe('invalid_grant');
  expect((await browser.get('/_/clients')).text).not.toContain('Test client');
  const twice = { event: 'token used twice', person: expect.objectContaining({ subject: 'ada' }) };
  expect(audited.filter(({ event }) => event.startsWith('token'))).toEqual([expect.objectContaining(twice)]);

  const again = await connect(browser, client);
  const raced = await Promise.all(Array.from({ length: 5 }, () => client.refresh(again.refresh_token ?? '')));
  expect(raced.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
});

test('a client revokes its token, and nobody gets one without a person who is known', async () => {
  const { client, browser, statusOf, clock, audited } = await openClient();
  const tokens = await connect(browser, client);
  expect((await client.token({ token: tokens.refresh_token ?? '' }, '/_/oauth/revoke')).status).toBe(200);
  expect((await client.refresh(tokens.refresh_token ?? '')).body.error).toBe('invalid_grant');
  expect(await statusOf(tokens.access_token)).toBe(401);
  expect((await browser.get('/_/clients')).text).not.toContain('Test client');
  expect(audited.map(({ event }) => event)).toContain('client left');
  const other = await connect(browser, client);
  expect((await client.token({ token: other.access_token }, '/_/oauth/revoke')).status).toBe(200);
  expect((await client.refresh(other.refresh_token ?? '')).body.error).toBe('invalid_grant');
  const later = await connect(browser, client);
  expect((await browser.get('/_/clients')).text).toContain('Test client');
  clock.ms += 31 * 24 * 3_600_000;
  expect(await statusOf(later.access_token)).toBe(401);
  expect((await client.refresh(later.refresh_token ?? '')).body.error).toBe('invalid_grant');
  for (const fields of [
    { grant_type: 'client_credentials' },
    { grant_type: 'password', username: 'ada', password: 'x' },
    { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
  ])
    expect((await client.token(fields)).body.error).toBe('unsupported_grant_type');
});

describe('the consent', () => {
  test('is of the person who is logged in, and of the browser that began', async () => {
    const { client, browser, loggedIn, gifts, issuer } = await openClient();
    const consent = await openConsent(browser, client.authorizeAddress());
    const { headers } = consent.page;
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
    const grace = await loggedIn(GRACE);
    const allow = { token: proofIn(consent.page), may: 'write', where: '', do: 'allow' };
    // Another browser has no cookie of this request.
    expect((await grace.get(consent.path)).text).toContain('or in another browser');
    expect((await grace.post(consent.path, allow)).status).toBe(400);
    // Nor may she decide about it if somebody gave her that cookie.
    grace.cookies.set('pagetree-oauth', browser.cookies.get('pagetree-oauth') ?? '');
    expect((await grace.get(consent.path)).text).toContain('was begun by another person');
    const graces = await openConsent(grace, client.authorizeAddress());
    expect((await browser.post(consent.path, { ...allow, token: proofIn(graces.page) })).status).toBe(403);
    expect((await browser.post(consent.path, { ...allow, token: '' })).status).toBe(403);
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect((await browser.post(consent.path, allow, headers)).status).toBe(403);
    const person = { issuer: issuer.address, subject: 'ada', email: null, name: '', groups: [] };
    expect(await gifts.list(person)).toEqual([]);
    expect((await browser.post(consent.path, allow)).status).toBe(200);
    // It was answered.
    expect((await browser.post(consent.path, { ...allow, do: 'deny' })).status).toBe(400);
    expect(await gifts.list(person)).toHaveLength(1);
  });

  test('leads over the login, is asked each time, and a refusal reaches the client', async () => {
    const {
      client,
      browser: newBrowser,
      loggedIn,
    } = await openTeam().then(async (team) => {
      const client = new OAuthClient(team.port);
      await client.register();
      return { ...team, client };
    });
    const address = client.authorizeAddress();
    const away = await newBrowser().get(address);
    expect([away.status, away.location]).toEqual([303, `/_/login?to=${encodeURIComponent(address)}`]);
    const browser = await loggedIn(ADA);
    await connect(browser, client);
    const denied = await decide(browser, await openConsent(browser, client.authorizeAddress()), {
      do: 'deny',
    });
    expect(denied.searchParams.get('error')).toBe('access_denied');
    expect([denied.searchParams.get('state'), denied.searchParams.get('iss')]).toEqual(['the state', ORIGIN]);
  });

  test('leaves the window to the page that opened it, on all of the way', async () => {
    const { browser: newBrowser, port, issuer } = await openTeam();
    const client = new OAuthClient(port);
    await client.register();
    const browser = newBrowser();
    const address = client.authorizeAddress();
    const away = await browser.get(address);
    const login = await browser.get(away.location);
    const begun = await browser.get(`/_/login/begin?${new URLSearchParams({ to: address })}`);
    const landed = await browser.get(await answerOf(new URL(begun.location), issuer, { claims: ADA }));
    const asked = await browser.get(address);
    const page = await browser.get(asked.location);
    const allow = { token: proofIn(page), may: 'write', where: '', do: 'allow' };
    const allowed = await browser.post(asked.location, allow);
    const [, onward = ''] = /content="0; url=([^"]*)"/.exec(allowed.text) ?? [];
    const back = await browser.get(onward);
    expect(back.location.startsWith(REDIRECT)).toBe(true);
    for (const { headers } of [away, login, begun, landed, asked, page, allowed, back])
      expect(headers['cross-origin-opener-policy']).toBe('unsafe-none');
    const { headers } = await browser.get('/_/clients');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  });

  test('gives less than what was asked, and never more', async () => {
    const { client, browser, port, run } = await openClient();
    await run('write_page', { path: 'Public/Tea', content: 'tea\n' });
    await run('write_page', { path: 'Secret', content: 'no\n' });
    const toolsOf = async (token: string) => {
      const http = new RawHttp(MCP, { Authorization: `Bearer ${token}` }, fetchAs(HOST, port));
      const call = async (name: string, args: object) =>
        JSON.stringify((await http.modern('tools/call', { name, arguments: args })).messages.at(-1));
      return call;
    };
    const less = await connect(browser, client, { may: 'read', where: 'main/Public' });
    expect(less.scope).toBe('wiki:read');
    const call = await toolsOf(less.access_token);
    expect(await call('read_page', { path: 'Public/Tea' })).toContain('tea');
    expect(await call('read_page', { path: 'Secret' })).toContain('not_found');
    expect(await call('write_page', { path: 'Public/New', content: 'x' })).toContain('"isError":true');

    // A client may ask for less when it refreshes.
    const more = await connect(browser, client);
    const fields = {
      grant_type: 'refresh_token',
      refresh_token: more.refresh_token ?? '',
      scope: 'wiki:read',
    };
    const handedOn = await client.token(fields);
    expect(handedOn.body.scope).toBe('wiki:read');
    const narrow = await toolsOf(handedOn.body.access_token);
    expect(await narrow('read_page', { path: 'Secret' })).toContain('no');
    expect(await narrow('write_page', { path: 'New', content: 'x' })).toContain('"isError":true');

    // The client asks to read alone, and the form is made to say more.
    const consent = await openConsent(browser, client.authorizeAddress({ scope: 'wiki:read' }));
    expect(consent.page.text).not.toContain('value="write"');
    const back = await decide(browser, consent, { may: 'write' });
    const { body } = await client.exchange(back.searchParams.get('code') ?? '');
    expect(body.scope).toBe('wiki:read');
    const reading = await toolsOf(body.access_token);
    expect(await reading('write_page', { path: 'New', content: 'x' })).toContain('"isError":true');
    const wrong = await browser.post(consent.path, { token: 'x' });
    expect(wrong.status).toBe(400);
  });

  test('shows a name that cannot pass for the page itself', async () => {
    const { browser, port } = await openClient();
    const client = new OAuthClient(port);
    await client.register({
      client_name: `<b>Claude</b>\u202egpj\n\n${'x'.repeat(500)}`,
      redirect_uris: ['https://evil.example/cb'],
    });
    const { page } = await openConsent(
      browser,
      client.authorizeAddress({ redirect_uri: 'https://evil.example/cb' }),
    );
    expect(page.text).not.toMatch(/<b>Claude|\u202e|x{70}/);
    expect(page.text).toContain('<bdi>evil.example</bdi>');
  });
});
