import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RawHttp } from '../../../mcp-server/test/http/raw-http.ts';
import { git } from '../../../wiki/test/native-git.ts';
import { fetchAs } from '../clients/fetch-as.ts';
import { fieldsIn } from '../posting.ts';
import { ServedWeb } from '../served-web.ts';
import { TestBrowser } from './browser.ts';
import { serveTeam } from './served-team.ts';
import { HOST, ORIGIN, signOutTokenIn } from './team.ts';
import { walkIssuer } from './walk-issuer.ts';

const RULES = [
  { people: ['ada@example.org'], wikis: ['*'], may: 'write' },
  { groups: ['readers'], wikis: ['main'], may: 'read' },
];

/** A browser in which a person is logged in. */
async function logInAs(person: string, port: number): Promise<TestBrowser> {
  const browser = new TestBrowser(port, HOST);
  const begun = await browser.get('/_/login/begin?to=/main/');
  const answer = await walkIssuer(begun.location, person);
  const landed = await browser.get(answer.replace(ORIGIN, ''), { 'sec-fetch-site': 'cross-site' });
  expect([landed.status, landed.text.includes('url=/main/')]).toEqual([200, true]);
  return browser;
}

test('a person logs in at a real issuer, writes a page under the own name, and signs out', async () => {
  const { web, wikis, port, issuer } = await serveTeam(RULES);
  const browser = await logInAs('ada', port);
  const form = await browser.get('/main/Plan?view=edit');
  const fields = {
    ...fieldsIn(form.text.replace(/<form class="person"[\s\S]*?<\/form>/, '')),
    content: 'mine\n',
  };
  expect((await browser.post('/main/Plan?view=edit', { ...fields, do: 'save' })).status).toBe(303);
  const log = git(join(wikis, 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'main']);
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
    commit: git(join(wikis, 'main.git'), ['rev-parse', 'main']).trim(),
  });
  expect(web.stderr).not.toMatch(/Plan|mine|Lovelace/);
  expect(await web.stop()).toBe(0);
});

test('an address that is not verified gives no rights, and new rules count without a restart', async () => {
  const { web, files, setRules, port } = await serveTeam(RULES);
  const [grace, mallory] = [await logInAs('grace', port), await logInAs('mallory', port)];
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
  // To read a pipe would wait for ever.
  execFileSync('mkfifo', [files.access]);
  await expect.poll(() => web.stderr).toContain('it is no file');
  rmSync(files.access);
  setRules(RULES);
  await expect.poll(async () => (await grace.get('/main/')).status).toBe(200);
});

test('a token outlives a restart, and only its digest is kept, where nobody else on the machine can read it', async () => {
  const team = await serveTeam(RULES);
  const ada = await logInAs('ada', team.port);
  const page = await ada.get('/_/clients');
  const [, proof = ''] =
    /action="\/_\/clients">\s*<input type="hidden" name="token" value="([^"]*)"/.exec(page.text) ?? [];
  const fields = { token: proof, name: 'Script', may: 'write', where: '', days: '7', do: 'make' };
  const [secret = ''] = /pagetree_pat_[\w-]{43}/.exec((await ada.post('/_/clients', fields)).text) ?? [];
  expect(await team.web.stop()).toBe(0);
  const file = join(team.wikis, '.pagetree', 'records.sqlite');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readFileSync(file).includes(secret.slice('pagetree_pat_'.length))).toBe(false);

  const again = new ServedWeb(['--dir', team.wikis, ...team.args]);
  onTestFinished(async () => {
    await again.stop('SIGKILL');
  });
  await again.address();
  const send = fetchAs(HOST, team.port);
  const agent = new RawHttp(`${ORIGIN}/mcp`, { Authorization: `Bearer ${secret}` }, send);
  const wrote = await agent.modern('tools/call', {
    name: 'write_page',
    arguments: { path: 'Plan', content: 'x\n' },
  });
  expect(wrote.messages.at(-1)).toMatchObject({ result: { content: [{ type: 'text' }] } });
  const log = git(join(team.wikis, 'main.git'), ['log', '-1', '--format=%an <%ae>%n%B', 'main']);
  expect(log).toMatch(/^Ada Lovelace <ada@example\.org>\nCreate Plan\n/);
  expect(log).toContain('Agent: raw-http/0.3');
  expect(await again.stop()).toBe(0);
  expect(again.stderr).toContain('"client":{"kind":"token","id":"');
  expect(again.stderr + team.web.stderr).not.toContain(secret);
});
