import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { RuntimeApi } from './runtime-api.ts';

/** Node's server ends a connection that is idle for five seconds, and one more for good measure. */
const LONGER_THAN_NODE_WAITS_MS = 6_500;

test('the connection of a runtime stays open for as long as it works', async () => {
  const { runtime, socket } = await askingRuntime();
  let hasEnded = false;
  socket.on('end', () => {
    hasEnded = true;
  });
  const outcome = runtime.give(invocation, new Date(Date.now() + 60_000));
  await wait(LONGER_THAN_NODE_WAITS_MS);
  expect(hasEnded).toBe(false);
  socket.write(
    'POST /2018-06-01/runtime/invocation/one/response HTTP/1.1\r\nHost: lab\r\nContent-Length: 4\r\n\r\n"ok"',
  );
  expect(await outcome).toEqual({ kind: 'reply', payload: Buffer.from('"ok"') });
});

test('a runtime that asks for the next event instead of an answer is an error at once', async () => {
  const { runtime, socket } = await askingRuntime();
  const outcome = runtime.give(invocation, new Date(Date.now() + 60_000));
  socket.write(NEXT);
  expect(await outcome).toMatchObject({ kind: 'function-error' });
  expect(`${(await outcome).payload}`).toContain('Runtime.NoResponse');
});

const NEXT = 'GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: lab\r\n\r\n';

const invocation = {
  requestId: 'one',
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:lab',
  payload: Buffer.from('{}'),
  trace: { root: '1-00000000-000000000000000000000000', segment: '0000000000000000', sampled: false },
};

/** A runtime that waits for its first event. */
async function askingRuntime(): Promise<{ runtime: RuntimeApi; socket: Socket }> {
  const runtime = await RuntimeApi.listen('127.0.0.1');
  const [host = '', port] = runtime.address.split(':');
  const socket = connect(Number(port), host);
  onTestFinished(() => {
    socket.destroy();
    runtime.close();
  });
  socket.resume();
  socket.write(NEXT);
  await runtime.asked();
  return { runtime, socket };
}
