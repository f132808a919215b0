import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFunctionClient } from './lambda-client.ts';

/** The longest timeout that a function on Lambda can have. */
const LONGEST_TIMEOUT_MS = 900_000;

test('a call waits for as long as the function may work, even if its timeout is long', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
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
  const answer = client.invoke(Buffer.from('{}'), undefined);
  const response = await arrived.promise;
  let isGivenUp = false;
  answer.catch(() => {
    isGivenUp = true;
  });
  await vi.advanceTimersByTimeAsync(LONGEST_TIMEOUT_MS);
  expect(isGivenUp).toBe(false);
  response.end('{"ok":true}');
  expect(await answer).toEqual({ ok: true });
  expect(requests).toBe(1);
});
