import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEqualSecret, refuseBrowsers, secretOf, unauthorized } from '../../src/git/credentials.ts';

const asked = (headers: Record<string, string>) => new Request('https://wiki.example/main.git', { headers });
const secretBy = (authorization: string) => secretOf(asked({ authorization }));
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('the secret is the password, whatever the user name is, or the bearer token', () => {
  const user = fc.string().filter((text) => !text.includes(':'));
  fc.assert(
    fc.property(user, fc.string({ unit: 'binary' }), (name, password) => {
      fc.pre(password.isWellFormed());
      expect(secretBy(basic(`${name}:${password}`))).toBe(password);
    }),
    { numRuns: 50 },
  );
  for (const [header, secret] of [
    ['Bearer a.b~c+d/e=f-g_1', 'a.b~c+d/e=f-g_1'],
    ['bEARER   token', 'token'],
    ['bASIC   YTpi', 'b'],
    [basic('a:b:c'), 'b:c'],
    [basic('a:'), ''],
    [basic('no colon'), null],
    ['Basic', null],
    ['Bearer', null],
    ['Bearer two words', null],
    ['x Bearer token', null],
    ['Digest token', null],
    ['Bearertoken', null],
    ['', null],
    [`Bearer ${'x'.repeat(3_993)}`, 'x'.repeat(3_993)],
    [`Bearer ${'x'.repeat(3_994)}`, null],
  ] as const)
    expect(secretBy(header), header.slice(0, 40)).toBe(secret);
  expect(secretOf(asked({}))).toBeNull();
});

test('what a page made a browser send is refused, and nothing else', () => {
  for (const headers of [{}, { 'sec-fetch-site': 'none' }])
    expect(refuseBrowsers(asked(headers))).toBeUndefined();
  for (const headers of [
    { origin: 'https://wiki.example' },
    { origin: 'null', 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[])
    expect(() => refuseBrowsers(asked(headers))).toThrow(expect.objectContaining({ status: 403 }));
});

test('git asks for a password where there is none, and secrets are equal only as a whole', () => {
  const answer = unauthorized('Give a token.').response();
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
    ...[401, 'Basic realm="Pagetree", charset="UTF-8"'],
  ]);
  expect(isEqualSecret('token', 'token')).toBe(true);
  for (const other of ['token ', 'Token', 'toke', '']) expect(isEqualSecret('token', other)).toBe(false);
});
