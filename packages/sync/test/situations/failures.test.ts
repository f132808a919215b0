import { expect, test } from 'vitest';
import type { Answer, Fault } from '../transport/served-repository.ts';
import { World } from './world.ts';

interface Situation {
  name: string;
  fault: Fault;
  state: string;
  /** A part of the words. */
  says: string | RegExp;
  /** The longest time of an attempt. */
  deadlineMs?: number;
  /** The time to wait that the remote asks for. */
  waitsMs?: number;
}

const answer = (status: number, headers: Record<string, string> = {}, body = ''): Answer => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body: Buffer.from(body),
});

const isFetch = (url = '') => url.endsWith('/git-upload-pack');
const isPush = (url = '') => url.endsWith('/git-receive-pack');
const onFetch =
  (fault: Fault): Fault =>
  (exchange) =>
    isFetch(exchange.request.url) ? fault(exchange) : undefined;
const onPush =
  (fault: Fault): Fault =>
  (exchange) =>
    isPush(exchange.request.url) ? fault(exchange) : undefined;
/** In v2 the list of refs and the pack come from one address: only the pack is large. */
const inPack = (change: (body: Buffer) => Buffer): Fault =>
  onFetch(async ({ real }) => {
    const found = await real();
    return found.body.includes('packfile') ? { ...found, body: change(found.body) } : found;
  });
const reset: Fault = ({ request }) => {
  request.socket.destroy();
  return new Promise<never>(() => {});
};
const HOURS = 3_600_000;

/** Each leaves both sides as they were, says what it is, and is over when its cause is. */
const SITUATIONS: Situation[] = [
  {
    name: 'the connection is cut before an answer',
    fault: reset,
    state: 'unreachable',
    says: 'cannot be reached',
  },
  {
    name: 'the connection is cut before the pack',
    fault: onFetch(reset),
    state: 'unreachable',
    says: 'cannot be reached',
  },
  {
    name: 'the connection is cut before the push is answered',
    fault: onPush(reset),
    state: 'unreachable',
    says: 'cannot be reached',
  },
  {
    name: 'the server never answers',
    fault: () => new Promise<never>(() => {}),
    state: 'timeout',
    says: 'silent',
  },
  {
    name: 'the server stops in the middle of a pack',
    fault: onFetch(async ({ response, real }) => {
      const { status, headers, body } = await real();
      if (!body.includes('packfile')) return { status, headers, body };
      response.writeHead(status, headers);
      response.write(body.subarray(0, body.length / 2));
      return new Promise<never>(() => {});
    }),
    state: 'timeout',
    says: 'silent',
  },
  {
    name: 'the server sends a little now and then, for ever',
    fault: onFetch(async ({ request, response }) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
      // The length of a long packet, and its bytes one by one.
      response.write('fff0');
      const timer = setInterval(() => response.write('x'), 100);
      request.socket.once('close', () => clearInterval(timer));
      return new Promise<never>(() => {});
    }),
    state: 'timeout',
    says: 'took too long',
    deadlineMs: 2_000,
  },
  {
    name: 'it wants a login and there is none',
    fault: () => answer(401, { 'www-authenticate': 'Basic' }),
    state: 'unauthorized',
    says: '--token-file',
  },
  {
    name: 'it wants a login for pushes',
    fault: onPush(() => answer(401, { 'www-authenticate': 'Basic' })),
    state: 'unauthorized',
    says: '--token-file',
  },
  { name: 'the login may not read', fault: () => answer(403), state: 'forbidden', says: '--token-file' },
  {
    name: 'the login may not push',
    fault: onPush(() => answer(403)),
    state: 'forbidden',
    says: '--token-file',
  },
  { name: 'there is no repository', fault: () => answer(404), state: 'not_found', says: 'Check the address' },
  {
    name: 'too many calls',
    fault: () => answer(429, { 'retry-after': '7200' }),
    state: 'rate_limited',
    says: 'by itself',
    waitsMs: 2 * HOURS,
  },
  {
    name: 'too many calls, until a date',
    fault: () => answer(429, { 'retry-after': new Date(Date.now() + 3 * HOURS).toUTCString() }),
    state: 'rate_limited',
    says: 'by itself',
    waitsMs: 2.9 * HOURS,
  },
  { name: 'a fault of the server', fault: () => answer(500), state: 'server_error', says: '500' },
  {
    name: 'a fault of the server while pushing',
    fault: onPush(() => answer(500)),
    state: 'server_error',
    says: '500',
  },
  { name: 'a proxy without a server', fault: () => answer(502), state: 'server_error', says: '502' },
  {
    name: 'a server that is too busy',
    fault: () => answer(503, { 'retry-after': '7200' }),
    state: 'server_error',
    says: '503',
    waitsMs: 2 * HOURS,
  },
  {
    name: 'a page for people in place of git',
    fault: () => answer(200, { 'content-type': 'text/html' }, '<h1>Hi</h1>'),
    state: 'no_git',
    says: 'git clone',
  },
  {
    name: 'a redirect to a page for logins',
    fault: () => answer(302, { location: '/login' }),
    state: 'no_git',
    says: 'git clone',
  },
  {
    name: 'half a pack',
    fault: inPack((body) => body.subarray(0, body.length / 2)),
    state: 'broken',
    says: 'cut off',
  },
  {
    name: 'a damaged pack',
    fault: inPack((body) => {
      const at = body.indexOf('PACK') + 20;
      const damaged = Buffer.from(body);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      return damaged;
    }),
    state: 'broken',
    says: 'checksum',
  },
  {
    name: 'no pkt-lines',
    fault: onFetch(() => answer(200, { 'content-type': 'application/x-git-upload-pack-result' }, 'zzzz')),
    state: 'broken',
    says: 'cannot be used',
  },
  {
    name: 'an error in the words of git',
    fault: onFetch(() =>
      answer(200, { 'content-type': 'application/x-git-upload-pack-result' }, '0014ERR out of luck\n'),
    ),
    state: 'broken',
    says: 'out of luck',
  },
  {
    name: 'an empty answer',
    fault: onFetch(() => answer(200, { 'content-type': 'application/x-git-upload-pack-result' })),
    state: 'broken',
    says: 'cut off',
  },
];

test.for(SITUATIONS)('$name', async ({ fault, state, says, waitsMs, deadlineMs }) => {
  const world = await World.diverged();
  world.deadlineMs = deadlineMs;
  world.fault = fault;

  const failed = await world.sync();

  expect(failed).toMatchObject({ state, failures: 1 });
  expect(failed.words).toMatch(says);
  expect(failed.words).toContain('Nothing is lost');
  expect((failed.next_at ?? 0) - failed.at).toBeGreaterThanOrEqual(waitsMs ?? 1_000);
  await world.requireNothingLost();
  // The wiki goes on meanwhile, and the pauses grow.
  await world.write('Ours', 'Written while the remote failed.\n');
  const again = await world.sync();
  expect(again).toMatchObject({ state, failures: 2 });
  expect((again.next_at ?? 0) - again.at).toBeGreaterThanOrEqual((failed.next_at ?? 0) - failed.at);
  world.fault = null;
  await world.sync();
  await world.requireInStep();
  expect(await world.text('Theirs')).toBe('By a person.\n');
  expect(await world.text('Ours')).toBe('Written while the remote failed.\n');
});
