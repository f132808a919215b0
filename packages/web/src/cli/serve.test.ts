import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Site } from '../site/site.ts';
import { serveSite } from './serve.ts';

const STALLED_MS = 50;

async function serveAnswer(answer: Site['fetch'], stalledMs = STALLED_MS): Promise<number> {
  const site = { fetch: answer, warm: async () => {}, end: async () => {} };
  const { port, close } = await serveSite({ port: 0 }, () => site, stalledMs);
  onTestFinished(close);
  return port;
}

test('an answer that takes longer than a connection may stall is sent', async () => {
  // Long enough that a busy machine does not take as long from one request to the next.
  const stalledMs = 1_000;
  const port = await serveAnswer(async () => {
    await pause(stalledMs * 1.5);
    return new Response('late');
  }, stalledMs);
  for (const _ of ['first', 'on the same connection']) {
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('late');
  }
});

test('the connection of a client that does not read its answer is closed', async () => {
  let isOver: Promise<unknown> = Promise.resolve();
  const begun = Promise.withResolvers<void>();
  const port = await serveAnswer(async (_, sent = Promise.resolve()) => {
    isOver = sent;
    begun.resolve();
    return new Response('x'.repeat(50_000_000));
  });
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await begun.promise;
  // All of the answer has no room in the buffers of the connection.
  await isOver;
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  expect(bytes).toBeLessThan(50_000_000);
});
