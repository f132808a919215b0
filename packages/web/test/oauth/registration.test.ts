import { expect, test } from 'vitest';
import { fetchAs } from '../clients/fetch-as.ts';
import { HOST, MCP, ORIGIN, openTeam } from '../login/team.ts';
import { connect, OAuthClient, openConsent } from './oauth-client.ts';

test.each([
  [[]],
  [['http://client.example/cb']],
  [['https://localhost/cb']],
  [['javascript:alert(1)']],
  [['JavaScript:alert(1)']],
  [[' javascript:alert(1)']],
  [['java\nscript:alert(1)']],
  [['data:text/html,x']],
  [['intent://x#Intent;scheme=https;end']],
  [['intent://x']],
  [['mailto:a@client.example']],
  [['https://client.example/cb#fragment']],
  [['https://a:b@client.example/cb']],
  [['not an address']],
  [['https://client.example/cb', 'file:///etc/passwd']],
  [Array.from({ length: 21 }, (_, at) => `https://client.example/${at}`)],
  [[`https://client.example/${'x'.repeat(1_000)}`]],
  ['https://client.example/cb'],
])('a client with the addresses %j is not registered', async (redirect_uris) => {
  const { port } = await openTeam();
  const { status, body } = await new OAuthClient(port).register({ redirect_uris });
  expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
});

test('nothing else of a registration is kept, and floods of them are refused', async () => {
  const { port } = await openTeam();
  const { body } = await new OAuthClient(port).register({
    ...{ token_endpoint_auth_method: 'client_secret_basic', client_secret: 'mine', scope: 'admin' },
    ...{
      logo_uri: 'http://169.254.169.254/',
      jwks_uri: 'http://127.0.0.1/',
      sector_identifier_uri: 'https://x.example',
    },
    ...{
      redirect_uris: [
        'cursor://anysphere.cursor-retrieval/oauth/cb',
        'http://localhost/',
        'https://vscode.dev/redirect',
      ],
    },
  });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['logo_uri']));
  expect(JSON.stringify(body)).not.toMatch(/169\.254|mine|sector|jwks_uri|client_secret"/);
  expect(body.token_endpoint_auth_method).toBe('none');
  const statuses = [];
  for (let at = 0; at < 62; at += 1) statuses.push((await new OAuthClient(port).register()).status);
  expect(statuses.slice(0, 59)).toEqual(Array.from({ length: 59 }, () => 201));
  expect(statuses.slice(59)).toEqual([429, 429, 429]);
});

test.each([
  {
    // https://github.com/jlowin/fastmcp/issues/1868
    client_name: 'Visual Studio Code',
    client_uri: 'https://code.visualstudio.com',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    redirect_uris: [
      ...['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect'],
      ...['http://localhost/', 'http://127.0.0.1/', 'http://localhost:33418/', 'http://127.0.0.1:33418/'],
    ],
    chosen: ['http://127.0.0.1:33418/', 'http://localhost:51234/', 'https://vscode.dev/redirect'],
  },
  {
    // https://github.com/erp-mafia/accounted/pull/2225
    client_name: 'Cursor',
    redirect_uris: [
      ...['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ],
    chosen: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
  },
])('$client_name registers as it does, and the person is asked', async ({ chosen, ...metadata }) => {
  const { port, loggedIn } = await openTeam();
  const client = new OAuthClient(port);
  expect((await client.register(metadata)).status).toBe(201);
  const browser = await loggedIn({ sub: 'ada' });
  for (const redirect_uri of chosen) {
    const { page } = await openConsent(browser, client.authorizeAddress({ redirect_uri }));
    expect(page.text).toContain(`<bdi>${metadata.client_name}</bdi>`);
  }
});

test('what a proxy or a client claims about the host changes nothing', async () => {
  const { port } = await openTeam();
  const headers = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  const send = fetchAs(HOST, port);
  const metadata = await (await send(`${ORIGIN}/.well-known/oauth-authorization-server`, { headers })).json();
  expect(metadata).toEqual({
    issuer: ORIGIN,
    authorization_endpoint: `${ORIGIN}/_/oauth/authorize`,
    token_endpoint: `${ORIGIN}/_/oauth/token`,
    registration_endpoint: `${ORIGIN}/_/oauth/register`,
    revocation_endpoint: `${ORIGIN}/_/oauth/revoke`,
    scopes_supported: ['wiki:read', 'wiki:write', 'offline_access'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  for (const path of ['', '/mcp']) {
    const resource = await (
      await send(`${ORIGIN}/.well-known/oauth-protected-resource${path}`, { headers })
    ).json();
    expect(resource).toMatchObject({ resource: MCP, authorization_servers: [ORIGIN] });
  }
  for (const path of [
    '/_/oauth/jwks',
    '/_/oauth/userinfo',
    '/_/oauth/introspect',
    '/me',
    '/session/end',
    '/device',
    '/token',
  ])
    expect([path, (await send(ORIGIN + path, { method: 'POST' })).status >= 400]).toEqual([path, true]);
});

test('a client that nobody connected is forgotten after a day, and one that somebody did is not', async () => {
  const { port, loggedIn, clock } = await openTeam();
  const [used, unused] = [new OAuthClient(port), new OAuthClient(port)];
  await used.register();
  await unused.register();
  await connect(await loggedIn({ sub: 'ada' }), used);
  clock.ms += 25 * 3_600_000;
  const browser = await loggedIn({ sub: 'ada' });
  expect((await browser.get(used.authorizeAddress())).status).toBe(303);
  const forgotten = await browser.get(unused.authorizeAddress());
  expect([forgotten.status, forgotten.text]).toEqual([400, expect.stringContaining('add it again')]);
  // By 401 a client learns that it has to register again.
  const asked = await unused.refresh('x');
  expect([asked.status, asked.body.error]).toEqual([401, 'invalid_client']);
});
