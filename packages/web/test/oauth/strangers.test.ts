import type { Reaching } from '@pagetree/outbound/reaching';
import { expect, test } from 'vitest';
import { openTeam } from '../login/team.ts';
import { OAuthClient, openConsent } from './oauth-client.ts';

const RULES = [{ people: ['ada@example.org'], wikis: ['main'], may: 'write' }];

test('a person who may see no wiki makes the server fetch nothing, and so leaves the documents to others', async () => {
  const looked: string[] = [];
  const lookup = ((name: string, _: object, done: (error: Error) => void) => {
    looked.push(name);
    done(new Error('there is no such host'));
  }) as unknown as Reaching['lookup'];
  const { loggedIn, port } = await openTeam({ rules: RULES, reaching: { lookup, isAllowed: () => true } });
  const client = new OAuthClient(port);
  client.id = 'https://client.example/document';
  const verified = (name: string) => ({
    sub: name,
    email: `${name}@example.org`,
    email_verified: true,
    name,
  });
  const answer = await (await loggedIn(verified('stranger'))).get(client.authorizeAddress());
  expect([answer.status, looked]).toEqual([403, []]);
  await (await loggedIn(verified('ada'))).get(client.authorizeAddress());
  expect(looked).toContain('client.example');
});

test('one person leaves requests to the others', async () => {
  const { loggedIn, port } = await openTeam();
  const client = new OAuthClient(port);
  await client.register();
  const person = (sub: string) => ({ sub, email: `${sub}@example.org`, email_verified: true, name: sub });
  const [ada, grace] = [await loggedIn(person('ada')), await loggedIn(person('grace'))];
  const statuses: number[] = [];
  for (let at = 0; at < 61; at += 1) statuses.push((await ada.get(client.authorizeAddress())).status);
  expect(statuses).toEqual([...Array(60).fill(303), 429]);
  expect((await grace.get(client.authorizeAddress())).status).toBe(303);
});

test('one person who opens a consent again and again leaves documents to the others', async () => {
  const { loggedIn, port } = await openTeam();
  const client = new OAuthClient(port);
  await client.register();
  const ada = await loggedIn({ sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' });
  const { path } = await openConsent(ada, client.authorizeAddress());
  const statuses: number[] = [];
  for (let at = 0; at < 121; at += 1) statuses.push((await ada.get(path)).status);
  expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([119, 429]);
});
