import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import { connect, decide, OAuthClient, openConsent } from '../oauth/oauth-client.ts';
import { ERAS, writeBySdk } from '../oauth/sdk-flow.ts';
import { openFunctions } from './open-functions.ts';

test.each(sampled(ERAS, ERAS.slice(1)))(
  'the client of the SDK (%j) is given the address alone, and writes for a person',
  async (mode) => {
    const { loggedIn, port, directory } = await openFunctions();
    const { commit } = await writeBySdk(mode, { browser: await loggedIn(), port, directory });
    expect(commit).toMatch(/^Ada <ada@example\.org>\nCreate Plan\n[\s\S]*Agent: sdk\/2/);
  },
);

describe('environments that share nothing but the table', () => {
  test('each step of the flow may be at another one, and a code and a refresh token count once', async () => {
    const { loggedIn, port, other, agent, audited } = await openFunctions();
    const browser = await loggedIn();
    const client = new OAuthClient(port);
    await client.register();
    await other();
    const consent = await openConsent(browser, client.authorizeAddress());
    await other();
    const code = (await decide(browser, consent)).searchParams.get('code') ?? '';
    await other();
    const { status, body } = await client.exchange(code);
    expect(status).toBe(200);
    await other();
    expect((await agent(body.access_token).modern('tools/list')).status).toBe(200);
    const next = await client.refresh(body.refresh_token ?? '');
    expect(next.status).toBe(200);
    await other();
    expect((await client.refresh(body.refresh_token ?? '')).body.error).toBe('invalid_grant');
    // The second use may be a thief's: all that the client had is gone.
    await other();
    expect((await agent(next.body.access_token).modern('tools/list')).status).toBe(401);
    expect(audited.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['client connected', 'token used twice']),
    );
  });

  test('a client that was disconnected, and a right that was taken, are lost at all of them', async () => {
    const { loggedIn, port, other, agent, rules, lab } = await openFunctions();
    const browser = await loggedIn();
    const [client, lasting] = [new OAuthClient(port), new OAuthClient(port)];
    for (const each of [client, lasting]) await each.register();
    const tokens = [await connect(browser, client), await connect(browser, lasting)];
    const [gone, stays] = tokens.map(({ access_token }) => agent(access_token));
    const atOnce = async (http = gone) =>
      (await Promise.all([1, 2, 3].map(() => http?.modern('tools/list')))).map((answer) => answer?.status);
    // Three calls at once, so that there are several environments, each of which has seen both clients.
    for (const each of [gone, stays]) expect(await atOnce(each)).toEqual([200, 200, 200]);
    expect((await lab.web.environments()).length).toBeGreaterThan(1);
    const page = await browser.get('/_/clients');
    const [, proof = '', id = ''] =
      /name="token" value="([^"]*)">\s*<input type="hidden" name="id" value="([^"]*)">\s*<button[^>]*disconnect/.exec(
        page.text,
      ) ?? [];
    expect((await browser.post('/_/clients', { token: proof, id, do: 'disconnect' })).status).toBe(303);
    const statuses = [await atOnce(gone), await atOnce(stays)];
    expect(statuses.map((each) => new Set(each).size)).toEqual([1, 1]);
    expect(statuses.map(([status]) => status).sort()).toEqual([200, 401]);

    // Each environment believes the rules for three seconds, and a new one reads them.
    await rules([{ people: ['grace@example.org'], wikis: ['main'], may: 'write' }]);
    const kept = statuses[0]?.[0] === 200 ? gone : stays;
    await expect.poll(() => atOnce(kept), { interval: 200 }).not.toContain(200);
    await other();
    for (const each of [gone, stays])
      expect([401, 403]).toContain((await each?.modern('tools/list'))?.status);
    expect((await browser.get('/main/')).status).toBe(404);
  });
});
