import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteRecords } from '../../src/cli/sqlite-records.ts';
import { KnownPeople } from '../../src/clients/known-people.ts';
import { Gifts } from '../../src/oauth/gifts.ts';
import { MCP, openTeam } from '../login/team.ts';
import { connect, decide, OAuthClient, openConsent } from './oauth-client.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

test('the file of the records has none of the codes and tokens', async () => {
  const { loggedIn, port, directory } = await openTeam();
  const client = new OAuthClient(port);
  await client.register();
  const browser = await loggedIn(ADA);
  const back = await decide(browser, await openConsent(browser, client.authorizeAddress()));
  const code = back.searchParams.get('code') ?? '';
  const { body } = await client.exchange(code);
  const refreshed = await client.refresh(body.refresh_token ?? '');
  const folder = join(directory, '.pagetree');
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  const isThere = (text = '') => bytes.some((each) => each.includes(text));
  // Control: what is there is found.
  expect(isThere(client.id)).toBe(true);
  const { access_token: next, refresh_token: last } = refreshed.body;
  for (const secret of [code, body.access_token, body.refresh_token, next, last]) {
    expect(secret).toMatch(/^[\w-]{40,}$/);
    expect(isThere(secret)).toBe(false);
  }
});

test('of too many clients of one person, those that were not used for longest are disconnected', async () => {
  const { loggedIn, port, gifts, issuer, clock } = await openTeam();
  const client = new OAuthClient(port);
  await client.register();
  const browser = await loggedIn(ADA);
  const first = await connect(browser, client);
  const second = await connect(browser, client);
  const person = { issuer: issuer.address, subject: 'ada', email: null, name: '', groups: [] };
  for (let at = 0; at < 48; at += 1) {
    clock.ms += 1_000;
    await connect(browser, client);
  }
  expect((await gifts.of(first.access_token))?.person.subject).toBe('ada');
  expect(await gifts.list(person)).toHaveLength(50);
  await connect(browser, client);
  expect(await gifts.list(person)).toHaveLength(50);
  expect((await gifts.of(first.access_token))?.person.subject).toBe('ada');
  expect(await gifts.of(second.access_token)).toBeNull();
});

test('a token counts for its resource, and for people of this issuer alone', async () => {
  const { loggedIn, port, directory, issuer } = await openTeam();
  const client = new OAuthClient(port);
  await client.register();
  const { access_token: token } = await connect(await loggedIn(ADA), client);
  const records = await SqliteRecords.open(join(directory, '.pagetree', 'records.sqlite'), Date.now);
  onTestFinished(() => records.close());
  const bearerOf = (from: string, resource: string) =>
    new Gifts(records, new KnownPeople(records, from, Date.now), resource, Date.now).of(token);
  expect((await bearerOf(issuer.address, MCP))?.person.subject).toBe('ada');
  expect(await bearerOf(issuer.address, 'https://other.example/mcp')).toBeNull();
  expect(await bearerOf('https://other.example', MCP)).toBeNull();
});
