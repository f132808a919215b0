import { describe, expect, test } from 'vitest';
import { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import type { Answer, TestBrowser } from '../login/browser.ts';
import { HOST, MCP, openTeam } from '../login/team.ts';
import { fetchAs } from './fetch-as.ts';

const PAGE = '/_/clients';
const ADA = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };
const GRACE = { sub: 'grace', email: 'grace@example.org', email_verified: true, name: 'Grace' };

/** The proof in the forms of the page, which differs from that of the button that signs out. */
function proofIn({ text }: Answer): string {
  return /action="\/_\/clients">\s*<input type="hidden" name="token" value="([^"]*)"/.exec(text)?.[1] ?? '';
}

async function make(browser: TestBrowser, fields: Record<string, string> = {}): Promise<Answer> {
  const token = proofIn(await browser.get(PAGE));
  return browser.post(PAGE, {
    token,
    name: 'My laptop',
    may: 'write',
    where: '',
    days: '30',
    do: 'make',
    ...fields,
  });
}

function secretIn({ text }: Answer): string {
  return /pagetree_pat_[\w-]{43}/.exec(text)?.[0] ?? '';
}

test('a person makes a token, which is shown once, uses it, sees its last use, and revokes it', async () => {
  const { loggedIn, port, audited } = await openTeam();
  const browser = await loggedIn(ADA);
  expect((await browser.get('/main/')).text).toContain(`<a href="${PAGE}">Tokens</a>`);
  const made = await make(browser, { where: 'main/Guides\r\n\r\n main \r\n' });
  const secret = secretIn(made);
  expect([made.status, made.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(made.text).toContain(MCP);
  const list = async () => {
    const { status, text } = await browser.get(PAGE);
    expect([status, text.includes(`<code>${MCP}</code>`)]).toEqual([200, true]);
    return text;
  };
  expect(await list()).not.toContain(secret);
  expect(await list()).toMatch(
    /My laptop<\/bdi><\/strong> reads and writes <code>main\/Guides\/<\/code>, <code>main<\/code>/,
  );
  expect(await list()).toContain('never used');
  const http = new RawHttp(MCP, { Authorization: `Bearer ${secret}` }, fetchAs(HOST, port));
  expect((await http.modern('tools/list')).status).toBe(200);
  expect(await list()).toContain('last used');
  const page = await browser.get(PAGE);
  const id = /name="id" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const revoked = await browser.post(PAGE, { token: proofIn(page), id, do: 'revoke' });
  expect([revoked.status, revoked.location]).toEqual([303, PAGE]);
  expect(await list()).toContain('You have none');
  expect((await http.modern('tools/list')).status).toBe(401);
  const [first, ...more] = audited.filter(({ event }) => event.startsWith('token'));
  expect(first).toMatchObject({ event: 'token made', person: { subject: 'ada' } });
  expect(first).toMatchObject({ client: { kind: 'token', id } });
  expect(more).toMatchObject([{ event: 'token revoked', client: { kind: 'token', id } }]);
});

describe('what is wrong in the form is said, and what was typed stays', () => {
  test.each<[Record<string, string>, string]>([
    [{ name: ' ' }, 'Give the token a name'],
    [{ name: 'a\u202eb' }, 'Give the token a name'],
    [{ name: 'x'.repeat(61) }, 'Give the token a name'],
    [{ may: 'administer' }, 'Choose whether it may change pages'],
    [{ days: '3650' }, 'Choose when the token ends'],
    [{ where: 'main\n../secret' }, '../secret'],
    [{ where: 'Main Wiki' }, 'Main Wiki'],
    [{ where: '*' }, 'is no wiki'],
    [{ where: 'main\n'.repeat(101) }, 'Name at most 100'],
  ])('%j', async (fields, sentence) => {
    const { loggedIn } = await openTeam();
    const browser = await loggedIn(ADA);
    const answer = await make(browser, { where: 'main', name: 'Mine "b', ...fields });
    expect([answer.status, answer.text.includes(sentence)]).toEqual([400, true]);
    if (fields.name === undefined) expect(answer.text).toContain('value="Mine &quot;b"');
    expect((await browser.get(PAGE)).text).toContain('You have none');
  });
});

test('nobody sees, makes or revokes a token of somebody else, and no foreign page does', async () => {
  const { loggedIn, browser: newBrowser, tokens, audited } = await openTeam();
  const [ada, grace] = [await loggedIn(ADA), await loggedIn(GRACE)];
  await make(ada);
  const page = await ada.get(PAGE);
  const id = /name="id" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
  const adas = proofIn(page);
  const graces = proofIn(await grace.get(PAGE));
  expect((await grace.get(PAGE)).text).toContain('You have none');
  const revoke = { id, do: 'revoke' };
  const stranger = newBrowser();
  const tries: [Promise<Answer>, number][] = [
    // It is no token of Grace's: nothing happens.
    [grace.post(PAGE, { ...revoke, token: graces }), 303],
    [grace.post(PAGE, { ...revoke, token: graces, id: 'none' }), 303],
    [grace.post(PAGE, { ...revoke, token: graces, do: 'disconnect' }), 303],
    [ada.send(PAGE, { method: 'POST', body: 'no form', headers: { 'content-type': 'text/plain' } }), 403],
    [grace.post(PAGE, { ...revoke, token: adas }), 403],
    [ada.post(PAGE, revoke), 403],
    [ada.post(PAGE, { ...revoke, token: graces }), 403],
    [ada.post(PAGE, { ...revoke, token: adas }, { origin: 'https://evil.example' }), 403],
    [ada.post(PAGE, { ...revoke, token: adas }, { origin: 'null' }), 403],
    [ada.post(PAGE, { ...revoke, token: adas }, { 'sec-fetch-site': 'cross-site' }), 403],
    [stranger.post(PAGE, { ...revoke, token: adas }), 303],
    [ada.post(PAGE, { ...revoke, token: adas, where: 'x'.repeat(60_000) }), 413],
  ];
  for (const [answer, status] of tries) expect((await answer).status).toBe(status);
  expect((await ada.get(PAGE)).text).toContain('My laptop');
  expect(audited.filter(({ event }) => event.endsWith('revoked'))).toEqual([]);
  const away = await stranger.get(PAGE);
  expect([away.status, away.location]).toEqual([303, '/_/login?to=%2F_%2Fclients']);
  const { headers } = await ada.get(PAGE);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['cache-control']).toBe('no-store');
  expect(
    await tokens.list({ issuer: 'https://other.example', subject: 'ada', email: null, name: '', groups: [] }),
  ).toEqual([]);
});

test('a person has at most fifty', async () => {
  const { loggedIn, tokens, issuer, clock } = await openTeam();
  const browser = await loggedIn(ADA);
  const ada = { issuer: issuer.address, subject: 'ada', email: null, name: 'Ada', groups: [] };
  const given = { may: 'read', wikis: null } as const;
  for (let at = 0; at < 50; at += 1)
    expect(await tokens.make(ada, { name: `${at}`, given, untilMs: clock.ms + 1_000_000 })).not.toBeNull();
  expect((await make(browser)).text).toContain('You have as many tokens as one person may have');
});
