import { expect, test } from 'vitest';
import { OwnIssuer } from './own-issuer.ts';
import { openTeam, signOutTokenIn } from './team.ts';

test.each(['rubbish', 'javascript:alert(1)', 7])(
  'a person signs out although the issuer names %j as its address for that',
  async (address) => {
    const issuer = await OwnIssuer.open();
    issuer.metadata = { end_session_endpoint: address };
    const { loggedIn } = await openTeam({ issuer });
    const browser = await loggedIn();
    const token = signOutTokenIn((await browser.get('/main/')).text);
    const { status, text } = await browser.post('/_/sign-out', { token });
    expect([status, text.includes('You are signed out'), text.includes('refresh')]).toEqual([
      200,
      true,
      false,
    ]);
  },
);

test.each(['read', 'write'] as const)(
  'a person signs out of this browser although the table of ended sessions does not %s, and is warned',
  async (what) => {
    let isBroken = false;
    const fail = async () => {
      throw new Error('the table does not answer');
    };
    const issuer = await OwnIssuer.open();
    issuer.metadata = { end_session_endpoint: `${issuer.address}/logout` };
    const { loggedIn, logged, audited } = await openTeam({
      issuer,
      ended: {
        has: () => (isBroken && what === 'read' ? fail() : Promise.resolve(false)),
        add: () => (isBroken ? fail() : Promise.resolve()),
      },
    });
    const browser = await loggedIn();
    const token = signOutTokenIn((await browser.get('/main/')).text);
    isBroken = true;
    const foreign = await browser.post('/_/sign-out', { token }, { origin: 'https://evil.example' });
    expect([foreign.status, browser.cookies.size > 0]).toEqual([403, true]);
    const { status, text, headers } = await browser.post('/_/sign-out', { token });
    expect([status, headers['clear-site-data']]).toEqual([503, '"cache", "storage"']);
    expect(text).toContain('could not note its end');
    expect(text).not.toContain('http-equiv="refresh"');
    expect(logged).toEqual(['the end of a session was not noted: the table does not answer']);
    expect(audited.some(({ event }) => event === 'sign-out')).toBe(false);
    isBroken = false;
    expect((await browser.get('/main/')).status).toBe(303);
  },
);

test('the address that signs out of the issuer names ours as the standard says, and as Cognito does', async () => {
  const issuer = await OwnIssuer.open();
  issuer.metadata = { end_session_endpoint: `${issuer.address}/logout` };
  const { loggedIn } = await openTeam({ issuer });
  const browser = await loggedIn();
  const token = signOutTokenIn((await browser.get('/main/')).text);
  const { text } = await browser.post('/_/sign-out', { token });
  const [, address = ''] = /class="go" href="([^"]*)"/.exec(text) ?? [];
  const after = 'https://wiki.example.org/_/signed-out';
  expect(Object.fromEntries(new URL(address.replaceAll('&amp;', '&')).searchParams)).toEqual({
    client_id: 'pagetree',
    post_logout_redirect_uri: after,
    logout_uri: after,
  });
});
