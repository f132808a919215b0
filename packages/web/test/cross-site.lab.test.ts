import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openWiki } from '@pagetree/wiki';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../labs/sample.ts';
import { git, temporaryDirectory } from '../../wiki/test/native-git.ts';
import { type Serving, serveSite } from '../src/cli/serve.ts';
import { ACTION_MS, openChromium } from './open-chromium.ts';
import { siteOf } from './open-site.ts';
import { AUTHOR } from './writable-site.ts';

/** The requests that reached the site, with the status of each that was answered. */
interface Reached {
  method: string;
  status: number | null;
}

let directory: string;
let serving: Serving;
let base: string;
let reached: Reached[];
let browser: Browser;
let evil: Server;
let evilPort: number;
/** The page that the foreign server answers with. */
let document: string;

beforeAll(async () => {
  browser = await openChromium(['--host-resolver-rules=MAP rebound.test 127.0.0.1']);
  evil = createServer((_, response) => {
    // Cookies are shared among the ports of a host.
    response.setHeader('Set-Cookie', `pagetree-${serving.port}=${TOKEN}; Path=/`);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(document);
  });
  await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  evilPort = (evil.address() as AddressInfo).port;
});

afterAll(async () => {
  await browser?.close();
  evil.close();
});

/** A wiki that a person may change in the browser. */
beforeEach(async () => {
  directory = temporaryDirectory();
  reached = [];
  const host = { backend: 'local', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  serving = await serveSite({ port: 0 }, (port) => {
    const site = siteOf(wiki, `127.0.0.1:${port}`, '', { author: AUTHOR });
    return {
      ...site,
      async fetch(request, sent) {
        const each: Reached = { method: request.method, status: null };
        reached.push(each);
        const response = await site.fetch(request, sent);
        each.status = response.status;
        return response;
      },
    };
  });
  base = `http://127.0.0.1:${serving.port}`;
  onTestFinished(async () => {
    await serving.close();
    await close();
  });
});

/** For what hangs. */
const TOKEN = 'A'.repeat(43);
/** A new page: to change one that is there, a foreign page would have to know its version. */
const EDIT = '/main/Stolen?view=edit';

/** By which the foreign page is reached: another port of our host, its other name, and another site. */
const PLACES: readonly [name: string, at: () => string][] = [
  ['another port of this machine', () => `http://127.0.0.1:${evilPort}/`],
  ['the other name of this machine', () => `http://localhost:${evilPort}/`],
];

interface Attempt {
  how: string;
  /** The foreign page. `target` is where our form is sent to. */
  html(target: string): string;
  /** The first request that reaches the site, if it is not the POST: the browser may stop what follows. */
  method?: string;
}

const fields = (extra = '') =>
  `<input name="content" value="stolen"><input name="do" value="save"><input name="request_id" value="evil"><input name="token" value="${TOKEN}">${extra}`;
const sendAll = '<script>document.forms[0].submit()</script>';
const form = (target: string, attributes: string, inner = fields()) =>
  `<form method="post" action="${target}" ${attributes}>${inner}</form>${sendAll}`;
const fetching = (target: string, options: string) => `<script>
fetch(${JSON.stringify(target)}, ${options}).then(() => 'sent', (error) => String(error)).then((end) => { document.title = 'done: ' + end });
</script>`;
const body = `new URLSearchParams({ content: 'stolen', do: 'save', request_id: 'evil', token: '${TOKEN}' })`;

const ATTEMPTS: readonly Attempt[] = [
  { how: 'a form, urlencoded', html: (target) => form(target, '') },
  { how: 'a form, multipart', html: (target) => form(target, 'enctype="multipart/form-data"') },
  { how: 'a form of text/plain', html: (target) => form(target, 'enctype="text/plain"') },
  {
    how: 'a form without a referrer, whose origin is null',
    html: (target) => `<meta name="referrer" content="no-referrer">${form(target, '')}`,
  },
  {
    how: 'a form in a frame without an origin',
    html: (target) =>
      `<iframe sandbox="allow-forms allow-scripts" srcdoc="${form(target, '').replaceAll('"', '&quot;')}"></iframe>`,
  },
  {
    how: 'a form into a frame of our page',
    html: (target) => `<iframe name="in"></iframe>${form(target, 'target="in"')}`,
  },
  { how: 'a form into a new window', html: (target) => form(target, 'target="_blank"') },
  {
    how: 'a form that GET sends',
    method: 'GET',
    html: (target) =>
      `<form action="${target}">${fields('<input name="view" value="edit"><input name="_method" value="POST">')}</form>${sendAll}`,
  },
  {
    how: 'a form to the address that names another method',
    html: (target) => form(`${target}&_method=PUT`, ''),
  },
  {
    how: 'an image',
    method: 'GET',
    html: (target) => `<img src="${target}&content=stolen&do=save&token=${TOKEN}">`,
  },
  {
    how: 'fetch with cookies',
    html: (target) =>
      fetching(target, `{ method: 'POST', credentials: 'include', mode: 'no-cors', body: ${body} }`),
  },
  {
    how: 'fetch of text/plain',
    html: (target) =>
      fetching(target, `{ method: 'POST', credentials: 'include', mode: 'no-cors', body: 'content=stolen' }`),
  },
  {
    how: 'fetch of a multipart form',
    html: (target) =>
      fetching(
        target,
        `{ method: 'POST', credentials: 'include', mode: 'no-cors', body: (() => { const f = new FormData(); f.set('content', 'stolen'); f.set('do', 'save'); f.set('request_id', 'evil'); f.set('token', '${TOKEN}'); return f })() }`,
      ),
  },
  {
    how: 'fetch of JSON, with a preflight',
    method: 'OPTIONS',
    html: (target) =>
      fetching(
        target,
        `{ method: 'POST', credentials: 'include', headers: { 'Content-Type': 'application/json' }, body: '{}' }`,
      ),
  },
  {
    how: 'fetch by PUT, with a preflight',
    method: 'OPTIONS',
    html: (target) => fetching(target, `{ method: 'PUT', credentials: 'include', body: ${body} }`),
  },
  {
    how: 'fetch with a header that overrides the method',
    method: 'OPTIONS',
    html: (target) =>
      fetching(
        target,
        `{ method: 'POST', credentials: 'include', headers: { 'X-HTTP-Method-Override': 'PUT' }, body: ${body} }`,
      ),
  },
  {
    how: 'fetch without a referrer',
    html: (target) =>
      fetching(
        target,
        `{ method: 'POST', credentials: 'include', mode: 'no-cors', referrerPolicy: 'no-referrer', body: ${body} }`,
      ),
  },
  {
    how: 'a beacon',
    html: (target) =>
      `<script>navigator.sendBeacon(${JSON.stringify(target)}, ${body}); document.title = 'done: sent'</script>`,
  },
  {
    how: 'reading our form to take its token',
    method: 'GET',
    html: (target) => `<script>
fetch(${JSON.stringify(target)}, { credentials: 'include' }).then((r) => r.text()).then(
  (text) => fetch(${JSON.stringify(target)}, { method: 'POST', credentials: 'include', body: new URLSearchParams({ content: 'stolen', do: 'save', request_id: 'evil', token: /token" value="([^"]*)/.exec(text)[1] }) }),
).then(() => 'sent', (error) => String(error)).then((end) => { document.title = 'done: ' + end });
</script>`,
  },
  {
    how: 'a request by XMLHttpRequest',
    html: (target) => `<script>
const request = new XMLHttpRequest();
request.open('POST', ${JSON.stringify(target)});
request.withCredentials = true;
request.onloadend = () => { document.title = 'done: ' + request.status };
request.send(${body});
</script>`,
  },
  {
    how: 'our form in a frame, to have it clicked',
    method: 'GET',
    html: (target) => `<iframe src="${target}"></iframe>`,
  },
];

describe.each(sampled(PLACES, PLACES.slice(0, 1)))('from a page at %s', (_, at) => {
  test.for(ATTEMPTS)('$how changes nothing', async ({ html, method = 'POST' }) => {
    const page = await openedForm();
    const before = commitCount();
    reached = [];
    document = html(base + EDIT);
    await page.goto(at());
    await expect.poll(() => reached.some((each) => each.method === method)).toBe(true);
    await expect.poll(() => reached.every(({ status }) => status !== null)).toBe(true);
    expect(reached.filter(({ method, status }) => method !== 'GET' && (status ?? 0) < 400)).toEqual([]);
    expect(commitCount()).toBe(before);
  });
});

test('a host name that was made to lead to this machine gets no form, and its own POST changes nothing', async () => {
  const page = await openedForm();
  const before = commitCount();
  const rebound = `http://rebound.test:${serving.port}${EDIT}`;
  expect((await page.goto(rebound))?.status()).toBe(421);
  expect(await page.content()).not.toContain('token');
  const status = await page.evaluate(
    `fetch(${JSON.stringify(rebound)}, { method: 'POST', body: ${body} }).then((response) => response.status)`,
  );
  expect(status).toBe(421);
  expect(commitCount()).toBe(before);
});

test('our own form in the same browser is taken', async () => {
  const page = await openedForm();
  const before = commitCount();
  await page.getByLabel('Text, in Markdown').fill('as I want it\n');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`${base}/main/Stolen`);
  expect(git(join(directory, 'main.git'), ['show', 'HEAD:Stolen.md'])).toBe('as I want it');
  expect(commitCount()).toBe(before + 1);
});

/** A browser in which a person has our form open. */
async function openedForm(): Promise<Page> {
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  context.setDefaultTimeout(ACTION_MS);
  const page = await context.newPage();
  await page.goto(base + EDIT);
  return page;
}

function commitCount(): number {
  return Number(git(join(directory, 'main.git'), ['rev-list', '--count', 'HEAD']));
}
