import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { git } from '../../../wiki/test/native-git.ts';
import { TestBrowser } from '../login/browser.ts';
import { FORGED_TOKENS } from '../login/forged-tokens.ts';
import { openHonestIssuer } from '../login/honest-issuer.ts';
import { browserOf, logIn as logInByHand, write } from '../login/in-chromium.ts';
import { OwnIssuer } from '../login/own-issuer.ts';
import { answerOf, beginLogin, HOST, logIn, ORIGIN, signOutTokenIn } from '../login/team.ts';
import { startWebLab, type WebLab, type WebLabOptions } from './start-web-lab.ts';

const SESSION = '__Host-pagetree';

interface OpenedLab extends WebLab {
  directory: string;
  port: number;
  lines: Record<'web' | 'wiki', string[]>;
}

/** The two functions, whose origin is that of a proxy with TLS. */
async function openLab(options: Partial<WebLabOptions>): Promise<OpenedLab> {
  const directory = mkdtempSync(join(tmpdir(), 'web-login-'));
  const lines: OpenedLab['lines'] = { web: [], wiki: [] };
  const lab = await startWebLab({
    ...{ directory, origin: null },
    ofWeb: { onLine: (line) => void lines.web.push(line) },
    ofWiki: { onLine: (line) => void lines.wiki.push(line) },
    ...options,
  });
  const stop = async () => {
    await lab.stop();
    rmSync(directory, { recursive: true });
  };
  return { ...lab, directory, lines, stop, port: Number(new URL(lab.origin).port) };
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, hasScript) => {
  test('a person logs in at a function, writes a page, and signs out', async () => {
    const lab = await openLab({ issuer: await openHonestIssuer(ORIGIN) });
    onTestFinished(() => lab.stop());
    const page = await (await (await browserOf(lab.port))(hasScript)).newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      const isOurs = message.location().url.startsWith(ORIGIN);
      if (isOurs && message.type() === 'error') faults.push(message.text());
    });
    await logInByHand(page, 'ada', '/main/Plan?view=edit');
    await write(page, 'Plan', 'The plan of Ada.');
    expect(await page.getByRole('article').textContent()).toContain('The plan of Ada.');
    await page.goto('/main/Plan?view=history');
    expect(await page.getByRole('main').textContent()).toContain('Ada Lovelace');
    // The branch follows a commit with a later call.
    const authorOfBranch = async () => {
      await page.reload();
      return git(join(lab.directory, 'main.git'), ['log', '-1', '--format=%an <%ae>', 'main']);
    };
    await expect.poll(authorOfBranch).toBe('Ada Lovelace <ada@example.org>');
    expect(faults).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/session\/end/);
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${ORIGIN}/_/signed-out`);
    await page.goto('/main/Plan');
    await page.getByRole('link', { name: /^Log in at/ }).waitFor();
    expect(await page.context().cookies(ORIGIN)).toEqual([]);

    const { web, wiki } = lab.lines;
    const calls = wiki.flatMap((line) => (line.startsWith('{"_aws"') ? [JSON.parse(line)] : []));
    const person = { issuer: expect.stringContaining('http://127.0.0.1'), subject: 'ada' };
    expect(calls.length).toBeGreaterThan(4);
    // The call that starts an environment is for nobody.
    const ofPeople = calls.filter((call) => call.operation !== 'list_wikis' || call.person?.subject !== '');
    for (const call of ofPeople) expect(call).toMatchObject({ person });
    const audited = web.flatMap((line) => (line.startsWith('{"time"') ? [JSON.parse(line)] : []));
    expect(audited.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['login', 'access', 'sign-out']),
    );
    expect(audited).toContainEqual(
      expect.objectContaining({ subject: 'ada', operation: 'write_page', wiki: 'main', allowed: true }),
    );
    expect(JSON.stringify(audited)).not.toContain('Plan');
  });
});

describe('at an issuer that a test has', () => {
  let lab: OpenedLab;
  let issuer: OwnIssuer;
  let closeIssuer = () => {};

  beforeAll(async () => {
    issuer = await OwnIssuer.open((close) => {
      closeIssuer = close;
    });
    const rules = [{ people: ['ada@example.org'], wikis: ['main'], folders: ['Guides/'], may: 'write' }];
    lab = await openLab({ issuer: issuer.address, rules });
  });

  afterAll(async () => {
    await lab?.stop();
    closeIssuer();
  });

  const open = () => new TestBrowser(lab.port, HOST);

  test.each(Object.entries(FORGED_TOKENS))('a token %s is refused', async (_, forge) => {
    const browser = open();
    const answer = await logIn(browser, issuer, { token: (claims) => forge(issuer, claims) });
    expect([answer.status, answer.text.includes('You are not logged in')]).toEqual([403, true]);
    expect(browser.cookies).toEqual(new Map());
  });

  test.each<[how: string, change: (query: URLSearchParams) => void]>([
    ['another state', (query) => query.set('state', 'x'.repeat(43))],
    ['the name of another issuer', (query) => query.set('iss', 'https://evil.example')],
    ['another code', (query) => query.set('code', 'x')],
  ])('an answer with %s is refused', async (_, change) => {
    const browser = open();
    expect((await logIn(browser, issuer, { answer: change })).status).toBe(403);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test('a stolen answer is of no use, and a login leads back here alone', async () => {
    const [victim, thief] = [open(), open()];
    const stolen = await answerOf(await beginLogin(victim, '//evil.example'), issuer);
    await beginLogin(thief);
    expect((await thief.get(stolen)).status).toBe(403);
    expect(thief.cookies.has(SESSION)).toBe(false);
    const landed = await victim.get(stolen, { 'sec-fetch-site': 'cross-site' });
    expect([landed.status, landed.text.includes('evil')]).toEqual([200, false]);
  });

  test('a planted session is not used, and has ended for those who planted it, at every environment', async () => {
    const [attacker, victim] = [open(), open()];
    await logIn(attacker, issuer, { claims: { sub: 'mallory', email_verified: false } });
    const planted = attacker.cookies.get(SESSION) ?? '';
    victim.cookies.set(SESSION, planted);
    await logIn(victim, issuer);
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    await lab.web.recycle();
    expect((await attacker.get('/main/')).status).toBe(303);
    expect((await victim.get('/main/Guides/')).status).not.toBe(303);
  });

  test('a copied cookie of a session that was signed out is taken at no environment', async () => {
    const browser = open();
    await logIn(browser, issuer);
    const copied = browser.copy();
    const { text } = await browser.get('/_/now');
    expect((await browser.post('/_/sign-out', { token: signOutTokenIn(text) })).status).toBe(200);
    expect((await copied.get('/main/Guides/')).status).toBe(303);
    await lab.web.recycle();
    expect((await copied.get('/main/Guides/')).status).toBe(303);
  });

  test('a foreign page cannot write with the session of a person', async () => {
    const browser = open();
    await logIn(browser, issuer);
    const fields = { content: 'forged\n', do: 'save' };
    const forged = await browser.post('/main/Guides/New?view=edit', fields, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    });
    expect(forged.status).toBe(403);
    expect((await browser.post('/main/Guides/New?view=edit', fields)).status).toBe(403);
  });

  test('a person sees nothing of what the rules do not give', async () => {
    const browser = open();
    await logIn(browser, issuer);
    for (const path of ['/main/Private/Plan', '/main/', '/other/Home']) {
      const { status, text } = await browser.get(path);
      expect([path, status]).toEqual([path, path === '/main/' ? 200 : 404]);
      expect(text).not.toContain('Private<');
    }
  });
});
