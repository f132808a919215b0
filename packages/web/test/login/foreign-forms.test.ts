import { describe, expect, test } from 'vitest';
import { fieldsIn } from '../posting.ts';
import type { TestBrowser } from './browser.ts';
import { logIn, ORIGIN, openTeam, signOutTokenIn } from './team.ts';

const isIn = async (browser: TestBrowser) => (await browser.get('/main/')).status === 200;

describe('forms of foreign pages change nothing', () => {
  const FOREIGN: readonly [how: string, headers: Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another host of the domain', { origin: 'https://other.example.org', 'sec-fetch-site': 'same-site' }],
    ['our host without encryption', { origin: 'http://wiki.example.org', 'sec-fetch-site': 'cross-site' }],
    ['another port', { origin: `${ORIGIN}:8443`, 'sec-fetch-site': 'same-site' }],
    ['no origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ];

  test.each(FOREIGN)('from %s', async (_, headers) => {
    const { loggedIn, audited } = await openTeam();
    const browser = await loggedIn();
    const form = await browser.get('/main/Plan?view=edit');
    const fields = { ...formFields(form.text), content: 'foreign\n', do: 'save' };
    expect((await browser.post('/main/Plan?view=edit', fields, headers)).status).toBe(403);
    expect(audited.at(-1)).toMatchObject({ event: 'form refused', person: { subject: 'ada' } });
    const left = await browser.post('/_/sign-out', { token: signOutTokenIn(form.text) }, headers);
    expect([left.status, left.headers['set-cookie'], left.headers['clear-site-data']]).toEqual([
      403,
      undefined,
      undefined,
    ]);
    expect(await isIn(browser)).toBe(true);
    expect((await browser.get('/main/Plan')).status).toBe(404);
    // The browser sends no session with the form of a foreign page, which must not end it either.
    const stranger = browser.copy();
    stranger.cookies.clear();
    const without = await stranger.post('/_/sign-out', {}, headers);
    expect([without.status, without.headers['set-cookie'], without.headers['clear-site-data']]).toEqual([
      403,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['no token', {}],
    ['an empty token', { token: '' }],
    ['another token', { token: 'x'.repeat(43) }],
  ])('nobody is signed out with %s', async (_, fields) => {
    const { loggedIn } = await openTeam();
    const [browser, other] = [await loggedIn(), await loggedIn({ sub: 'grace' })];
    expect((await browser.post('/_/sign-out', fields)).status).toBe(403);
    const token = signOutTokenIn((await other.get('/main/')).text);
    expect((await browser.post('/_/sign-out', { token })).status).toBe(403);
    expect((await browser.get('/_/sign-out')).status).not.toBe(200);
    expect(await isIn(browser)).toBe(true);
  });

  test('the token of a form is in a cookie that no other host can set', async () => {
    const { loggedIn } = await openTeam();
    const browser = await loggedIn();
    const form = await browser.get('/main/Plan?view=edit');
    const [cookie = ''] = [form.headers['set-cookie']].flat();
    const [name = ''] = cookie.split('=');
    expect(cookie).toMatch(/^__Host-pagetree-form-[\w-]{12}=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    const fields: Record<string, string> = { ...formFields(form.text), content: 'mine\n', do: 'save' };
    browser.cookies.set('pagetree-0', fields.token ?? '');
    browser.cookies.delete(name);
    expect((await browser.post('/main/Plan?view=edit', fields)).status).toBe(403);
    browser.cookies.set(name, fields.token ?? '');
    expect((await browser.post('/main/Plan?view=edit', fields)).status).toBe(303);
  });
});

test('a form that was sent after the end of its session is taken once the person logged in again', async () => {
  const { loggedIn, issuer, clock } = await openTeam();
  const browser = await loggedIn();
  const form = await browser.get('/main/Plan?view=edit');
  const fields = { ...formFields(form.text), content: 'mine\n', do: 'save' };
  clock.ms += 2 * 60 * 60_000;
  const refused = await browser.post('/main/Plan?view=edit', fields);
  expect([refused.status, refused.text.includes('You are not logged in any more')]).toEqual([401, true]);
  await logIn(browser, issuer);
  expect((await browser.post('/main/Plan?view=edit', fields)).status).toBe(303);
});

test('a form that another person left open is not sent in the name of who logs in next', async () => {
  const { loggedIn, issuer } = await openTeam();
  const browser = await loggedIn();
  const form = await browser.get('/main/Plan?view=edit');
  const fields = { ...formFields(form.text), content: 'of Ada\n', do: 'save' };
  await logIn(browser, issuer);
  expect((await browser.post('/main/Plan?view=edit', fields)).status).toBe(303);
  await logIn(browser, issuer, { claims: { sub: 'grace' } });
  expect((await browser.post('/main/Next?view=edit', fields)).status).toBe(403);
});

test('a form that signs out is not read any further than one of ours is long', async () => {
  const { loggedIn } = await openTeam();
  const browser = await loggedIn();
  expect((await browser.post('/_/sign-out', { token: 'x'.repeat(100_000) })).status).toBe(413);
  expect(await isIn(browser)).toBe(true);
});

test('a file that is stored in a folder of the person leads on to the next form', async () => {
  const { loggedIn } = await openTeam({
    rules: [{ everyone: true, wikis: ['main'], folders: ['Open/'], may: 'write' }],
  });
  const browser = await loggedIn();
  const form = formFields((await browser.get('/_/main/upload?folder=Open/')).text);
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...form, folder: 'Open' })) body.set(name, value);
  body.set('file', new Blob(['text']), 'a.txt');
  const sent = new Response(body);
  const type = { 'content-type': sent.headers.get('content-type') ?? '', origin: ORIGIN };
  const stored = await browser.send('/_/main/upload', {
    method: 'POST',
    headers: type,
    body: await sent.text(),
  });
  expect([stored.status, (await browser.get(stored.location)).status]).toEqual([303, 200]);
});

function formFields(html: string): Record<string, string> {
  return fieldsIn(html.replace(/<form class="person"[\s\S]*?<\/form>/, ''));
}
