import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenedWiki, openWiki } from '@pagetree/wiki';
import {
  type CallInput,
  callOperation,
  type OperationName,
  type Output,
  type Scope,
} from '@pagetree/wiki/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSite, type Site } from './site.ts';

const HOST = '127.0.0.1:7327';
const ADA = { author: { name: 'Ada', email: 'ada@example.org' }, agent: 'claude-code/2.1' };

let directory: string;
let opened: OpenedWiki;
let site: Site;
const logged: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-web-'));
  const host = { backend: 'local', versions: {}, problems: [] };
  opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  await write(
    'Guides/Getting Started',
    '---\ntags: [Guide]\nowner: <b>Ada</b>\n---\n# Getting Started\n\n## First\n\n[[Home]] and [[Nowhere]]\n\n## Then\n\nText.\n',
  );
  await write('Notes', 'See [[Getting Started]] <script>alert(1)</script> here.\n');
  site = siteFor(null);
});

afterAll(async () => {
  await opened.close();
  rmSync(directory, { recursive: true });
});

async function run<Name extends OperationName>(name: Name, input: CallInput<Name>): Promise<Output<Name>> {
  return (await callOperation(opened.wiki, name, input, { caller: ADA })) as Output<Name>;
}

function write(path: string, content: string) {
  return run('write_page', { path, content, message: `Write ${path}` });
}

function siteFor(scope: Scope | null): Site {
  return createSite({
    wiki: opened.wiki,
    scope,
    author: null,
    hosts: [HOST],
    stylesheet: 'a{}',
    script: '',
    editor: '',
    graph: { text: () => '', digest: 'none' },
    notices: () => '',
    diagrams: { html: () => '', digest: '', scripts: '' },
    build: 'b1',
    log: (line) => logged.push(line),
  });
}

async function get(address: string, headers: Record<string, string> = {}) {
  const response = await site.fetch(
    new Request(`http://${HOST}${address}`, { headers: { host: HOST, ...headers } }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe('a page', () => {
  test('has everything around its text', async () => {
    const { status, text } = await get('/main/Guides/Getting%20Started');
    expect(status).toBe(200);
    expect(text).toContain('<title>Getting Started · main</title>');
    expect(text).toMatch(/Linked from[\s\S]*href="\/main\/Notes"[\s\S]*See \[\[Getting Started\]\]/);
    expect(text).toMatch(
      /Changed <time[^>]*>[^<]*<\/time> by <span class="author">Ada<\/span> <span class="agent">through claude-code\/2.1<\/span>: “<bdi>Write Guides\/Getting Started<\/bdi>”/,
    );
    expect(text).toContain('href="/_/main/tags?tag=Guide"');
    expect(text).toMatch(/<th scope="row">owner<\/th><td><bdi>&lt;b&gt;Ada&lt;\/b&gt;<\/bdi><\/td>/);
    expect(text).toContain('aria-current="page">Getting Started</a>');
  });

  test('writes nothing of the wiki unescaped', async () => {
    const { text } = await get('/main/Guides/Getting%20Started');
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toMatch(/<script(?! type="module" src="\/_\/client\.)|style="/);
  });

  test('is not sent again as long as it is the same', async () => {
    const first = await get('/main/Notes');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"b1\.[0-9a-f]{40}\./);
    expect((await get('/main/Notes', { 'if-none-match': tag })).status).toBe(304);
    await write('Elsewhere', 'x');
    const other = await get('/main/Notes', { 'if-none-match': tag });
    // The tree beside the page has a new page.
    expect(other.status).toBe(200);
    await run('append_to_page', { path: 'Elsewhere', content: 'y' });
    const again = await get('/main/Notes', { 'if-none-match': other.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).not.toBe(other.headers.get('etag'));
    await run('append_to_page', { path: 'Notes', content: 'new line' });
    const changed = await get('/main/Notes', { 'if-none-match': again.headers.get('etag') ?? '' });
    expect(changed.text).toContain('new line');
  });

  test('is shown as it was at a commit or on a date', async () => {
    const { commit } = await write('Past', 'as it was\n');
    await run('edit_page', { path: 'Past', edits: [{ old_string: 'was', new_string: 'is' }] });
    for (const at of [commit, commit?.slice(0, 8)]) {
      const { text } = await get(`/main/Past?at=${at}`);
      expect(text).toContain('as it was');
      expect(text).toContain('This is the page as it was');
    }
    const today = new Date().toISOString().slice(0, 10);
    expect((await get(`/main/Past?at=${today}`)).text).toContain('as it is');
    expect((await get('/main/Past?at=2001-01-01')).status).toBe(404);
    expect((await get('/main/Past?at=nonsense')).status).toBe(400);
  });

  test('that moved is shown as of a commit at its path of that time', async () => {
    const { commit } = await write('Old place', 'before the move\n');
    await run('move_page', { path: 'Old place', new_path: 'New place' });
    await run('append_to_page', { path: 'New place', content: 'after the move' });
    const { text } = await get('/main/New%20place?view=history');
    const then = `/main/Old%20place?at=${commit}`;
    expect(text).toContain(`href="${then}"`);
    expect((await get(then)).text).toContain('before the move');
    expect(text).toContain(`href="/main/Old%20place?view=diff&amp;to=${commit}"`);
    expect((await get(`/main/Old%20place?view=diff&to=${commit}`)).text).toContain('1 line added');
  });

  test('that is missing suggests others, and a deleted one links to its history', async () => {
    const missing = await get('/main/Note');
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('href="/main/Notes"');
    const { version } = await write('Short', 'x');
    await run('delete_page', { path: 'Short', version: version ?? '' });
    expect((await get('/main/Short')).text).toContain('href="/main/Short?view=history"');
    expect((await get('/main/Short?view=history')).text).toContain('deleted here');
  });
});

describe('the other views', () => {
  test('the wiki is entered by Home, and folders list what lies in them', async () => {
    expect((await get('/')).headers.get('location')).toBe('/main');
    expect((await get('/main')).headers.get('location')).toBe('/main/Home');
    expect((await get('/main/')).text).toContain('href="/main/Guides/"');
    expect((await get('/main/Guides/')).text).toContain('href="/main/Guides/Getting%20Started"');
    expect((await get('/main/None/')).status).toBe(404);
  });

  test('search marks the words, and takes a folder, a tag and days', async () => {
    const { text } = await get('/_/main/search?q=started');
    expect(text).toContain('<mark>Started</mark>');
    expect((await get('/_/main/search?q=text&tag=guide')).text).toContain('1 page');
    expect((await get('/_/main/search?q=text&folder=None/')).text).toContain('No page was found.');
    expect((await get('/_/main/search?q=text&tag=guide&until=2000-01-01')).text).toContain('No page');
    expect((await get('/_/main/search?q=text&tag=guide&since=2100-01-01')).text).toContain('No page');
    const today = new Date().toISOString().slice(0, 10);
    expect((await get(`/_/main/search?q=text&tag=guide&until=${today}`)).text).toContain('1 page');
    expect((await get('/_/main/search?q=%3Cscript%3E')).text).not.toContain('<script>');
  });

  test('changes by day, tags, problems', async () => {
    expect((await get('/_/main/changes?author=Ada')).text).toMatch(/<h2>[^<]*\d{4}<\/h2>[\s\S]*Write Notes/);
    expect((await get('/_/main/changes?author=Nobody')).text).toContain('Nothing was changed.');
    expect((await get('/_/main/changes?agent=claude')).text).toContain('Write Notes');
    expect((await get('/_/main/changes?agent=cursor')).text).toContain('Nothing was changed.');
    expect((await get('/_/main/tags')).text).toMatch(/guide<\/a> <span class="count">1/);
    expect((await get('/_/main/tags?tag=guide')).text).toContain('Getting Started');
    expect((await get('/_/main/problems')).text).toContain('Nowhere');
    expect((await get('/_/main/problems?kind=orphan')).text).toContain('href="/main/Notes"');
  });

  test('history, one change and the difference of two versions, with the words that changed', async () => {
    await write('Words', 'one two three four five six\nsame\n');
    const { commit } = await run('edit_page', {
      path: 'Words',
      edits: [{ old_string: 'three', new_string: '3' }],
    });
    const history = await get('/main/Words?view=history');
    expect(history.text).toContain(`href="/main/Words?view=diff&amp;to=${commit}"`);
    const change = await get(`/main/Words?view=diff&to=${commit}`);
    expect(change.text).toMatch(/<del>one two <b>three<\/b> four five six<\/del>/);
    expect(change.text).toMatch(/<ins>one two <b>3<\/b> four five six<\/ins>/);
    const [, first] = (await run('get_history', { path: 'Words' })).entries;
    expect((await get(`/main/Words?view=diff&to=${first?.commit}`)).text).toContain(
      '<p>2 lines added, 0 removed.</p>',
    );
    expect((await get(`/main/Words?view=diff&from=${first?.commit}&to=${commit}`)).text).toContain(
      '<b>3</b>',
    );
    expect((await get('/main/Words?view=diff')).status).toBe(400);
  });

  test('a long first version is cut like a long change', async () => {
    const { commit } = await write('Lines', '\n'.repeat(200_000));
    const { text } = await get(`/main/Lines?view=diff&to=${commit}`);
    expect(text).toContain('<p>200000 lines added, 0 removed.</p>');
    expect(text).toContain('The change is longer than what is shown here.');
    expect(text.length).toBeLessThan(4_000_000);
  });
});

describe('safety', () => {
  test('every answer forbids scripts, foreign origins and frames', async () => {
    for (const address of [
      '/main/Home',
      '/main/None',
      '/_/main/search?q=x',
      '/_/nothing',
      '/_/main/files/no.png',
    ]) {
      const { headers } = await get(address);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, address).toMatch(/^default-src 'none';.*base-uri 'none'; frame-ancestors 'none'/);
      const script = /^script-src 127\.0\.0\.1:7327\/_\/client\.[\w-]+\.js$/;
      expect(policy.match(/script-src [^;]*/)?.[0], address).toMatch(script);
      expect(policy, address).toContain("style-src 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=';");
      expect(headers.get('x-content-type-options'), address).toBe('nosniff');
    }
  });

  test('another host is refused, before anything of the wiki is read', async () => {
    for (const host of [
      'evil.example',
      'evil.example:7327',
      '127.0.0.1',
      'localhost:80',
      '127.0.0.1:7327.evil.example',
    ]) {
      const { status, text } = await get('/main/Home', { host });
      expect([status, text.includes('Home')], host).toEqual([421, false]);
    }
  });

  test('files get an origin of their own, and documents among them are downloaded, not shown', async () => {
    const content = Buffer.from('<script>alert(1)</script>').toString('base64');
    for (const [path, disposition] of [
      ['a.svg', 'inline'],
      ['b.html', 'attachment'],
      ['c.pdf', 'attachment'],
      ['d.xml', 'attachment'],
      ['e.js', 'attachment'],
      ['f.png', 'inline'],
    ] as const) {
      await run('put_attachment', { path, content });
      const { status, headers, text } = await get(`/_/main/files/${path}`);
      expect([status, text]).toEqual([200, '<script>alert(1)</script>']);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none';.*; sandbox;/);
      expect(headers.get('content-disposition')).toMatch(new RegExp(`^${disposition}; `));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      const tag = headers.get('etag') ?? '';
      expect((await get(`/_/main/files/${path}`, { 'if-none-match': tag })).status).toBe(304);
    }
  });

  test('a scope shows nothing of the rest', async () => {
    await write('Open/Page', '[[Home]] [[Notes]]\n');
    await write('Secret', '[[Open/Page]]\n');
    const whole = site;
    site = siteFor({ read: ['Open/'], write: ['Open/'] });
    try {
      expect((await get('/main/Secret')).status).toBe(404);
      const { status, text } = await get('/main/Open/Page');
      expect(status).toBe(200);
      expect(text).not.toMatch(/Secret|Notes"|Home"/);
      expect((await get('/_/main/changes')).text).not.toContain('Secret');
      expect((await get('/main/')).text).toContain('href="/main/Open/"');
    } finally {
      site = whole;
    }
  });

  test('an unknown address is answered with an error page, never as an internal error', async () => {
    for (const address of [
      '/main/a%2Fb',
      '/main/%FF',
      '/MAIN/Home',
      '/none/Home',
      '/_/main/files/',
      '/main/..%2f..%2fsecret',
      '/_/main/search?q=x&cursor=y',
      '/_/main/changes?since=x',
      '/main/Home?at=ffff',
      `/main/${'a'.repeat(9_000)}`,
    ]) {
      const { status } = await get(address);
      expect(Math.floor(status / 100), address).toBe(4);
    }
    expect(logged).toEqual([]);
  });
});
