import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../../../labs/free-port.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { fieldsIn } from '../posting.ts';
import { ServedWeb } from '../served-web.ts';
import { TestBrowser } from './browser.ts';
import { openHonestIssuer } from './honest-issuer.ts';
import { CLIENT } from './own-issuer.ts';
import { HOST, ORIGIN, signOutTokenIn } from './team.ts';
import { walkIssuer } from './walk-issuer.ts';

const RULES = [
  { people: ['ada@example.org'], wikis: ['*'], may: 'write' },
  { groups: ['readers'], wikis: ['main'], may: 'read' },
];

/** `pnpm serve` for a team, as a process of its own. */
async function serveTeam() {
  const directory = mkdtempSync(join(tmpdir(), 'pagetree-serve-team-'));
  const issuer = await openHonestIssuer(ORIGIN);
  const files = { secret: join(directory, 'secret'), access: join(directory, 'access.json') };
  const setRules = (rules: unknown) => writeFileSync(files.access, JSON.stringify({ version: 1, rules }));
  writeFileSync(files.secret, `${CLIENT.secret}\n`);
  setRules(RULES);
  const port = await freePort();
  const args = [
    ...['--port', `${port}`, '--dir', join(directory, 'wikis'), '--public-url', ORIGIN, '--issuer', issuer],
    ...['--client-id', CLIENT.id, '--client-secret-file', files.secret, '--access', files.access],
  ];
  const web = new ServedWeb(args);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });
  expect(await web.address()).toBe(ORIGIN);
  const open = () => new TestBrowser(port, HOST);
  const loggedIn = async (person: string) => {
    const browser = open();
    const begun = await browser.get('/_/login/begin?to=/main/');
    const answer = await walkIssuer(begun.location, person);
    const landed = await browser.get(answer.replace(ORIGIN, ''), { 'sec-fetch-site': 'cross-site' });
    expect([landed.status, landed.text.includes('url=/main/')]).toEqual([200, true]);
    return browser;
  };
  return { web, directory, files, setRules, open, loggedIn, issuer };
}

test('a person logs in at a real issuer, writes a page under the own name, and signs out', async () => {
  const { web, directory, loggedIn, issuer } = await serveTeam();
  const browser = await loggedIn('ada');
  const form = await browser.get('/main/Plan?view=edit');
  const fields = {
    ...fieldsIn(form.text.replace(/<form class="person"[\s\S]*?<\/form>/, '')),
    content: 'mine\n',
  };
  expect((await browser.post('/main/Plan?view=edit', { ...fields, do: 'save' })).status).toBe(303);
  const log = git(join(directory, 'wikis', 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'main']);
  expect(log).toMatch(/^Ada Lovelace <ada@example\.org>\nCreate Plan\n/);
  expect(log).not.toContain('Agent:');

  const page = await browser.get('/main/Plan');
  const left = await browser.post('/_/sign-out', { token: signOutTokenIn(page.text) });
  expect(left.headers['clear-site-data']).toBe('"cache", "storage"');
  const [, leads = ''] = /content="0; url=([^"]*)"/.exec(left.text) ?? [];
  const address = new URL(leads.replaceAll('&amp;', '&'));
  expect([address.origin, address.searchParams.get('post_logout_redirect_uri')]).toEqual([
    issuer,
    `${ORIGIN}/_/signed-out`,
  ]);
  expect((await fetch(address)).status).toBe(200);
  expect((await browser.get('/_/signed-out')).text).toContain('You are signed out');
  expect((await browser.get('/main/Plan')).status).toBe(303);

  const lines = web.stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const known = { issuer, subject: 'ada', time: expect.any(String) };
  expect(lines).toContainEqual({ ...known, event: 'login' });
  expect(lines).toContainEqual({ ...known, event: 'sign-out' });
  expect(lines).toContainEqual({
    ...known,
    ...{ event: 'access', operation: 'write_page', effect: 'write', wiki: 'main', allowed: true },
  });
  expect(web.stderr).not.toMatch(/Plan|mine|Lovelace/);
  expect(await web.stop()).toBe(0);
});

test('an address that is not verified gives no rights, and new rules count without a restart', async () => {
  const { web, files, setRules, loggedIn } = await serveTeam();
  const [grace, mallory] = [await loggedIn('grace'), await loggedIn('mallory')];
  expect((await grace.get('/main/')).status).toBe(200);
  expect((await grace.get('/main/New?view=edit')).status).toBe(403);
  expect((await mallory.get('/main/')).status).toBe(404);

  setRules([...RULES, { people: ['sub:mallory'], wikis: ['main'], may: 'write' }]);
  await expect.poll(async () => (await mallory.get('/main/')).status).toBe(200);
  writeFileSync(files.access, '{ "version": 1, "rules": [');
  await expect.poll(() => web.stderr).toContain('The rules of before stay in force.');
  expect((await mallory.get('/main/')).status).toBe(200);
  setRules([]);
  await expect.poll(async () => (await grace.get('/main/')).status).toBe(404);
  rmSync(files.access);
  await expect.poll(() => web.stderr).toContain('cannot be read');
  expect((await grace.get('/main/')).status).toBe(404);
});
