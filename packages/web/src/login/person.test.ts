import { expect, test } from 'vitest';
import { authorOf, personOf } from './person.ts';

const ISSUER = 'https://issuer.example/realms/team';

const from = (token: object, user: object | null = null) =>
  personOf({ issuer: ISSUER, subject: '248289761001', token, user });

test.each<[email: string | null, token: object, user?: object]>([
  ['ada@example.org', { email: 'Ada@Example.org', email_verified: true }],
  [null, { email: 'ada@example.org' }],
  [null, { email: 'ada@example.org', email_verified: false }],
  [null, { email: 'ada@example.org', email_verified: 'true' }],
  [null, { email: 'ada@example.org', email_verified: 1 }],
  [null, { email_verified: true }],
  [null, { email: ['ada@example.org'], email_verified: true }],
  ['ada@example.org', {}, { email: 'ada@example.org', email_verified: true }],
  // One source gives the address, the other one its word for another address.
  [null, { email: 'ada@example.org' }, { email: 'mallory@example.org', email_verified: true }],
  [null, { email_verified: true }, { email: 'ada@example.org' }],
  [null, { email: 'ada@example.org> <x@y', email_verified: true }],
  [null, { email: 'ada@example.org\nSigned-off-by: x', email_verified: true }],
  [null, { email: 'ada\u202e@example.org', email_verified: true }],
  [null, { email: 'ada', email_verified: true }],
  // The Kelvin sign, of which the lower case is an ASCII `k`.
  ['\u212aay@example.org', { email: '\u212aAY@example.org', email_verified: true }],
])('the address is %j for %j and %j', (email, token, user) => {
  expect(from(token, user).email).toBe(email);
});

test.each([
  [{ name: 'Ada Lovelace' }, 'Ada Lovelace'],
  [{ name: 'Ada <root@example.org>\nAgent: x' }, 'Ada root@example.org Agent: x'],
  [{ name: 'Ada\u202ecod.\u0000' }, 'Ada cod.'],
  [{ name: 'x'.repeat(500) }, 'x'.repeat(100)],
  [{ name: '  ', preferred_username: 'ada' }, '248289761001'],
  [{ preferred_username: 'ada' }, 'ada'],
  [{ name: 7, preferred_username: 'ada' }, 'ada'],
  [{ email: 'ada@example.org', email_verified: true }, 'ada@example.org'],
  [{}, '248289761001'],
])('%j is shown as %j', (token, name) => {
  expect(from(token).name).toBe(name);
});

test.each([
  [{ groups: ['a', 'b'] }, ['a', 'b']],
  [{ 'cognito:groups': ['a'] }, ['a']],
  [{ groups: 'a' }, []],
  [{ groups: ['a', 1] }, []],
  [{}, []],
])('the groups of %j are %j', (token, groups) => {
  expect(from(token).groups).toEqual(groups);
});

test('an author without a verified address has one that can never be real', () => {
  expect(authorOf(from({ name: 'Ada', email: 'ada@example.org', email_verified: true }))).toEqual({
    name: 'Ada',
    email: 'ada@example.org',
  });
  expect(authorOf(from({ name: 'Ada', email: 'ada@example.org' })).email).toBe(
    '248289761001@issuer.example.invalid',
  );
  const odd = { ...from({}), subject: 'a b<c>\n|d' };
  expect(authorOf(odd).email).toMatch(/^[0-9a-f]{32}@issuer\.example\.invalid$/);
});
