import { chmod, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ServedWeb } from '../../../web/test/served-web.ts';
import { temporaryDirectory } from '../built-server.ts';
import { RawServer } from '../raw-server.ts';
import { RawHttp } from './raw-http.ts';
import { servedWikiOfFile, serveWiki } from './served-wiki.ts';

const shared = servedWikiOfFile();

test('only requests of this machine are answered, and no page of another origin sends any', async () => {
  const foreign: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: `${new URL(shared.url).origin}.evil.example` },
    { Origin: 'http://127.0.0.1:9' },
  ];
  const write = { name: 'write_page', arguments: { path: 'Foreign', content: 'x' } };
  for (const headers of foreign) {
    expect([headers, (await new RawHttp(shared.url, headers).legacy('tools/call', write)).status]).toEqual([
      headers,
      403,
    ]);
  }
  expect(await statusFor('rebound.example', JSON.stringify(write))).toBe(403);
  expect(
    (await shared.http.modern('resources/read', { uri: 'wiki://main/page/Foreign' })).messages.at(-1)?.error,
  ).toBeDefined();
  const own = new RawHttp(shared.url, { Origin: new URL(shared.url).origin });
  expect((await own.legacy('tools/list')).status).toBe(200);
});

test('with a token any host may call, who has it, and others do nothing', async () => {
  const wikis = join(await temporaryDirectory(), 'wikis');
  const file = join(await temporaryDirectory(), 'token');
  expect(await runMcp(['token', file])).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await runMcp(['token', file])).toMatchObject({ code: 1, stdout: '' });
  const token = (await runMcp(['token'])).stdout.trim();
  await writeFile(file, `${token}\n`);
  const other = await serveWiki(wikis, ['--token-file', file]);
  onTestFinished(async () => {
    await other.web.stop('SIGKILL');
  });
  const list = (headers: Record<string, string>) => new RawHttp(other.url, headers).legacy('tools/list');
  const wrong = [
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Basic ${token}`,
    'Bearer',
    token,
    'Bearer  ',
  ];
  for (const Authorization of wrong) {
    const { status, headers } = await list({ Authorization });
    expect([Authorization, status, headers.get('www-authenticate')]).toEqual([Authorization, 401, 'Bearer']);
  }
  expect((await list({})).status).toBe(401);
  expect((await list({ Authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await list({ Authorization: `bearer ${token}`, Origin: 'https://evil.example' })).status).toBe(403);
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const tunnel = { authorization: `Bearer ${token}` };
  expect(await statusFor('tunnel.example', message, tunnel, other.url)).toBe(200);
  const own = { ...tunnel, origin: 'https://tunnel.example' };
  expect(await statusFor('tunnel.example', message, own, other.url)).toBe(200);
  // The pages for people have no login, and many proxies pass on the name of this machine.
  for (const path of ['/', '/main/Home', '/mcp']) {
    const page = await fetch(new URL(path, other.url), { headers: { ...tunnel, accept: 'text/html' } });
    expect([path, page.status, await page.text()]).toEqual([path, 404, expect.stringContaining('only /mcp')]);
  }
});

test('with --read-only and --scope agents are offered no write, and see nothing of the rest', async () => {
  const other = await serveWiki(shared.directory, ['--read-only', '--scope', 'notes/']);
  onTestFinished(async () => {
    await other.web.stop('SIGKILL');
  });
  const limited = new RawHttp(other.url);
  const listed = JSON.stringify((await limited.modern('tools/list')).messages);
  expect(listed).toContain('read_page');
  expect(listed).not.toContain('write_page');
  const fewer = await serveWiki(shared.directory, [
    '--read-only',
    '--tools',
    'read_page,write_page,list_pages',
  ]);
  onTestFinished(async () => {
    await fewer.web.stop('SIGKILL');
  });
  const { messages } = await new RawHttp(fewer.url).modern('tools/list');
  const { tools } = (messages.at(-1)?.result ?? { tools: [] }) as { tools: { name: string }[] };
  expect(tools.map(({ name }) => name)).toEqual(['read_page', 'list_pages']);
  const write = { name: 'write_page', arguments: { path: 'notes/A', content: 'x' } };
  expect((await limited.modern('tools/call', write)).messages.at(-1)).toMatchObject({
    result: { isError: true },
  });
  const read = { name: 'read_page', arguments: { path: 'Home' } };
  expect((await shared.http.modern('tools/call', read)).messages.at(-1)).not.toMatchObject({
    result: { isError: true },
  });
  expect((await limited.modern('tools/call', read)).messages.at(-1)).toMatchObject({
    result: { isError: true },
  });
});

test('a token that others can read, or that is none, stops the start', async () => {
  const file = join(await temporaryDirectory(), 'token');
  const start = async () => {
    const started = new ServedWeb(['--port', '0', '--dir', shared.directory, '--token-file', file]);
    return [await started.ended, started.stderr];
  };
  expect(await start()).toEqual([
    2,
    expect.stringMatching(/cannot be read: ENOENT.*`pagetree token FILE` makes one/),
  ]);
  await writeFile(file, 'short', { mode: 0o600 });
  expect(await start()).toEqual([2, expect.stringContaining('has no token of at least 32')]);
  await writeFile(file, 'x'.repeat(32));
  await chmod(file, 0o644);
  expect(await start()).toEqual([2, expect.stringContaining('chmod 600')]);
});

/** Sends a message under any name of the host, which `fetch` does not let one choose. */
function statusFor(
  host: string,
  body: string,
  headers: Record<string, string> = {},
  to = shared.url,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const all = {
      host,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const asked = request(to, { method: 'POST', headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

async function runMcp(args: readonly string[]): Promise<{ code: number | null; stdout: string }> {
  const main = new URL('../../src/main.ts', import.meta.url).pathname;
  const server = new RawServer(process.execPath, [main, ...args]);
  const { code } = await server.ended;
  return { code, stdout: server.rubbish.join('\n') };
}
