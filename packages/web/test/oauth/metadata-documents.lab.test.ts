import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { installPrograms } from '../../../../labs/requirements.ts';
import { openTeam } from '../login/team.ts';
import { openClientHost, type Serve } from './client-host.ts';
import { connect, decide, OAuthClient, openConsent, REDIRECT } from './oauth-client.ts';
import { ERAS, writeBySdk } from './sdk-flow.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

beforeAll(() => installPrograms({ openssl: 'openssl' }));
afterEach(() => vi.useRealTimers());

test('a client is known by the document at its address, and the consent names its host', async () => {
  const { id, host, reaching, served } = await openClientHost();
  const { loggedIn, port } = await openTeam({ reaching });
  const client = new OAuthClient(port);
  client.id = id;
  const browser = await loggedIn(ADA);
  const { page } = await openConsent(browser, client.authorizeAddress());
  expect(page.text).toContain('<bdi>Documented</bdi>');
  expect(page.text).toContain(`The client is of <strong><bdi>${host}</bdi></strong>`);
  const tokens = await connect(browser, client);
  expect((await client.refresh(tokens.refresh_token ?? '')).status).toBe(200);
  expect(served.count).toBe(1);
});

test.each(ERAS)('the client of the SDK (%j) is known by its document', async (mode) => {
  const { id, reaching } = await openClientHost();
  const { loggedIn, port, directory } = await openTeam({ reaching });
  const browser = await loggedIn(ADA);
  const { asked, commit } = await writeBySdk(mode, { browser, port, directory, document: id });
  expect(asked.searchParams.get('client_id')).toBe(id);
  expect(commit).toMatch(/^Ada <ada@example\.org>\nCreate Plan\n[\s\S]*Agent: sdk\/2/);
});

test.each([
  {
    // https://github.com/anthropics/claude-code/issues/90370: it takes a port, which its document does not name.
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    redirect: 'http://localhost:58135/callback',
  },
  {
    // https://github.com/github/copilot-cli/issues/4901: it takes another port than its document names.
    client_name: 'GitHub Copilot CLI',
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1:33418/'],
    redirect: 'http://127.0.0.1:61876/',
  },
  {
    // https://github.com/django-oauth/django-oauth-toolkit/issues/1857: of its two ways it takes the one that we offer.
    client_name: 'ChatGPT',
    client_uri: 'https://chatgpt.com/',
    redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    redirect: 'https://chatgpt.com/connector_platform_oauth_redirect',
  },
])('the document of $client_name, as it is published, is enough', async ({ redirect, ...published }) => {
  const { id, reaching, document } = await openClientHost();
  document(published);
  const { loggedIn, port } = await openTeam({ reaching });
  const client = new OAuthClient(port);
  client.id = id;
  const browser = await loggedIn(ADA);
  const consent = await openConsent(browser, client.authorizeAddress({ redirect_uri: redirect }));
  expect(consent.page.text).toContain(`<bdi>${published.client_name}</bdi>`);
  const back = await decide(browser, consent);
  const code = back.searchParams.get('code') ?? '';
  const { status, body } = await client.exchange(code, { redirect_uri: redirect });
  expect(status).toBe(200);
  expect((await client.refresh(body.refresh_token ?? '')).status).toBe(200);
});

test.each<[string, (id: string) => Serve]>([
  ['is too large', () => (_, response) => response.end(JSON.stringify({ x: 'x'.repeat(20_000) }))],
  ['never ends', () => (_, response) => void response.write('{')],
  ['never begins', () => () => {}],
  [
    'redirects',
    (id) => (_, response) => response.writeHead(302, { location: id.replace('client', 'other') }).end(),
  ],
  ['is not there', () => (_, response) => response.writeHead(404).end('{}')],
  ['is no JSON', () => (_, response) => response.end('<html>')],
  ['is a list', () => (_, response) => response.end('[]')],
  [
    'is of another client',
    (id) => (_, response) => response.end(JSON.stringify({ client_id: `${id}x`, redirect_uris: [REDIRECT] })),
  ],
  ['names no client', () => (_, response) => response.end(JSON.stringify({ redirect_uris: [REDIRECT] }))],
  [
    'has a wrong address',
    (id) => (_, response) => response.end(JSON.stringify({ client_id: id, redirect_uris: ['javascript:x'] })),
  ],
])('a client whose document %s is refused', async (_, serveFor) => {
  const { id, reaching, served } = await openClientHost();
  served.serve = serveFor(id);
  const { loggedIn, port } = await openTeam({ reaching });
  const client = new OAuthClient(port);
  client.id = id;
  const browser = await loggedIn(ADA);
  const { status, location } = await browser.get(client.authorizeAddress());
  expect([status >= 400, location]).toEqual([true, '']);
});

test('nobody makes the server fetch a document without being logged in', async () => {
  const { id, reaching, served } = await openClientHost();
  const { browser, port } = await openTeam({ reaching });
  const client = new OAuthClient(port);
  client.id = id;
  expect((await browser().get(client.authorizeAddress())).status).toBe(303);
  for (const path of ['/_/oauth/token', '/_/oauth/revoke']) {
    const asked = { token: 'x', grant_type: 'refresh_token', refresh_token: 'x' };
    expect((await client.token(asked, path)).body.error).toBe('invalid_client');
  }
  expect(served.count).toBe(0);
});

test('a document is read again while a person decides, and for tokens of its client', async () => {
  const { id, reaching, served } = await openClientHost();
  const { loggedIn, port, clock } = await openTeam({ reaching });
  const client = new OAuthClient(port);
  client.id = id;
  const pass = () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
    clock.ms = Date.now();
  };
  const browser = await loggedIn(ADA);
  const consent = await openConsent(browser, client.authorizeAddress());
  pass();
  const back = await decide(browser, consent);
  const { body } = await client.exchange(back.searchParams.get('code') ?? '');
  pass();
  expect((await client.refresh(body.refresh_token ?? '')).status).toBe(200);
  expect(served.count).toBe(3);
});

test('a document that changed is asked about as it is now', async () => {
  const { id, reaching, document, served } = await openClientHost();
  const { loggedIn, port, clock } = await openTeam({ reaching });
  const client = new OAuthClient(port);
  client.id = id;
  const browser = await loggedIn(ADA);
  await connect(browser, client);
  document({ client_name: 'Taken over', redirect_uris: ['https://evil.example/cb'] });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
  clock.ms = Date.now();
  expect((await browser.get(client.authorizeAddress())).status).toBe(400);
  const { page } = await openConsent(
    browser,
    client.authorizeAddress({ redirect_uri: 'https://evil.example/cb' }),
  );
  expect(page.text).toContain('<bdi>Taken over</bdi>');
  expect(page.text).toContain('<bdi>evil.example</bdi>');
  expect(served.count).toBe(2);
});
