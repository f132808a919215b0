import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampled } from '../../../../labs/sample.ts';
import type { ServedWeb } from '../../../web/test/served-web.ts';
import { temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { malformedRequests } from './malformed-requests.ts';
import { messagesIn, RawHttp } from './raw-http.ts';
import { servedWikiOfFile, serveWiki } from './served-wiki.ts';

const shared = servedWikiOfFile();

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'old-client', version: '7' },
};

test('the trailer of a commit names the client in both eras, though nothing is kept between requests', async () => {
  const { headers, messages } = await shared.http.legacy('initialize', INITIALIZE);
  expect(messages.at(-1)).toMatchObject({ result: { capabilities: { resources: {} } } });
  const session = { 'Mcp-Session-Id': headers.get('mcp-session-id') ?? '' };
  const write = (content: string) => ({ name: 'append_to_page', arguments: { path: 'Log', content } });
  await shared.http.legacy('tools/call', write('old'), session);
  await shared.http.legacy('tools/call', write('nobody'));
  await shared.http.legacy('tools/call', write('made up'), { 'Mcp-Session-Id': 'x'.repeat(500) });
  await shared.http.modern('tools/call', write('new'));
  const log = await git(
    join(shared.directory, 'main.git'),
    'log',
    '-4',
    '--format=%(trailers:key=Agent,valueonly)%x00',
  );
  expect(log.split('\0').map((agent) => agent.trim())).toEqual(['raw-http/0.3', '', '', 'old-client/7', '']);
});

test('each era has its own codes', async () => {
  const missing = { uri: 'wiki://main/page/Nowhere' };
  const old = await shared.http.legacy('resources/read', missing);
  expect([old.status, old.messages.at(-1)?.error]).toMatchObject([200, { code: -32_002, data: missing }]);
  const present = await shared.http.modern('resources/read', missing);
  expect([present.status, present.messages.at(-1)?.error]).toMatchObject([200, { code: -32_602 }]);
  for (const method of ['initialize', 'ping', 'resources/subscribe', 'logging/setLevel', 'no/such']) {
    const { status, messages } = await shared.http.modern(method, INITIALIZE);
    expect([method, status, messages.at(-1)?.error]).toMatchObject([method, 404, { code: -32_601 }]);
  }
});

test('other methods than POST are refused, and a person who opens the address sees a page', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
    const response = await fetch(shared.url, { method, headers: { Accept: 'text/event-stream' } });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
  }
  const page = await fetch(shared.url, { headers: { Accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('<html')]);
});

test('a client hears of changes to what it listens to, and of the end of the server', async () => {
  const other = await serveWiki(join(await temporaryDirectory(), 'wikis'));
  onTestFinished(async () => {
    await other.web.stop('SIGKILL');
  });
  const raw = new RawHttp(other.url);
  const uri = 'wiki://main/page/Watched';
  const listening = await listen(other.url, [uri]);
  expect(await listening.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
  await raw.modern('tools/call', { name: 'write_page', arguments: { path: 'Watched', content: 'one' } });
  expect(await listening.next()).toMatchObject({
    method: 'notifications/resources/updated',
    params: { uri },
  });
  other.web.process.kill('SIGINT');
  expect(await listening.next()).toMatchObject({ result: { resultType: 'complete' } });
  expect(await other.web.ended).toBe(0);
  const refused = await listen(shared.url, ['https://example.org/']);
  expect(await refused.next()).toMatchObject({ error: { code: -32_602 } });
});

test('requests that are sent in part, by any number of clients, keep nobody waiting', async () => {
  const headers = { 'content-type': 'application/json', 'content-length': '100' };
  const halves = Array.from({ length: 100 }, () => {
    const half = request(shared.url, { method: 'POST', headers });
    half.on('error', () => {});
    half.write('{');
    return half;
  });
  expect((await shared.http.modern('tools/list')).status).toBe(200);
  const page = { name: 'read_page', arguments: { path: 'Home' } };
  expect((await shared.http.legacy('tools/call', page, { Accept: '*/*' })).status).toBe(200);
  for (const half of halves) half.destroy();
});

test(`${sampled(10_000, 500)} malformed requests are refused, and the server goes on`, async () => {
  const before = await memoryOf(shared.web);
  const statuses = new Map<number, number>();
  for (const { body, headers } of malformedRequests(sampled(10_000, 500))) {
    const response = await shared.http.post(body, headers);
    await response.arrayBuffer();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  }
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
  expect(statuses.size).toBeGreaterThan(2);
  expect((await shared.http.legacy('tools/list')).status).toBe(200);
  expect((await memoryOf(shared.web)) - before).toBeLessThan(150);
});

/** The resident memory of a process, in MB. */
async function memoryOf({ process: { pid } }: ServedWeb): Promise<number> {
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

/** The messages of an open `subscriptions/listen`, one by one. */
async function listen(to: string, uris: readonly string[]): Promise<{ next(): Promise<unknown> }> {
  const params = {
    notifications: { resourceSubscriptions: uris },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
    },
  };
  const method = 'subscriptions/listen';
  const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method };
  const response = await new RawHttp(to).post(
    JSON.stringify({ jsonrpc: '2.0', id: 'l', method, params }),
    headers,
  );
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  const found: unknown[] = [];
  let text = '';
  return {
    async next() {
      while (found.length === 0) {
        const { done, value } = await reader.read();
        if (done) return messagesIn(text)[0];
        text += value;
        const end = text.lastIndexOf('\n\n');
        if (end === -1) continue;
        found.push(...messagesIn(text.slice(0, end)));
        text = text.slice(end + 2);
      }
      return found.shift();
    },
  };
}
