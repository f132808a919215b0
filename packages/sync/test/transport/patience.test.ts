import { FLUSH, pktLine } from '@pagetree/wiki/pkt-line';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openHttpRemote } from '../../src/transport/http/open-http-remote.ts';
import { Patience } from '../../src/transport/patience.ts';
import { type HttpUrl, parseRemoteUrl } from '../../src/transport/remote-url.ts';
import { advertisement } from './faulty-answers.ts';
import { SILENCE } from './served-repository.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const patient = (signal?: AbortSignal) =>
  new Patience({ signal, idleMs: 1_000, remote: 'https://example.org/a' });

test('silence ends the waiting, and not what went before it', async () => {
  const patience = patient();
  for (let at = 0; at < 5; at += 1) {
    const { promise, resolve } = Promise.withResolvers<number>();
    const waiting = patience.untilSilent(promise);
    vi.advanceTimersByTime(900);
    resolve(at);
    expect(await waiting).toBe(at);
    vi.advanceTimersByTime(5_000);
  }
  const waiting = patience.untilSilent(SILENCE);
  vi.advanceTimersByTime(900);
  patience.heard();
  vi.advanceTimersByTime(900);
  expect(patience.signal.aborted).toBe(false);
  vi.advanceTimersByTime(200);
  await expect(waiting).rejects.toMatchObject({ code: 'timeout' });
  await expect(patience.untilGivenUp(SILENCE)).rejects.toMatchObject({ code: 'timeout' });
});

test('nothing is left of a call that is over', () => {
  const caller = new AbortController();
  const patience = patient(caller.signal);
  patience.heard();
  patience.end();
  expect(vi.getTimerCount()).toBe(0);
  expect(patience.signal.aborted).toBe(true);
});

test('a long upload is no silence, and the length of its body is announced', async () => {
  const oid = 'a'.repeat(40);
  const REF = 'refs/heads/main';
  const greeting = advertisement(pktLine(`${oid} ${REF}\0report-status side-band-64k ofs-delta`), FLUSH);
  const report = Buffer.concat([pktLine('unpack ok'), pktLine(`ok ${REF}`), FLUSH]);
  const answer = (type: string, body: Uint8Array) =>
    new Response(body as BodyInit, { headers: { 'content-type': `application/x-git-receive-pack-${type}` } });
  const taken: number[] = [];
  const slow: typeof fetch = async (_address, init) => {
    if (init?.method !== 'POST') return answer('advertisement', greeting.body);
    for await (const piece of init.body as ReadableStream<Uint8Array>) {
      taken.push(piece.length);
      vi.advanceTimersByTime(900);
    }
    const length = taken.reduce((sum, each) => sum + each, 0);
    expect(new Headers(init.headers).get('content-length')).toBe(String(length));
    return answer('result', Buffer.concat([pktLine(Buffer.concat([Buffer.of(1), report])), FLUSH]));
  };
  const url = parseRemoteUrl('https://example.org/a.git') as HttpUrl;
  const options = { url, credentials: async () => null, agentName: 'pagetree/1.2.3', fetch: slow };
  const remote = openHttpRemote({ ...options, limits: { idleMs: 1_000 } });
  await remote.push({ ref: REF, from: oid, to: 'b'.repeat(40), pack: Buffer.alloc(1_000_000) });
  expect(taken.length).toBeGreaterThan(10);
});
