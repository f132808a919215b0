import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFunctionClient } from './lambda-client.ts';

/** The longest timeout that a function on Lambda can have. */
const LONGEST_TIMEOUT_MS = 900_000;

test('a call waits for as long as the function may work, even if its timeout is long', async () => {
  const { answer, arrived, requests } = await callWithoutAnswer();
  let isGivenUp = false;
  answer.catch(() => {
    isGivenUp = true;
  });
  const response = await arrived;
  await vi.advanceTimersByTimeAsync(LONGEST_TIMEOUT_MS);
  expect(isGivenUp).toBe(false);
  response.end('{"ok":true}');
  expect(await answer).toEqual({ ok: true });
  expect(requests).toHaveLength(1);
});

test('a call that gets no answer ends after the longest time that a function can take', async () => {
  const { answer, arrived, requests } = await callWithoutAnswer();
  const ended = expect(answer).rejects.toMatchObject({ name: 'TimeoutError' });
  await arrived;
  await vi.advanceTimersByTimeAsync(2 * LONGEST_TIMEOUT_MS);
  await ended;
  expect(requests).toHaveLength(1);
});

/** A call of a function that does not answer, on a clock that stands still. */
async function callWithoutAnswer() {
  const arrived = Promise.withResolvers<ServerResponse>();
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url);
    arrived.resolve(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
  const client = await openFunctionClient({
    functionName: 'pagetree',
    region: 'us-east-1',
    emulated: true,
  });
  onTestFinished(client.close);
  return { answer: client.invoke(Buffer.from('{}'), undefined), arrived: arrived.promise, requests };
}

/** A client of a function that answers each call with this text, and the requests that it gets. */
async function clientAnsweredBy(text: string, failed?: string) {
  const requests: { url: string | undefined; kind: unknown; region: string }[] = [];
  const server = createServer((request, response) => {
    const region = /\/([a-z0-9-]+)\/lambda\//.exec(request.headers.authorization ?? '')?.[1] ?? '';
    requests.push({ url: request.url, kind: request.headers['x-amz-invocation-type'], region });
    response.writeHead(200, failed === undefined ? {} : { 'x-amz-function-error': failed });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'us-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
  const open = async (region: string | null) => {
    const client = await openFunctionClient({ functionName: 'pagetree:live', region, emulated: true });
    onTestFinished(client.close);
    return client;
  };
  return { open, requests };
}

test.each([
  ['{"ok":true}', { ok: true }],
  ['null', null],
  ['no JSON', null],
  ['', null],
])('the answer %j of a function is passed on as JSON, or as none', async (text, answer) => {
  const { open, requests } = await clientAnsweredBy(text);
  const client = await open('eu-north-1');
  expect(await client.invoke(Buffer.from('{}'), undefined)).toEqual(answer);
  expect(await (await open(null)).invoke(Buffer.from('{}'), new AbortController().signal)).toEqual(answer);
  await client.warm();
  const url = '/2015-03-31/functions/pagetree%3Alive/invocations';
  expect(requests).toEqual([
    { url, kind: undefined, region: 'eu-north-1' },
    { url, kind: undefined, region: 'us-west-1' },
    { url, kind: 'DryRun', region: 'eu-north-1' },
  ]);
});

test.each([
  ['{"errorType":"Sandbox.Timedout","errorMessage":"x"}', 'Sandbox.Timedout', true],
  ['{"errorType":"Runtime.ExitError","errorMessage":"Task timed out after 3 s"}', 'Runtime.ExitError', true],
  ['{"errorType":"Runtime.ExitError","errorMessage":"x"}', 'Runtime.ExitError', false],
  ['{"errorType":7}', 'Unhandled', false],
  ['null', 'Unhandled', false],
  ['no JSON', 'Unhandled', false],
])('a function that failed with %j is no answer', async (text, type, timedOut) => {
  const { open } = await clientAnsweredBy(text, 'Unhandled');
  const client = await open(null);
  await expect(client.invoke(Buffer.from('{}'), undefined)).rejects.toMatchObject({
    ...{ name: 'FunctionFailure', type, timedOut, message: `the function failed: ${type}` },
  });
});

test('a call that is given up ends', async () => {
  const { open } = await clientAnsweredBy('{}');
  const client = await open(null);
  await expect(client.invoke(Buffer.from('{}'), AbortSignal.abort())).rejects.toMatchObject({
    name: 'AbortError',
  });
});
