import { type AddressInfo, createServer } from 'node:net';
import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { describe, expect, test } from 'vitest';
import { advertisement, compressed, cut, endless, LIMITS, redirect, status } from './faulty-answers.ts';
import { filledRepository } from './repositories.ts';
import { type Fault, failureOf, httpRemote, SILENCE, serveRepository } from './served-repository.ts';

const TOKEN = 'token-ghp_0123456789';

/** Faults of the first answer. */
const FAULTS: [string, Fault, string, object?][] = [
  [
    '403',
    status(403, { 'content-type': 'text/plain' }, `No ${TOKEN} for\u0007 you`),
    'forbidden',
    { words: 'No *** for you' },
  ],
  [
    '403 that repeats the login in base64',
    status(403, { 'content-type': 'text/plain' }, `No ${Buffer.from(TOKEN).toString('base64')} for you`),
    'forbidden',
    { words: 'No *** for you' },
  ],
  ['403 with a wait', status(403, { 'retry-after': '60' }), 'rate_limited', { retryAfterMs: 60_000 }],
  ['404', status(404), 'not_found', { status: 404 }],
  ['410', status(410), 'not_found'],
  ['413', status(413), 'too_large'],
  ['429 with seconds', status(429, { 'retry-after': '7' }), 'rate_limited', { retryAfterMs: 7_000 }],
  [
    '429 with a date',
    status(429, { 'retry-after': 'Fri, 27 Nov 2026 10:00:30 GMT', date: 'Fri, 27 Nov 2026 10:00:00 GMT' }),
    'rate_limited',
    { retryAfterMs: 30_000 },
  ],
  [
    '429 with an absurd wait',
    status(429, { 'retry-after': '99999999999' }),
    'rate_limited',
    { retryAfterMs: 86_400_000 },
  ],
  ['429 without a wait', status(429, { 'retry-after': 'soon' }), 'rate_limited'],
  ['500', status(500), 'server_error', { status: 500 }],
  ['502', status(502, { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>'), 'server_error'],
  ['503 with a wait', status(503, { 'retry-after': '3' }), 'server_error', { retryAfterMs: 3_000 }],
  ['400', status(400), 'no_git', { status: 400 }],
  [
    'a web page',
    status(200, { 'content-type': 'text/html' }, '<html>Welcome</html>'),
    'no_git',
    { reason: 'content_type' },
  ],
  ['the dumb protocol', status(200, { 'content-type': 'text/plain' }, ''), 'no_git'],
  [
    'a redirect to a login page',
    redirect((host) => `http://${host}/login?token=${TOKEN}`),
    'no_git',
    { reason: 'redirect' },
  ],
  [
    'a redirect without TLS to another host',
    redirect(() => 'http://example.org/main.git/info/refs?service=git-upload-pack'),
    'no_git',
  ],
  [
    'a redirect to a file',
    redirect(() => 'file:///main.git/info/refs?service=git-upload-pack'),
    'unreachable',
  ],
  [
    'a redirect with a user',
    redirect((host) => `http://a:b@${host}/main.git/info/refs?service=git-upload-pack`),
    'no_git',
  ],
  [
    'a circle of redirects',
    redirect((host) => `http://${host}/main.git/info/refs?service=git-upload-pack`),
    'no_git',
  ],
  ['a redirect to nowhere', redirect(() => ''), 'no_git'],
  ['an empty body', () => advertisement(), 'broken', { reason: 'cut_off' }],
  ['no pkt-lines', () => advertisement('hello world'), 'broken', { reason: 'pkt_line' }],
  [
    'a pkt-line that is cut off',
    () => advertisement(pktLine('version 2').subarray(0, -3)),
    'broken',
    { reason: 'cut_off' },
  ],
  ['no flush', () => advertisement(pktLine('version 2')), 'broken', { reason: 'cut_off' }],
  ['lines that are no refs', () => advertisement(pktLine('what is this\0side-band-64k'), FLUSH), 'broken'],
  ['another service', () => advertisement(pktLine('# service=git-receive-pack'), FLUSH, FLUSH), 'broken'],
  [
    'an ERR line',
    () => advertisement(pktLine(`ERR not for ${TOKEN}`)),
    'broken',
    { reason: 'error', words: 'not for ***' },
  ],
  ['a reset after the headers', cut('001e# service=git', 'reset'), 'broken', { reason: 'cut_off' }],
  [
    'endless refs',
    endless(
      pktLine(`${'a'.repeat(40)} refs/heads/${'b'.repeat(1_000)}`),
      'application/x-git-upload-pack-advertisement',
    ),
    'too_large',
    { reason: 'refs' },
  ],
  [
    'compressed refs of 20 MB',
    () => compressed(advertisement(...Array(20_000).fill(pktLine(`${'a'.repeat(40)} ${'b'.repeat(1_000)}`)))),
    'too_large',
    { reason: 'refs' },
  ],
  [
    'an endless line',
    endless(Buffer.alloc(70_000, 'f'), 'application/x-git-upload-pack-advertisement'),
    'broken',
    { reason: 'pkt_line' },
  ],
];

describe('a fault of the first answer', () => {
  test.each(FAULTS)('%s', async (_name, fault, code, data = {}) => {
    const { bare } = filledRepository();
    // The token is known by then, as servers repeat what they were given.
    let isKnown = false;
    const { url } = await serveRepository(bare, (exchange) => {
      if (isKnown) return fault(exchange);
      isKnown = exchange.request.headers.authorization !== undefined;
      return isKnown ? undefined : { status: 401, headers: {}, body: Buffer.alloc(0) };
    });
    const remote = httpRemote(url, {
      limits: LIMITS,
      credentials: async () => ({ username: 'git', password: TOKEN }),
    });
    await remote.refs().catch(() => {});
    const failure = await failureOf(remote.refs());
    expect(failure).toMatchObject({ name: 'RemoteFailure', code, data: { remote: url, ...data } });
    expect(`${failure.message} ${JSON.stringify(failure.data)}`).not.toMatch(/ghp_|[?&]|\p{Cc}/u);
    expect(failure.message).toMatch(/^[A-Z].*[.?]|The remote says: /);
  });

  test('a connection that ends before an answer', async () => {
    const { bare } = filledRepository();
    const { url } = await serveRepository(bare, ({ request }) => {
      request.socket.destroy();
      return SILENCE;
    });
    expect(await failureOf(httpRemote(url).refs())).toMatchObject({
      code: 'unreachable',
      data: { reason: 'reset' },
    });
  });

  test('nobody there, and no such name', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(httpRemote(`http://127.0.0.1:${port}/main.git`).refs())).toMatchObject({
      code: 'unreachable',
      data: { reason: 'connection_refused' },
    });
    expect(await failureOf(httpRemote('https://no-such-host.invalid/main.git').refs())).toMatchObject({
      code: 'unreachable',
      data: { reason: 'dns' },
    });
  });

  test('no TLS where there should be', async () => {
    const { bare } = filledRepository();
    const { url } = await serveRepository(bare);
    const remote = httpRemote(url.replace('http:', 'https:'));
    expect(await failureOf(remote.refs())).toMatchObject({ code: 'unreachable', data: { reason: 'tls' } });
  });

  test.each([
    ['no answer', () => SILENCE],
    ['a body that stops', cut('001e# service=git', 'hang')],
    ['words of a failure that stop', cut('The server is', 'hang', { status: 503, type: 'text/plain' })],
  ] satisfies [string, Fault][])('silence: %s', async (_name, fault) => {
    const { bare } = filledRepository();
    const { url } = await serveRepository(bare, fault);
    expect(await failureOf(httpRemote(url, { limits: { idleMs: 50 } }).refs())).toMatchObject({
      code: 'timeout',
    });
    const giveUp = new AbortController();
    const call = httpRemote(url).refs(giveUp.signal);
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await expect(httpRemote(url).refs(AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
