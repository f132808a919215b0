import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openWiki } from '@pagetree/wiki';
import { dispatch, parseInput, type Request } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAwsBackend } from './lambda-backend.ts';

const arnOf = (name: string, account = '000000000000') =>
  `arn:aws:lambda:eu-north-1:${account}:function:${name}:live`;
const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const READ = parseInput('list_pages', { wiki: 'main' });

interface AwsOptions {
  /** The functions that this identity may not call. */
  denied?: readonly string[];
  /** The outputs of the stack at each look; null if there is no such stack. */
  stacks?: readonly (Record<string, string> | null)[];
}

/** AWS as one address: a stack, and functions that answer from a real wiki. */
async function openAws({ denied = [], stacks = [] }: AwsOptions = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'lambda-places-'));
  const host = { backend: 'lambda', versions: {}, problems: [] };
  const { wiki, close } = await openWiki({ directory, wiki: null, placement: 'local', host });
  const left = [...stacks];
  const calls: string[] = [];
  const keys = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    keys.add(/Credential=(\w+)\/\d+\/([\w-]+)/.exec(request.headers.authorization ?? '')?.[0] ?? '');
    const [, name] = /\/functions\/([^/]+)\//.exec(request.url ?? '') ?? [];
    if (name === undefined) {
      calls.push(`look for ${new URLSearchParams(body).get('StackName')}`);
      const stack = left.shift() ?? null;
      return response.writeHead(stack === null ? 400 : 200).end(stack === null ? NO_STACK : stackText(stack));
    }
    const called = decodeURIComponent(name).split(':').at(-2) ?? '';
    const isDry = request.headers['x-amz-invocation-type'] === 'DryRun';
    calls.push(isDry ? `warm ${called}` : called);
    if (denied.includes(called))
      return response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' }).end('{}');
    return response.end(isDry ? '' : JSON.stringify(await dispatch(wiki, JSON.parse(body) as Request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'eu-north-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'OWNKEY');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
    await close();
    rmSync(directory, { recursive: true });
  });
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return { calls, keys, connections };
}

const NO_STACK =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>x</Message></Error></ErrorResponse>';

function stackText(outputs: Record<string, string>): string {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function open(aws: Parameters<typeof openAwsBackend>[0]) {
  const backend = openAwsBackend(aws, null);
  onTestFinished(() => backend.close());
  return { backend, read: () => backend.wiki.list_pages(READ, { caller }) };
}

const BOTH = { Function: arnOf('writer'), ReaderFunction: arnOf('reader') };

test('the function of writers answers, and that of readers only for an identity that may not call it', async () => {
  const { calls } = await openAws({ denied: ['reader'], stacks: [BOTH] });
  const { backend, read } = open({ stack: 'team' });
  expect(backend).toMatchObject({ place: 'the stack team', isRemote: true });
  await read();
  await read();
  expect(calls.filter((call) => call !== 'warm writer')).toEqual(['look for team', 'writer', 'writer']);

  const { calls: others } = await openAws({ denied: ['writer'], stacks: [BOTH] });
  const { read: readOnly } = open({ stack: 'team' });
  await readOnly();
  await readOnly();
  const expected = ['look for team', 'writer', 'reader', 'reader'];
  expect(others.filter((call) => call !== 'warm writer')).toEqual(expected);
});

test.each([
  ['stack', { stack: 'team' }],
  ['function', { function: arnOf('writer') }],
])('a %s that has no function for readers refuses an identity without the right', async (name, aws) => {
  const { calls } = await openAws({ denied: ['writer'], stacks: [{ Function: arnOf('writer') }] });
  const { read, backend } = open(aws as { stack: string });
  const error = await read().catch((thrown: unknown) => thrown);
  const happened = expect.stringContaining(backend.place);
  expect(error).toMatchObject({ code: 'forbidden', text: { happened } });
  expect(backend.place).toBe(name === 'stack' ? 'the stack team' : `the function ${arnOf('writer')}`);
  expect(calls).not.toContain('reader');
});

test('a stack that was not found is looked for again by the next call, and needs no end', async () => {
  const { calls } = await openAws({ stacks: [null, null, BOTH] });
  const { backend, read } = open({ stack: 'team' });
  await expect(read()).rejects.toMatchObject({ code: 'backend_unavailable' });
  await backend.close();
  await expect(read()).rejects.toMatchObject({ code: 'backend_unavailable' });
  await read();
  expect(calls).toEqual([...Array(3).fill('look for team'), 'writer']);
});

test('a function on AWS is called in its own region, by the keys of this machine, and warmed before', async () => {
  const { calls, keys, connections } = await openAws();
  vi.stubEnv('AWS_REGION', 'us-west-1');
  const { backend, read } = open({ function: arnOf('writer', '123456789012') });
  await expect.poll(() => calls).toEqual(['warm writer']);
  await read();
  expect(calls).toEqual(['warm writer', 'writer']);
  expect([...keys]).toEqual([expect.stringMatching(/^Credential=OWNKEY\/\d+\/eu-north-1$/)]);
  expect(await connections()).toBeGreaterThan(0);
  await backend.close();
  await expect.poll(connections).toBe(0);
});
