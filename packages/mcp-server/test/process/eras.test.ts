import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { ENVELOPE, RawServer } from '../raw-server.ts';

let bundle: string;
let directory: string;

beforeAll(async () => {
  bundle = await builtServer();
  directory = join(await temporaryDirectory(), 'wikis');
});

function start(wikis = directory): RawServer {
  const server = new RawServer(process.execPath, [bundle, '--dir', wikis]);
  onTestFinished(async () => {
    server.process.stdin.end();
    await server.ended;
    expect(server.faults).toEqual([]);
  });
  return server;
}

test('a client of 2026-07-28 asks without initialize, and each request says who asks', async () => {
  const server = start();
  server.request('discover', 'server/discover');
  expect((await server.answerTo('discover')).result).toMatchObject({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
    instructions: expect.stringContaining('Home'),
  });
  expect((await server.answerTo('discover')).result?.capabilities).not.toHaveProperty('logging');
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])
    server.request(method, method);
  expect((await server.answerTo('tools/list')).result).toMatchObject({
    ttlMs: 300_000,
    cacheScope: 'private',
  });
  expect((await server.answerTo('resources/list')).result).toMatchObject({ ttlMs: 0 });

  for (const name of ['one', 'two']) {
    const clientInfo = { name, version: '1' };
    const params = { name: 'append_to_page', arguments: { path: 'Log', content: name } };
    const meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': clientInfo };
    server.request(name, 'tools/call', params, meta);
    await server.answerTo(name);
  }
  const log = await git(join(directory, 'main.git'), 'log', '-2', '--format=%B', 'main');
  expect(log.match(/^Agent: .*$/gm)).toEqual(['Agent: two/1', 'Agent: one/1']);
});

test('each era has its own errors', async () => {
  const server = start();
  const version = { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  server.request('too new', 'tools/list', {}, version);
  server.request('listed', 'tools/list');
  await server.answerTo('listed');
  // After a request of its era was served, the SDK alone would serve this one as well.
  server.request('still too new', 'tools/list', {}, version);
  for (const id of ['too new', 'still too new']) {
    expect((await server.answerTo(id)).error).toMatchObject({
      code: -32_022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    });
  }
  const uri = 'wiki://main/page/Nowhere';
  server.request('missing', 'resources/read', { uri });
  expect((await server.answerTo('missing')).error).toMatchObject({ code: -32_602, data: { uri } });
  for (const method of ['ping', 'resources/subscribe', 'logging/setLevel']) {
    server.request(method, method, { uri, level: 'error' });
    expect((await server.answerTo(method)).error?.code).toBe(-32_601);
  }

  const old = start();
  await old.initialize();
  old.send({ id: 'missing', method: 'resources/read', params: { uri } });
  expect((await old.answerTo('missing')).error?.code).toBe(-32_002);
});

test('a client that asks for versions first may go on by initialize', async () => {
  const server = start();
  server.request('discover', 'server/discover');
  await server.initialize();
  server.send({ id: 1, method: 'ping' });
  expect(await server.answerTo(1)).toMatchObject({ result: {} });
});

test('a call as a task is a plain call', async () => {
  const server = start();
  await server.initialize();
  const params = { name: 'read_page', arguments: { path: 'Home' }, task: { ttl: 60_000 } };
  server.send({ id: 1, method: 'tools/call', params });
  const { result } = await server.answerTo(1);
  expect(result).toMatchObject({ content: [{ text: expect.stringContaining('Home') }] });
  expect(result).not.toHaveProperty('isError');
});

test('a program gets the structured form in both eras if its request asks for it, and a model gets the text', async () => {
  const server = start();
  await server.initialize();
  const params = { name: 'list_wikis', arguments: {} };
  for (const [at, meta] of [undefined, {}, { 'pagetree/structured': 'true' }].entries()) {
    server.send({ id: at, method: 'tools/call', params: { ...params, _meta: meta } });
    expect((await server.answerTo(at)).result).not.toHaveProperty('structuredContent');
  }
  const structured = { 'pagetree/structured': true };
  server.send({ id: 'old', method: 'tools/call', params: { ...params, _meta: structured } });
  expect((await server.answerTo('old')).result).toHaveProperty('structuredContent');
  const modern = start();
  modern.request('new', 'tools/call', params, { ...ENVELOPE, ...structured });
  expect((await modern.answerTo('new')).result).toHaveProperty('structuredContent');
  modern.request('text', 'tools/call', params);
  expect((await modern.answerTo('text')).result).not.toHaveProperty('structuredContent');
});

test('a client hears of changes to what it listens to until it cancels, and of the end', async () => {
  const server = start();
  const [both, one] = ['wiki://main/page/Both', 'wiki://main/page/One'];
  const listen = (id: string, uris: string[]) => {
    server.request(id, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } });
    return server.answer(({ params }) => subscriptionOf(params) === id);
  };
  const write = (path: string, content: string) => {
    server.request(content, 'tools/call', { name: 'append_to_page', arguments: { path, content } });
    return server.answerTo(content);
  };
  const updates = () =>
    server.answers
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => [subscriptionOf(params), params?.uri]);
  expect((await listen('first', [both])).method).toBe('notifications/subscriptions/acknowledged');
  await listen('second', [both, one]);
  await write('Both', 'a');
  await server.answer(() => updates().length === 2);
  expect(updates()).toEqual([
    ['first', both],
    ['second', both],
  ]);
  server.send({ method: 'notifications/cancelled', params: { requestId: 'first', _meta: ENVELOPE } });
  await write('Both', 'b');
  await server.answer(() => updates().length === 3);
  expect(updates().at(-1)).toEqual(['second', both]);
  server.request('wrong', 'subscriptions/listen', { notifications: { resourceSubscriptions: ['http://x'] } });
  expect((await server.answerTo('wrong')).error?.code).toBe(-32_602);

  server.process.stdin.end();
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect((await server.answerTo('second')).result).toMatchObject({ resultType: 'complete' });
  expect(server.answers.filter(({ id }) => id === 'first')).toEqual([]);
});

function subscriptionOf(params: Record<string, unknown> | undefined): unknown {
  const meta = params?._meta as Record<string, unknown> | undefined;
  return meta?.['io.modelcontextprotocol/subscriptionId'];
}

test('a call that fails is logged under its trace context, and not to a client of 2026-07-28', async () => {
  // A file system on which no directory can be made.
  const server = start('/sys/pagetree');
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const call = { name: 'read_page', arguments: { path: 'Home' } };
  server.request(1, 'tools/call', call, { ...ENVELOPE, traceparent });
  expect((await server.answerTo(1)).result).toMatchObject({ isError: true });
  server.request(2, 'tools/call', call, { ...ENVELOPE, traceparent: 'a line\nof its own' });
  await server.answerTo(2);
  expect(server.answers).toHaveLength(2);
  const linesOf = () => server.stderr.trim().split('\n');
  // The log may come after the answer.
  await expect.poll(linesOf).toHaveLength(2);
  const lines = linesOf();
  expect(lines[0]).toContain(`(traceparent ${traceparent})`);
  expect(lines[1]).not.toContain('traceparent');
});
