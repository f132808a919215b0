import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { openWiki } from '@pagetree/wiki';
import { dispatch, parseInput, type Request, type Wiki } from '@pagetree/wiki/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openAwsBackend } from './lambda-backend.ts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:pagetree:live';
const caller = { author: { name: 'Ada', email: 'ada@example.org' }, agent: null };
const WRITE = { path: 'P', content: 'text\n', request_id: 'request-1', wiki: 'main' };

/** The fate of one attempt: its reply is given, or lost; it does not arrive; or AWS answers in its place. */
type Fate =
  | 'answered'
  | 'lost'
  | 'dropped'
  | { status: number; type: string }
  | { failed: object }
  | { said: unknown };
const THROTTLED: Fate = { status: 429, type: 'TooManyRequestsException' };
const DENIED: Fate = { status: 403, type: 'AccessDeniedException' };
const FAULT: Fate = { status: 500, type: 'ServiceException' };
const TIMED_OUT: Fate = {
  failed: { errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out after 30 s' },
};
const TOO_LARGE: Fate = { failed: { errorType: 'Function.ResponseSizeTooLarge' } };
const CRASHED: Fate = { failed: { errorMessage: 'RequestId: x Process exited' } };

/** A backend whose function answers from a real wiki, as far as the fates of its attempts let it. */
async function openBackend(fates: readonly Fate[], wiki: string | null = null) {
  const directory = mkdtempSync(join(tmpdir(), 'lambda-backend-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const host = { backend: 'lambda', versions: {}, problems: [] };
  const opened = await openWiki({ directory, wiki: null, placement: 'local', host });
  onTestFinished(() => opened.close());
  const left = [...fates];
  const received: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, opened.wiki, left, received);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    server.close();
    server.closeAllConnections();
  });
  vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  // No pauses between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const backend = openAwsBackend({ function: FUNCTION }, wiki);
  onTestFinished(() => backend.close());
  const commits = async () => {
    await opened.settle();
    const log = execFileSync('git', ['log', '--format=%s', 'main'], { cwd: join(directory, 'main.git') });
    return log
      .toString()
      .split('\n')
      .filter((line) => line.includes('P')).length;
  };
  return { backend, received, commits };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  wiki: Wiki,
  fates: Fate[],
  received: string[],
): Promise<void> {
  const body = (await buffer(request)).toString();
  if (request.headers['x-amz-invocation-type'] === 'DryRun') return void response.writeHead(204).end();
  received.push(body);
  const fate = fates.shift() ?? 'answered';
  if (fate === 'dropped') return void request.socket.destroy();
  if (typeof fate === 'object' && 'status' in fate) {
    response.writeHead(fate.status, { 'x-amzn-errortype': fate.type, 'content-type': 'application/json' });
    return void response.end('{"message":"SECRET"}');
  }
  if (typeof fate === 'object' && 'said' in fate) return void response.end(JSON.stringify(fate.said));
  if (typeof fate === 'object') {
    response.writeHead(200, { 'x-amz-function-error': 'Unhandled' });
    return void response.end(JSON.stringify(fate.failed));
  }
  const reply = JSON.stringify(await dispatch(wiki, JSON.parse(body) as Request));
  if (fate === 'lost') request.socket.destroy();
  else response.end(reply);
}

const six = (fate: Fate) => Array.from({ length: 6 }, () => fate);

test.each<[what: string, fates: Fate[]]>([
  ['is throttled', [THROTTLED, THROTTLED, THROTTLED]],
  ['is lost on its way', ['dropped', 'dropped']],
  ['is carried out and its reply lost', ['lost']],
  ['is carried out again and again, and each reply but the last one lost', six('lost').slice(1)],
  ['runs into a fault of AWS, the limit of time and a crash', [FAULT, TIMED_OUT, CRASHED, 'lost']],
])('a write that %s is sent again as it was, and made once', async (_, fates) => {
  const { backend, received, commits } = await openBackend(fates);
  const written = await backend.wiki.write_page(parseInput('write_page', WRITE), { caller });
  expect(written).toMatchObject({ path: 'P', changed: true });
  expect(received.length).toBe(fates.length + 1);
  expect(new Set(received).size).toBe(1);
  expect(await commits()).toBe(1);
});

test.each<[what: string, fates: Fate[], code: string, attempts: number, now: RegExp]>([
  ['never arrives', six('dropped'), 'write_state_unknown', 6, /may or may not have been committed/],
  ['never gets its reply', six('lost'), 'write_state_unknown', 6, /may or may not have been committed/],
  ['always times out', six(TIMED_OUT), 'write_state_unknown', 6, /may or may not have been committed/],
  ['always crashes', six(CRASHED), 'write_state_unknown', 6, /may or may not have been committed/],
  [
    'always runs into a fault of AWS',
    six(FAULT),
    'write_state_unknown',
    6,
    /may or may not have been committed/,
  ],
  [
    'lost its reply and then the right',
    ['lost', DENIED],
    'write_state_unknown',
    2,
    /may or may not have been committed/,
  ],
  [
    'lost its reply and then is throttled',
    ['lost', ...six(THROTTLED)],
    'write_state_unknown',
    6,
    /may or may not have been committed/,
  ],
  ['is always throttled', six(THROTTLED), 'busy', 6, /^Nothing was read or changed/],
  ['has no right', [DENIED], 'forbidden', 1, /^Nothing was read or changed/],
  ['is throttled and then has no right', [THROTTLED, DENIED], 'forbidden', 2, /^Nothing was read or changed/],
  ['answers too much', [TOO_LARGE], 'too_large', 1, /did what it was asked for/],
  [
    'is too large',
    [{ status: 413, type: 'RequestTooLargeException' }],
    'too_large',
    1,
    /^Nothing was read or changed/,
  ],
  [
    'is refused for a reason that nobody knows',
    [{ status: 400, type: 'UnheardOf' }],
    'backend_unavailable',
    1,
    /^Nothing was read or changed/,
  ],
])('a write that %s is reported as it is', async (_, fates, code, attempts, now) => {
  const { backend, received, commits } = await openBackend(fates);
  const error = await errorOf(backend.wiki.write_page(parseInput('write_page', WRITE), { caller }));
  expect(error).toMatchObject({ code, text: { now: expect.stringMatching(now) } });
  expect(JSON.stringify(error)).not.toContain('SECRET');
  expect(received.length).toBe(attempts);
  expect(await commits()).toBe(fates.includes('lost') ? 1 : 0);
  if (code !== 'write_state_unknown') return;
  expect(error.data).toMatchObject({ request_id: 'request-1' });
  expect(error.text.next).toContain('request_id "request-1"');
  // Repeated as it says, the write is made once.
  expect(await backend.wiki.write_page(parseInput('write_page', WRITE), { caller })).toMatchObject({
    path: 'P',
  });
  expect(await commits()).toBe(1);
});

test.each<[what: string, fates: Fate[], code: string]>([
  ['never gets its reply', six('lost'), 'backend_unavailable'],
  ['always times out', six(TIMED_OUT), 'backend_unavailable'],
  ['lost its reply and then the right', ['lost', DENIED], 'forbidden'],
])('a read that %s changed nothing, and says so', async (_, fates, code) => {
  const { backend } = await openBackend(fates);
  const error = await errorOf(backend.wiki.read_page(parseInput('read_page', { path: 'Home' }), { caller }));
  expect(error).toMatchObject({
    code,
    text: { now: expect.stringMatching(/^Nothing was (?:read or )?changed/) },
  });
});

test('a call that is given up is not sent again', async () => {
  const call = new AbortController();
  const { backend, received } = await openBackend(six(THROTTLED));
  vi.spyOn(Math, 'random').mockImplementation(() => {
    call.abort();
    return 0.999;
  });
  const write = backend.wiki.write_page(parseInput('write_page', WRITE), { caller, signal: call.signal });
  expect(await errorOf(write)).toMatchObject({ code: 'busy' });
  expect(received.length).toBe(1);
});

test('each attempt is sealed anew, and what cannot be sealed is not sent', async () => {
  const { backend, received } = await openBackend([THROTTLED, 'answered', THROTTLED]);
  let sealed = 0;
  const wiki = backend.sealedWith(async (request) => {
    sealed += 1;
    if (sealed === 4) throw new Error('no key');
    return { ...request, caller: { ...request.caller, agent: `seal ${sealed}` } };
  });
  await wiki.write_page(parseInput('write_page', WRITE), { caller });
  await expect(wiki.read_page(parseInput('read_page', { path: 'P' }), { caller })).rejects.toThrow('no key');
  expect(received.map((each) => JSON.parse(each).caller.agent)).toEqual(['seal 1', 'seal 2', 'seal 3']);
});

test('a call that names no wiki is for the one that is set, and a call for all wikis for all', async () => {
  const { backend, received } = await openBackend([], 'other');
  const error = await errorOf(backend.wiki.list_pages(parseInput('list_pages', {}), { caller }));
  expect(error).toMatchObject({
    code: 'not_found',
    text: {
      next: expect.stringMatching(/^Pass wiki: "main"\. Where none is named, "other" is meant/),
      atTerminal: 'Name another one, as --wiki main.',
    },
  });
  await backend.wiki.list_pages(parseInput('list_pages', { wiki: 'main' }), { caller });
  await errorOf(backend.wiki.list_pages(parseInput('list_pages', { wiki: 'gone' }), { caller })).then(
    ({ text }) => expect(text.next).not.toContain('other'),
  );
  await backend.wiki.maintain_wiki(parseInput('maintain_wiki', { mode: 'tidy', all: true }), { caller });
  expect(received.map((each) => JSON.parse(each).input.wiki)).toEqual(['other', 'main', 'gone', undefined]);
});

test('only the advice about a wiki that is missing is changed for the one that is set', async () => {
  const nowhere = { happened: 'There is no wiki for you here.', now: 'x', next: 'Ask.' };
  const said = (wikis: unknown) => ({
    said: { ok: false, error: { code: 'not_found', text: nowhere, data: { wikis } } },
  });
  const twice = (fate: Fate) => [fate, fate];
  const scripted = [...twice(said([])), ...twice(said('x')), ...twice({ said: null })];
  const { backend, received } = await openBackend([...scripted, ...Array(6).fill('answered')], 'main');
  const outcomeOf = (input: object) =>
    backend.wiki.read_page(parseInput('read_page', input), { caller }).then(
      (output) => output,
      ({ code, text, data }: Thrown) => ({ code, text, data }),
    );
  for (const path of ['1', '2', '3', 'Gone'])
    expect(await outcomeOf({ path })).toEqual(await outcomeOf({ path, wiki: 'main' }));
  expect(await outcomeOf({ path: 'Home' })).toMatchObject({ path: 'Home' });
  const tidy = parseInput('maintain_wiki', { mode: 'tidy' });
  await backend.wiki.maintain_wiki({ ...tidy, all: false }, { caller });
  expect(received.map((each) => JSON.parse(each).input.wiki)).toEqual(received.map(() => 'main'));
});

test('a server without a wiki of its own sends a call as it is', async () => {
  const { backend, received } = await openBackend([]);
  const list = await backend.wiki.list_pages(parseInput('list_pages', {}), { caller });
  expect(list.pages.map(({ path }) => path)).toContain('Home');
  expect(JSON.parse(received[0] ?? '').input).not.toHaveProperty('wiki');
});

test('a call that is too large for Lambda is not sent', async () => {
  const { backend, received } = await openBackend([]);
  const content = 'x'.repeat(6_291_556);
  const error = await errorOf(
    backend.wiki.write_page(parseInput('write_page', { ...WRITE, content }), { caller }),
  );
  expect(error).toMatchObject({ code: 'too_large', data: { most: 6_291_556 } });
  expect(error.text.now).toBe('It was not sent, and nothing was changed.');
  expect(received).toEqual([]);
  const most = await openBackend([DENIED, DENIED]);
  const send = (length: number) => {
    const input = parseInput('write_page', { ...WRITE, content: 'x'.repeat(length) });
    return errorOf(most.backend.wiki.write_page(input, { caller }));
  };
  await send(1);
  const around = (most.received[0]?.length ?? 0) - 1;
  expect((await send(6_291_556 - around)).code).toBe('forbidden');
  expect((await send(6_291_557 - around)).code).toBe('too_large');
});

test('a start sends only a start, and a function that cannot be called is reported', async () => {
  const { backend, received } = await openBackend(['answered', DENIED]);
  await backend.start();
  expect(received.map((each) => JSON.parse(each))).toEqual([{ pagetree: 1, start: true }]);
  await expect(backend.start()).rejects.toMatchObject({ name: 'AccessDeniedException' });
});

interface Thrown {
  code: string;
  text: { happened: string; now: string; next: string };
  data: Record<string, unknown>;
}

async function errorOf(call: Promise<unknown>): Promise<Thrown> {
  try {
    await call;
  } catch (error) {
    return error as Thrown;
  }
  throw new Error('The call did not fail.');
}
