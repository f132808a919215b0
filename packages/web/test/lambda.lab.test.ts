import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillWiki } from './demo-wiki.ts';
import { ServedWeb } from './served-web.ts';
import { startWebLab, type WebLab } from './start-web-lab.ts';

let directory: string;
let lab: WebLab;
/** The lines that the wiki's function logs. */
const wikiLines: string[] = [];
let served: ServedWeb;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'web-lambda-'));
  await fillWiki(directory);
  served = new ServedWeb(['--port', '0', '--dir', directory, '--read-only']);
  await served.address();
  lab = await startWebLab({ directory, ofWiki: { onLine: (line) => void wikiLines.push(line) } });
});

afterAll(async () => {
  await lab?.stop();
  await served?.stop();
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
])('%s is answered by two functions as by `serve`', async (path) => {
  const [here, there] = await Promise.all(
    [served.address(), lab.origin].map(async (at) => ask((await at) + path)),
  );
  // In Lambda a page follows nothing.
  const body = here?.body.replace(/ data-(live|page)="[^"]*"/g, '');
  expect(there).toEqual({ ...here, body });
});

test('there are no streams', async () => {
  expect((await fetch(`${lab.origin}/_/main/live`)).status).toBe(404);
  expect(await (await fetch(`${lab.origin}/_/now`)).text()).not.toContain('data-live');
});

test('what the browser has is not sent again, not even a file that was compressed', async () => {
  for (const path of ['/main/Guides/Style', '/_/main/files/diagram.svg']) {
    const first = await fetch(lab.origin + path);
    await first.arrayBuffer();
    const known = await fetch(lab.origin + path, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect([known.status, await known.text()], path).toEqual([304, '']);
  }
});

test.each(['/main/Accounts', '/main/Guides/Everything', '/main/Guides/'])(
  '%s of cold functions is one call to the function of the wiki',
  async (path) => {
    await lab.web.recycle();
    await lab.wiki.recycle();
    wikiLines.length = 0;
    const page = await fetch(lab.origin + path);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('class="tree"')]);
    const called = wikiLines.filter((line) => line.startsWith('REPORT'));
    process.stdout.write(`${path}: ${called.length} calls\n`);
    expect(called.length).toBe(1);
  },
);

test('answers are compressed, a redirect stays in the wiki, and only reads are answered', async () => {
  const page = await fetch(`${lab.origin}/main/Guides/Everything`);
  expect(page.headers.get('content-encoding')).toBe('gzip');
  const home = await fetch(`${lab.origin}/`, { redirect: 'manual' });
  expect([home.status, home.headers.get('location')]).toEqual([302, '/main']);
  const body = new URLSearchParams({ content: 'x' });
  const written = await fetch(`${lab.origin}/main/Home?view=edit`, { method: 'POST', body });
  expect(written.status).toBe(405);
});

test('without the setting that allows it nothing is shown', async () => {
  const closed = await startWebLab({ directory, variables: { PAGETREE_WITHOUT_LOGIN: 'false' } });
  try {
    const answer = await fetch(`${closed.origin}/main/Guides/Style`);
    expect(answer.status).toBe(503);
    const text = await answer.text();
    expect(text).toContain('There is no login yet');
    expect(text).not.toContain('Short sentences');
  } finally {
    await closed.stop();
  }
});

async function ask(address: string) {
  const answer = await fetch(address);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const { status, headers } = answer;
  const shown = ['content-type', 'content-disposition', 'cache-control', 'x-content-type-options'];
  return { status, headers: shown.map((name) => headers.get(name)), body: bytes.toString('latin1') };
}
