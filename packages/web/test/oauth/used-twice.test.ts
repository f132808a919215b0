import { expect, onTestFinished, test } from 'vitest';
import { RecordsInTable } from '../../src/lambda/records-in-table.ts';
import { dynamoDbAt, standIn } from '../lambda/aws-of-team.ts';
import { openTeam } from '../login/team.ts';
import { connect, decide, OAuthClient, openConsent } from './oauth-client.ts';

const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

/** Records in a table: unlike those in a file, two requests both look before either of them writes. */
async function openClient() {
  const { url, stop } = await standIn({});
  onTestFinished(stop);
  const team = await openTeam({ records: new RecordsInTable(dynamoDbAt(url), 'records', Date.now) });
  const client = new OAuthClient(team.port);
  await client.register();
  return { ...team, client, browser: await team.loggedIn(ADA) };
}

test('a refresh token that is used twice at once ends all that followed from it', async () => {
  const { client, browser, audited } = await openClient();
  const { refresh_token: token = '' } = await connect(browser, client);
  const both = await Promise.all([client.refresh(token), client.refresh(token)]);
  for (const { status, body } of both)
    if (status === 200)
      expect((await client.refresh(body.refresh_token ?? '')).body.error).toBe('invalid_grant');
  expect(audited.map(({ event }) => event)).toContain('token used twice');
});

test('a code that is used twice at once gives no tokens that count', async () => {
  const { client, browser } = await openClient();
  const back = await decide(browser, await openConsent(browser, client.authorizeAddress()));
  const code = back.searchParams.get('code') ?? '';
  const both = await Promise.all([client.exchange(code), client.exchange(code)]);
  for (const { status, body } of both)
    if (status === 200)
      expect((await client.refresh(body.refresh_token ?? '')).body.error).toBe('invalid_grant');
});
