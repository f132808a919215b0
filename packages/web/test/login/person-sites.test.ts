import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openWiki } from '@pagetree/wiki';
import { callOperation } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditEvent } from '../../src/login/audit.ts';
import { PersonSites } from '../../src/login/person-sites.ts';
import type { Session } from '../../src/login/sessions.ts';
import { createSharedParts, type Site } from '../../src/site/site.ts';
import { accessOf, HOST, ORIGIN } from './team.ts';

const caller = { author: { name: 'Setup', email: 'setup@example.org' }, agent: null };
const RULES = [
  { people: ['sub:ada', 'sub:grace'], wikis: ['main'], folders: ['Open/'], may: 'write' },
  { people: ['sub:ada', 'sub:grace'], wikis: ['main'], folders: ['Read/'], may: 'read' },
  { people: ['sub:root'], wikis: ['*'], may: 'administer' },
];

function sessionOf(subject: string, id = `session of ${subject}`): Session {
  const person = {
    issuer: 'https://issuer.example',
    subject,
    email: null,
    name: `Name ${subject}`,
    groups: [],
  };
  return { id, person, begun: 0, renewed: 0 };
}

async function openSites({ isStreaming = true } = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'person-sites-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: 'main', placement: 'local', host });
  onTestFinished(async () => {
    await close();
    rmSync(directory, { recursive: true });
  });
  for (const path of ['Open/Page', 'Read/Page', 'Closed/Page'])
    await callOperation(wiki, 'write_page', { wiki: 'main', path, content: `text of ${path}\n` }, { caller });
  const audited: AuditEvent[] = [];
  const asked = { count: 0, looks: 0 };
  const sites = new PersonSites({
    pages: {
      wikiFor: () => {
        asked.count += 1;
        return wiki;
      },
      stylesheet: '',
      script: '',
      editor: '',
      graph: { text: () => '', digest: 'none' },
      notices: () => 'Notices',
      diagrams: { html: () => '', digest: '', scripts: '' },
      build: 'b1',
      hosts: [HOST],
      origin: ORIGIN,
      log: () => {},
      ...(isStreaming && {
        pause: async (_: number, signal?: AbortSignal) => {
          asked.looks += 1;
          await pause(1, undefined, { signal });
        },
      }),
    },
    defaultWiki: null,
    audit: (event) => void audited.push(event),
    shared: createSharedParts({}),
  });
  return { sites, audited, asked };
}

async function get(site: Site, path: string, headers: Record<string, string> = {}) {
  const navigates = {
    host: HOST,
    accept: 'text/html',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-site': 'none',
  };
  const answer = await site.fetch(new Request(ORIGIN + path, { headers: { ...navigates, ...headers } }));
  return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: await answer.text() };
}

test('a session keeps its site while its rights stay, and shares it with no other session', async () => {
  const { sites } = await openSites();
  const [ada, rules] = [sessionOf('ada'), accessOf(RULES)];
  const site = sites.of(ada, rules);
  expect(sites.of(ada, rules)).toBe(site);
  // Other rules that say the same of this person.
  expect(sites.of(ada, accessOf(RULES.slice(0, 2)))).toBe(site);
  for (const session of [sessionOf('ada', 'another session'), sessionOf('grace'), sessionOf('root')])
    expect(sites.of(session, rules)).not.toBe(site);
  expect(sites.of(ada, rules)).toBe(site);
  const less = sites.of(ada, accessOf(RULES.slice(1)));
  expect(less).not.toBe(site);
  expect((await get(less, '/main/Open/Page')).status).toBe(404);
  expect((await get(sites.of(ada, rules), '/main/Open/Page')).status).toBe(200);
  const kept = sites.of(ada, rules);
  sites.forget(sessionOf('grace'));
  expect(sites.of(ada, rules)).toBe(kept);
  sites.forget(ada);
  expect(sites.of(ada, rules)).not.toBe(kept);
});

test('a page is shown as the person may see and change it, under their name, and the log says so', async () => {
  const { sites, audited } = await openSites();
  const rules = accessOf(RULES);
  const site = sites.of(sessionOf('ada'), rules);
  const [open, read, closed] = [
    await get(site, '/main/Open/Page'),
    await get(site, '/main/Read/Page'),
    await get(site, '/main/Closed/Page'),
  ];
  expect([open.status, read.status, closed.status]).toEqual([200, 200, 404]);
  const isEditable = ({ text }: { text: string }) => text.includes('view=edit');
  expect([isEditable(open), isEditable(read)]).toEqual([true, false]);
  expect(open.text).toContain('Name ada');
  const person = { issuer: 'https://issuer.example', subject: 'ada' };
  expect(new Set(audited.map((event) => JSON.stringify({ ...event, decision: undefined })))).toEqual(
    new Set([JSON.stringify({ event: 'access', person })]),
  );
  expect(isEditable(await get(sites.of(sessionOf('root'), rules), '/main/Closed/Page'))).toBe(true);
});

test('a form of a wiki that the person may not see is answered as one of a wiki that is not there', async () => {
  const { sites } = await openSites();
  const site = sites.of(sessionOf('ada'), accessOf(RULES));
  for (const address of ['/WIKI/Page?view=edit', '/_/WIKI/new?path=Page', '/_/WIKI/upload']) {
    const [hidden, missing] = await Promise.all(
      ['secrets', 'nowhere'].map(async (wiki) => {
        const { status, text } = await get(site, address.replace('WIKI', wiki));
        return { status, text: text.replaceAll(wiki, 'WIKI') };
      }),
    );
    expect(hidden).toEqual(missing);
    expect(hidden?.status).toBeLessThan(500);
  }
});

test('the tag of a page is of one session alone', async () => {
  const { sites } = await openSites();
  const [rules, path] = [accessOf(RULES), '/main/Read/Page'];
  const sessions = [sessionOf('ada'), sessionOf('ada', 'another session'), sessionOf('grace')];
  const pages = [];
  for (const session of sessions) pages.push(await get(sites.of(session, rules), path));
  expect(new Set(pages.map(({ tag }) => tag)).size).toBe(3);
  for (const [at, session] of sessions.entries())
    for (const [of, { tag }] of pages.entries())
      expect((await get(sites.of(session, rules), path, { 'if-none-match': tag })).status).toBe(
        at === of ? 304 : 200,
      );
});

test('sessions with equal rights share one stream, and others have their own', async () => {
  const { sites, asked } = await openSites();
  const rules = accessOf(RULES);
  const newWikis = (session: Session) => {
    const before = asked.count;
    sites.of(session, rules);
    return asked.count - before;
  };
  expect(['ada', 'grace', 'root'].map((subject) => newWikis(sessionOf(subject)))).toEqual([2, 1, 2]);
  // A stream without a listener is forgotten when another one is made.
  expect(newWikis(sessionOf('ada', 'later'))).toBe(2);
  const { sites: still, asked: wikis } = await openSites({ isStreaming: false });
  still.of(sessionOf('ada'), rules);
  expect(wikis.count).toBe(1);
  expect((await get(still.of(sessionOf('ada'), rules), '/_/main/live')).status).toBe(404);
});

test('a stream is one access, however often it looks, and is shared while it lasts', async () => {
  const { sites, asked, audited } = await openSites();
  const rules = accessOf(RULES);
  const leaving = new AbortController();
  const headers = { host: HOST, accept: 'text/event-stream', 'sec-fetch-site': 'same-origin' };
  const request = new Request(`${ORIGIN}/_/main/live`, { headers, signal: leaving.signal });
  const stream = await sites.of(sessionOf('ada'), rules).fetch(request, undefined, leaving.signal);
  const reader = stream.body?.getReader();
  await reader?.read();
  const { looks } = asked;
  await expect.poll(() => asked.looks).toBeGreaterThan(looks + 5);
  const decided = audited.flatMap((event) => (event.event === 'access' ? event.decision.operation : []));
  expect(decided).toEqual(['list_changed']);
  sites.of(sessionOf('root'), rules);
  const { count } = asked;
  sites.of(sessionOf('grace'), rules);
  expect(asked.count).toBe(count + 1);
  leaving.abort();
  await reader?.cancel();
});
