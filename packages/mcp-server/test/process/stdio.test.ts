import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { toolNames } from '../../src/mcp/tool-selection.ts';
import { builtServer, temporaryDirectory } from '../built-server.ts';
import { git } from '../git.ts';
import { RawServer } from '../raw-server.ts';

let bundle: string;
let directory: string;

beforeAll(async () => {
  [bundle, directory] = await Promise.all([builtServer(), temporaryDirectory()]);
});

function start(options: string[] = ['--dir', directory], env: Record<string, string> = {}): RawServer {
  return new RawServer(process.execPath, [bundle, ...options], env);
}

test('everything that was sent before the end of stdin is answered, and then the server ends well', async () => {
  const server = start();
  void server.initialize();
  for (let id = 1; id <= 20; id += 1) server.send({ id, method: id % 2 === 0 ? 'tools/list' : 'ping' });
  server.process.stdin.end();
  expect(await server.ended).toEqual({ code: 0, signal: null });
  const ids = server.answers.map((answer) => answer.id);
  for (let id = 1; id <= 20; id += 1) expect(ids).toContain(id);
  expect(server.rubbish).toEqual([]);
  expect(server.stderr).toBe('');
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s ends the server well', async (signal) => {
  const server = start();
  await server.initialize();
  server.process.kill(signal);
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
});

test('a client that no longer reads ends the server quietly', async () => {
  const server = start();
  await server.initialize();
  server.process.stdout.destroy();
  for (let id = 1; id <= 20; id += 1) server.send({ id, method: 'tools/list' });
  expect(await server.ended).toEqual({ code: 0, signal: null });
  expect(server.stderr).toBe('');
});

test('an unread log does not stop the server', async () => {
  const server = start();
  await server.initialize();
  server.process.stderr.destroy();
  for (let id = 1; id <= 3; id += 1) server.process.stdin.write('a line that is logged as refused\n');
  server.send({ id: 4, method: 'ping' });
  expect(await server.answerTo(4)).toMatchObject({ result: {} });
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
});

test('a line over 10 MB is refused by its id, and the server goes on', async () => {
  const server = start();
  await server.initialize();
  server.callTool(1, 'write_page', { path: 'Big', content: 'x'.repeat(11 * 1024 * 1024) });
  expect(await server.answerTo(1)).toMatchObject({ error: { code: -32600, message: /over 10 MB/ } });
  server.send({ id: 2, method: 'ping' });
  expect(await server.answerTo(2)).toMatchObject({ result: {} });
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
  expect(server.stderr.split('\n')).toHaveLength(2);
});

test('lines that are not messages get an error, and the server goes on', async () => {
  const server = start();
  await server.initialize();
  server.process.stdin.write('\n\r\nhello\n{"id":\n');
  server.send({ id: 1, method: 5 });
  expect(await server.answerTo(1)).toMatchObject({ error: { code: -32600 } });
  server.send({ id: 2, method: 'no/such/method' });
  expect(await server.answerTo(2)).toMatchObject({ error: { code: -32601, message: 'Method not found' } });
  expect(server.answers.filter((answer) => answer.error?.code === -32700)).toHaveLength(2);
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
});

test.each([
  ['an unknown tool', 'delete_everything', {}],
  ['a name that is no text', 5, {}],
  ['no name', undefined, {}],
  ['arguments that are a list', 'read_page', []],
  ['arguments that are text', 'read_page', 'Home'],
  ['no arguments', 'read_page', undefined],
  ['an argument too many', 'read_page', { path: 'Home', nonsense: 1 }],
  ['a wrong type', 'read_page', { path: 5 }],
])('%s is answered by the tool as invalid_input', async (_, name, args) => {
  const server = start();
  await server.initialize();
  server.callTool(1, name, args);
  const { result, error } = await server.answerTo(1);
  expect(error).toBeUndefined();
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^invalid_input: /) }],
  });
  expect(result).not.toHaveProperty('structuredContent');
  server.process.stdin.end();
  await server.ended;
});

test('a mistyped option stops the start with a plain sentence and status 2', async () => {
  const server = start(['--dri', directory]);
  expect(await server.ended).toEqual({ code: 2, signal: null });
  expect(server.stderr).toBe("pagetree: Unknown option '--dri'. Run with --help to see the options.\n");
  expect(server.answers).toEqual([]);
});

test('only the tools that were chosen are listed and can be called', async () => {
  const server = start(['--dir', directory, '--tools', 'read-only', '--except-tools', 'get_links']);
  await server.initialize();
  server.send({ id: 1, method: 'tools/list' });
  const { result } = await server.answerTo(1);
  const names = ((result?.tools ?? []) as { name: string }[]).map((tool) => tool.name);
  expect(names).toContain('read_page');
  for (const name of ['write_page', 'get_links']) {
    expect(names).not.toContain(name);
    server.callTool(name, name, { path: 'Home', content: 'x' });
    expect((await server.answerTo(name)).result).toMatchObject({
      content: [{ text: expect.stringMatching(/^invalid_input: There is no tool/) }],
    });
  }
  server.process.stdin.end();
  await server.ended;
});

test('a typo in the list of tools stops the start with a plain sentence and status 2', async () => {
  const server = start(['--dir', directory], { PAGETREE_TOOLS: 'essental' });
  expect(await server.ended).toEqual({ code: 2, signal: null });
  expect(server.stderr).toMatch(
    /^pagetree: There is no tool or preset "essental"\. There are all, essential, .*\n$/,
  );
});

test('with a wrong setting tools/list still works, and every tool says what to correct', async () => {
  const server = start(['--dir', directory, '--wiki', 'My Wiki']);
  await server.initialize();
  server.send({ id: 1, method: 'tools/list' });
  const { result } = await server.answerTo(1);
  expect(result?.tools).toHaveLength(toolNames.length);
  server.callTool(2, 'wiki_status', {});
  expect((await server.answerTo(2)).result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^backend_unavailable: .*"My Wiki"/) }],
  });
  server.process.stdin.end();
  expect((await server.ended).code).toBe(0);
});

test('the name of a client is one line of the commit, whatever it contains', async () => {
  const server = start();
  const clientInfo = { name: 'evil\nRequest-Id: 1\n\r<x@y>\u2028', version: '1\0\t2' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  server.send({ id: 'initialize', method: 'initialize', params });
  await server.answerTo('initialize');
  server.callTool(1, 'write_page', { path: 'By a client', content: 'x' });
  await server.answerTo(1);
  server.process.stdin.end();
  await server.ended;
  const lines = (await git(join(directory, 'main.git'), 'log', '-1', '--format=%B', 'main')).split('\n');
  expect(lines).toContain('Agent: evil Request-Id: 1 x@y /1 2');
  expect(lines.filter((line) => line.startsWith('Request-Id:'))).toHaveLength(1);
});
