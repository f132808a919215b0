import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWiki } from '../../../../labs/wikis/build-wiki.ts';
import type { ServedWeb } from '../../../web/test/served-web.ts';
import { temporaryDirectory } from '../built-server.ts';
import { messagesIn, RawHttp } from './raw-http.ts';
import { serveWiki } from './served-wiki.ts';

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'old-client', version: '7' },
};

let wikis: string;
let web: ServedWeb | null = null;
let http: RawHttp;

beforeAll(async () => {
  wikis = await temporaryDirectory();
  await buildWiki(join(wikis, 'main.git'), { pages: 600, commits: 300 });
});

/** Serves a wiki that no server has opened yet: its first search takes a while, as it builds the index. */
async function restart(): Promise<void> {
  await web?.stop('SIGKILL');
  const directory = await temporaryDirectory();
  await cp(wikis, directory, { recursive: true });
  const served = await serveWiki(directory);
  web = served.web;
  http = new RawHttp(served.url);
  await http.legacy('tools/list');
}

beforeEach(restart);
afterAll(() => web?.stop('SIGKILL'));

test('a client cancels a call by a message of its own, and nobody else does', async () => {
  const { headers } = await http.legacy('initialize', INITIALIZE);
  const session = { 'Mcp-Session-Id': headers.get('mcp-session-id') ?? '' };
  const search = { name: 'search_pages', arguments: { query: 'page' } };
  const call = JSON.stringify({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params: search });
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } };
  const cancelled = http.post(call, session);
  const kept = http.post(call, { 'Mcp-Session-Id': 'another' });
  expect((await http.post(JSON.stringify(cancel), session)).status).toBe(202);
  expect(messagesIn(await (await cancelled).text())).toEqual([]);
  expect(messagesIn(await (await kept).text())).toMatchObject([{ id: 'slow', result: {} }]);
});

test('calls are cancelled while others take every turn, also before their own turn came', async () => {
  const { headers } = await http.legacy('initialize', INITIALIZE);
  const session = { 'Mcp-Session-Id': headers.get('mcp-session-id') ?? '' };
  const params = { name: 'search_pages', arguments: { query: 'page' } };
  const calls = Array.from({ length: 40 }, async (_, id) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    const response = await http.post(body, session);
    return messagesIn(await response.text()).length;
  });
  for (const requestId of [0, 39]) {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
    expect((await http.post(JSON.stringify(cancel), session)).status).toBe(202);
  }
  expect(await Promise.all(calls)).toEqual([0, ...Array(38).fill(1), 0]);
});

test('reports of progress come before the answer in both eras, if a request asks for them', async () => {
  const search = { name: 'search_pages', arguments: { query: 'page' }, _meta: { progressToken: 'p' } };
  for (const era of ['legacy', 'modern'] as const) {
    await restart();
    const { messages } = await http[era]('tools/call', search);
    const reported = { method: 'notifications/progress', params: { progressToken: 'p' } };
    expect(messages.length).toBeGreaterThan(1);
    for (const message of messages.slice(0, -1)) expect(message).toMatchObject(reported);
    expect(messages.at(-1)).toHaveProperty('result');
  }
});

test('a write whose connection breaks is made once, however often it is sent again', async () => {
  const write = {
    name: 'append_to_page',
    arguments: { path: 'Once', content: 'line', request_id: 'broken-connection' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: write });
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const gone = new AbortController();
    const asked = http.post(body, {}, gone.signal).catch(() => null);
    setTimeout(() => gone.abort(), 3 * attempt);
    await asked;
  }
  await http.legacy('tools/call', write);
  const read = await http.legacy('resources/read', { uri: 'wiki://main/page/Once' });
  expect(read.messages.at(-1)).toMatchObject({ result: { contents: [{ text: 'line\n' }] } });
});
