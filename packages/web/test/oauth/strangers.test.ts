import { expect, test } from 'vitest';
import type { Reaching } from '../../src/oauth/metadata-documents.ts';
import { openTeam } from '../login/team.ts';
import { OAuthClient } from './oauth-client.ts';

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
