import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetsOfSources } from '../../src/cli/assets/assets-of-sources.ts';
import { createTeamClients } from '../../src/clients/team-clients.ts';
import { EndedInMemory } from '../../src/login/sessions.ts';
import { createTeamSite, type TeamSite } from '../../src/login/team-site.ts';
import { fillWiki } from '../demo-wiki.ts';
import { TestBrowser } from '../login/browser.ts';
import { CLIENT } from '../login/own-issuer.ts';
import { accessOf } from '../login/team.ts';
import { moto, standIn } from './aws-of-team.ts';
import { startWebLab, type WebLab } from './start-web-lab.ts';

let directory: string;
let lab: WebLab;
let cookie: string;
/** The lines that the wiki's function logs. */
const wikiLines: string[] = [];
let opened: Awaited<ReturnType<typeof openWiki>>;
/** The same pages in this process, for the same sessions. */
let here: TeamSite;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'web-lambda-'));
  await fillWiki(directory);
  lab = await startWebLab({
    directory,
    endpoint: moto,
    ofWiki: { onLine: (line) => void wikiLines.push(line) },
  });
  cookie = await lab.cookieOf();
  const host = { backend: 'local', versions: {}, problems: [] };
  opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  const issuer = 'https://issuer.invalid';
  const reach = {
    access: () => accessOf([{ everyone: true, wikis: ['*'], may: 'write' }]),
    wikiFor: () => opened.wiki,
    defaultWiki: null,
    audit: () => {},
  };
  const common = { ...reach, origin: lab.origin, key: lab.aws.cookieKey, now: Date.now };
  const { records } = lab.aws;
  const open = async () => Promise.reject(new Error('no client comes'));
  here = createTeamSite({
    ...common,
    pages: { ...(await assetsOfSources.served()), wikiFor: reach.wikiFor, build: 'b1', log: () => {} },
    issuer: { issuer, clientId: CLIENT.id },
    clientSecret: async () => null,
    clients: createTeamClients({ ...common, issuer, records, open, log: () => {}, version: '1.2.3' }),
    ended: new EndedInMemory(Date.now),
  });
});

afterAll(async () => {
  await lab?.stop();
  await here?.end();
  await opened?.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each([
  '/main/Guides/Getting%20Started',
  '/main/Guides/Everything',
  '/main/Guides/',
  '/main/Nowhere',
  '/main/Guides/Style?view=history',
  '/_/main/files/diagram.svg',
  '/_/main/search?q=conflict+answer',
  '/_/main/changes',
])('%s is answered by two functions as by one process', async (path) => {
  const request = new Request(lab.origin + path, { headers: { cookie, host: lab.host } });
  const [one, two] = await Promise.all([read(await here.fetch(request)), read(await ask(path))]);
  expect(two).toEqual(one);
});

test('there are no streams', async () => {
  expect((await ask('/_/main/live')).status).toBe(404);
  expect(await (await ask('/_/now')).text()).not.toContain('data-live');
});

test('what the browser has is not sent again, not even a file that was compressed', async () => {
  for (const path of ['/main/Guides/Style', '/_/main/files/diagram.svg']) {
    const first = await ask(path);
    await first.arrayBuffer();
    const known = await ask(path, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([known.status, await known.text()], path).toEqual([304, '']);
  }
});

test.each(['/main/Accounts', '/main/Guides/Everything', '/main/Guides/'])(
  '%s of cold functions is one call to the function of the wiki, in the environment that another call started',
  async (path) => {
    await lab.web.recycle();
    await lab.wiki.recycle();
    wikiLines.length = 0;
    const page = await ask(path);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('class="tree"')]);
    const called = wikiLines.filter((line) => line.startsWith('REPORT'));
    const starts = called.map((line) => line.includes('Init Duration'));
    process.stdout.write(
      `${path}: ${called.length} calls, ${starts.filter((isOne) => isOne).length} starts\n`,
    );
    expect(starts).toEqual([true, false]);
  },
);

test('answers are compressed, and a redirect stays in the wiki', async () => {
  const page = await ask('/main/Guides/Everything');
  expect(page.headers.get('content-encoding')).toBe('gzip');
  const home = await ask('/');
  expect([home.status, home.headers.get('location')]).toEqual([302, '/main']);
});

test('a wiki that is throttled for too long is 429, with a time to come again', async () => {
  for (let attempt = 0; attempt < 6; attempt += 1) lab.wiki.provoke({ kind: 'throttle' });
  const page = await ask('/main/Guides/Style');
  expect([page.status, page.headers.get('retry-after')]).toEqual([429, '2']);
  expect(await page.text()).toContain('The wiki is busy');
  expect((await ask('/main/Guides/Style')).status).toBe(200);
});

test.each<[method: string, body: string | undefined, headers: Record<string, string>, status: number]>([
  ['GET', 'text', {}, 400],
  ['TRACE', undefined, {}, 400],
  ['GET', undefined, { accept: 'caf\u00e9' }, 200],
])('%s with the body %j and %j is never left without a status', async (method, body, headers, status) => {
  const sent = request(`${lab.origin}/main/Guides/Style`, { method, headers: { cookie, ...headers } });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.end(body);
  const [{ statusCode }] = await answered;
  expect(statusCode).toBe(status);
});

test('without a login nothing of a wiki is shown', async () => {
  const browser = new TestBrowser(Number(new URL(lab.origin).port), lab.host);
  const page = await browser.get('/main/Guides/Style');
  expect([page.status, page.location]).toEqual([303, '/_/login?to=%2Fmain%2FGuides%2FStyle']);
  const forged = await ask('/main/Guides/Style', { cookie: `${cookie.slice(0, -3)}AAA` });
  expect(forged.status).toBe(401);
});

test('a fault of the set-up is said, and nothing is shown', async () => {
  const closed = await startWebLab({ directory, variables: { PAGETREE_RECORDS: '' } });
  try {
    const answer = await fetch(`${closed.origin}/main/Guides/Style`, { headers: { cookie } });
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('PAGETREE_RECORDS')]);
  } finally {
    await closed.stop();
  }
});

test('keys that cannot be read are asked for again, and nothing is shown meanwhile', async () => {
  const given: Record<string, string> = {};
  let kept = {};
  const late = await startWebLab({
    directory,
    endpoint: (parameters) => {
      kept = parameters;
      return standIn(given);
    },
  });
  const show = async () =>
    fetch(`${late.origin}/main/Guides/Style`, { headers: { cookie: await late.cookieOf() } });
  try {
    for (let round = 0; round < 2; round += 1) {
      const answer = await show();
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await answer.text()).not.toContain('/pagetree');
    }
    Object.assign(given, kept);
    expect((await show()).status).toBe(200);
  } finally {
    await late.stop();
  }
});

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(lab.origin + path, {
    headers: { accept: 'text/html', cookie, ...headers },
    redirect: 'manual',
  });
}

async function read(answer: Response) {
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { status, headers } = answer;
  const shown = ['content-type', 'content-disposition', 'cache-control', 'x-content-type-options'];
  return { status, headers: shown.map((name) => headers.get(name)), body: bytes.toString('latin1') };
}
