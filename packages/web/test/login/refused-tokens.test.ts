import { describe, expect, test } from 'vitest';
import { FORGED_TOKENS } from './forged-tokens.ts';
import { OwnIssuer } from './own-issuer.ts';
import { logIn, openTeam } from './team.ts';

describe.each([
  ['an issuer that signs with RS256', {}],
  [
    'an issuer that says it takes everything',
    { id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256', 'ES256'] },
  ],
])('%s', (_, metadata) => {
  test('a good token is taken', async () => {
    const issuer = await OwnIssuer.open();
    issuer.metadata = metadata;
    const { browser: open } = await openTeam({ issuer });
    const browser = open();
    expect((await logIn(browser, issuer)).status).toBe(200);
    expect((await browser.get('/main/')).status).toBe(200);
  });

  test.each(Object.entries(FORGED_TOKENS))('a token %s is refused', async (_, forge) => {
    const issuer = await OwnIssuer.open();
    issuer.metadata = metadata;
    const { browser: open, audited } = await openTeam({ issuer });
    const browser = open();
    const answer = await logIn(browser, issuer, { token: (claims) => forge(issuer, claims) });
    expect([answer.status, answer.text.includes('You are not logged in')]).toEqual([403, true]);
    expect(browser.cookies).toEqual(new Map());
    expect((await browser.get('/main/')).status).toBe(303);
    expect(audited.map(({ event }) => event)).toEqual(['login refused']);
  });
});

test('the answer for a user is refused if it is about somebody else', async () => {
  const issuer = await OwnIssuer.open();
  issuer.user = { sub: 'grace', email: 'grace@example.org', email_verified: true };
  const { browser, audited } = await openTeam({ issuer });
  expect((await logIn(browser(), issuer)).status).toBe(403);
  expect(audited).toMatchObject([{ event: 'login refused' }]);
});
