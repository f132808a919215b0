import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { RawServer } from '../../mcp-server/test/raw-server.ts';
import { fieldsIn } from './posting.ts';
import { readEvents } from './read-events.ts';
import { ServedWeb } from './served-web.ts';

const MCP_SERVER = fileURLToPath(new URL('../../mcp-server/src/main.ts', import.meta.url));

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pagetree-serve-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

test('beside an agent that writes over MCP it shows each write at once, to this machine alone, until Ctrl-C', async () => {
  const web = new ServedWeb(['--port', '0', '--dir', directory]);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
  });
  const address = await web.address();
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await (await fetch(`${address}/`)).text()).toContain('This wiki is new');

  const agent = new RawServer(process.execPath, [MCP_SERVER, '--dir', directory]);
  onTestFinished(async () => {
    agent.process.kill('SIGKILL');
    await agent.ended;
  });
  await agent.initialize();
  agent.callTool(1, 'write_page', { path: 'Diary', content: 'one\n' });
  await agent.answerTo(1);
  expect(await (await fetch(`${address}/main/Diary`)).text()).toContain('one');
  agent.callTool(2, 'append_to_page', { path: 'Diary', content: 'two' });
  await agent.answerTo(2);
  const changed = await (await fetch(`${address}/main/Diary`)).text();
  expect(changed).toContain('two');
  expect(changed).toContain('through raw-client/0.1');

  const { port } = new URL(address);
  expect(await statusFor(`localhost:${port}`, port)).toBe(200);
  expect(await statusFor('rebound.example', port)).toBe(421);
  for (const ip of foreignAddresses()) await expect(fetch(`http://${ip}:${port}/`)).rejects.toThrow();

  expect(await web.stop('SIGINT')).toBe(0);
});

test('what another process writes is sent to those who follow, and Ctrl-C ends their streams in order', async () => {
  const web = new ServedWeb(['--port', '0', '--dir', directory]);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
  });
  const address = await web.address();
  const agent = new RawServer(process.execPath, [MCP_SERVER, '--dir', directory]);
  onTestFinished(async () => {
    agent.process.kill('SIGKILL');
    await agent.ended;
  });
  await agent.initialize();
  const streams = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const { body } = await fetch(`${address}${at === 0 ? '/_/live' : '/_/main/live'}`);
      return readEvents(body as ReadableStream<Uint8Array>);
    }),
  );
  for (const stream of streams) expect((await stream.next()).value).toMatchObject({ event: 'begun' });
  agent.callTool(1, 'write_page', { path: 'Diary', content: 'one\n' });
  await agent.answerTo(1);
  for (const stream of streams) {
    expect((await stream.next()).value).toMatchObject({ event: 'change', data: { pages: ['/main/Diary'] } });
  }
  expect(await web.stop('SIGINT')).toBe(0);
  // A stream that was cut off would reject.
  for (const stream of streams) expect((await stream.next()).done).toBe(true);
});

/** As a page of another host name that resolves to this machine would request it. */
function statusFor(host: string, port: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path: '/main/Home', headers: { host } };
    request(options, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
  });
}

/** The addresses by which other machines reach this one. */
function foreignAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
}

test('a form that is too large is refused over HTTP, with or without its length, and the next one is taken', async () => {
  const web = new ServedWeb(['--port', '0', '--dir', directory]);
  onTestFinished(async () => {
    await web.stop('SIGKILL');
  });
  const address = `${await web.address()}/main/Page?view=edit`;
  const opened = await fetch(address);
  const headers = {
    cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const fields = new URLSearchParams({ ...fieldsIn(await opened.text()), content: 'mine', do: 'save' });
  const large = 'x'.repeat(6_000_000);
  for (const body of [`${fields}${large}`, new Blob([`${fields}${large}`]).stream()]) {
    const refused = await fetch(address, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect(refused.status).toBe(413);
    expect(await refused.text()).toContain('This is too large');
  }
  expect((await fetch(address, { method: 'POST', headers, body: fields, redirect: 'manual' })).status).toBe(
    303,
  );
  expect(await (await fetch(address.replace(/\?.*/, ''))).text()).toContain('mine');
  expect(await web.stop('SIGINT')).toBe(0);
});

test.each<[args: string[], forms: number[], says: RegExp]>([
  [[], [200, 200], /changes there are by Grace <grace@example\.org>/],
  [['--write-scope', 'Open/'], [403, 200], /changes there are by Grace/],
  [['--read-only'], [403, 403], /nothing can be changed there/],
])('%j says who writes, and shows the forms of what may be changed', async (args, statuses, says) => {
  const web = new ServedWeb(['--port', '0', '--dir', directory, ...args], {
    PAGETREE_AUTHOR: 'Grace <grace@example.org>',
  });
  onTestFinished(async () => {
    await web.stop('SIGKILL');
  });
  const address = await web.address();
  const forms = ['Home', 'Open/New'].map(async (path) => {
    const answer = await fetch(`${address}/main/${path}?view=edit`);
    await answer.arrayBuffer();
    return answer.status;
  });
  expect(await Promise.all(forms)).toEqual(statuses);
  expect(web.stderr).toMatch(says);
});

test('a port in use stops the start with a sentence that says what to do', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    taken.close();
  });
  const { port } = taken.address() as AddressInfo;
  const web = new ServedWeb(['--dir', directory, '--port', String(port)]);
  expect(await web.ended).toBe(2);
  expect(web.stderr).toMatch(/Port \d+ is taken.* --port \d+/);
  expect(web.stdout).toBe('');
});
