import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { HOST, MCP, ORIGIN, openTeam } from '../login/team.ts';
import { decide, OAuthClient, openConsent, REDIRECT } from './oauth-client.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

test('a client registers, a person consents, and what it writes is by both', async () => {
  const { loggedIn, port, directory, audited } = await openTeam();
  const browser = await loggedIn(ADA);
  const client = new OAuthClient(port);
  const registered = await client.register();
  expect([registered.status, registered.body.token_endpoint_auth_method]).toEqual([201, 'none']);
  const consent = await openConsent(browser, client.authorizeAddress());
  expect(consent.page.text).toContain('<bdi>Test client</bdi>');
  expect(consent.page.text).toContain('a program on your own machine');
  const back = await decide(browser, consent);
  expect(back.href.startsWith(REDIRECT)).toBe(true);
  expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['the state', ORIGIN]);
  const { status, body } = await client.exchange(back.searchParams.get('code') ?? '');
  expect([status, body.scope]).toEqual([200, 'wiki:read wiki:write']);
  const http = new RawHttp(MCP, { Authorization: `Bearer ${body.access_token}` }, fetchAs(HOST, port));
  const wrote = await http.modern('tools/call', {
    name: 'write_page',
    arguments: { path: 'Plan', content: 'x\n' },
  });
  expect(wrote.status).toBe(200);
  const log = git(join(directory, 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'main']);
  expect(log).toMatch(/^Ada <ada@example\.org>\nCreate Plan\n/);
  expect(log).toContain('Agent: raw-http/0.3');
  expect(audited.map(({ event }) => event)).toContain('client connected');

  const again = await client.refresh(body.refresh_token ?? '');
  expect(again.status).toBe(200);
  const next = new RawHttp(MCP, { Authorization: `Bearer ${again.body.access_token}` }, fetchAs(HOST, port));
  expect((await next.modern('tools/list')).status).toBe(200);

  const page = await browser.get('/_/clients');
  expect(page.text).toContain('Test client');
  const [, proof = '', id = ''] =
    /name="token" value="([^"]*)">\s*<input type="hidden" name="id" value="([^"]*)">\s*<button[^>]*disconnect/.exec(
      page.text,
    ) ?? [];
  expect((await browser.post('/_/clients', { token: proof, id, do: 'disconnect' })).status).toBe(303);
  const person = { subject: 'ada' };
  const revoked = { event: 'client revoked', person, client: { kind: 'oauth', id } };
  expect(audited.filter(({ event }) => event.endsWith('revoked'))).toMatchObject([revoked]);
  for (const each of [http, next]) expect((await each.modern('tools/list')).status).toBe(401);
  expect((await client.refresh(again.body.refresh_token ?? '')).body.error).toBe('invalid_grant');
});

test.each([`${MCP}/`, null])(
  'a client that names the resource as %j gets tokens for it',
  async (resource) => {
    const { loggedIn, port } = await openTeam();
    const client = new OAuthClient(port);
    await client.register();
    const browser = await loggedIn(ADA);
    const back = await decide(browser, await openConsent(browser, client.authorizeAddress({ resource })));
    const named: Record<string, string> = resource === null ? {} : { resource };
    const { body } = await client.exchange(back.searchParams.get('code') ?? '', named);
    const refreshed = await client.token({
      ...{ grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' },
      ...named,
    });
    for (const { access_token } of [body, refreshed.body]) {
      const http = new RawHttp(MCP, { Authorization: `Bearer ${access_token}` }, fetchAs(HOST, port));
      expect((await http.modern('tools/list')).status).toBe(200);
    }
  },
);
