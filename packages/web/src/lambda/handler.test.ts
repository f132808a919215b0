import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHandler } from './handler.ts';

/** As Lambda's runtime gives it to a function that streams. */
beforeEach(() => {
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handle: unknown) => handle,
    HttpResponseStream: { from: (stream: unknown) => stream },
  });
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  [
    null,
    '/main/a%2Fb',
    'https://x.lambda-url.us-east-2.on.aws/main/a%2Fb?q=1',
    'x.lambda-url.us-east-2.on.aws',
  ],
  ['https://wiki.example.org', '/main/a%2Fb', 'https://wiki.example.org/main/a%2Fb?q=1', 'wiki.example.org'],
  [
    'https://wiki.example.org',
    '//evil.example/',
    'https://wiki.example.org//evil.example/?q=1',
    'wiki.example.org',
  ],
])('with the origin %s a request for %s is one for %s', async (origin, rawPath, address, host) => {
  const siteAt = async (at: string) => ({
    fetch: async ({ url, headers }: Request) =>
      Response.json([at, url, headers.get('host'), headers.get('cookie')]),
  });
  const handle = createHandler({ siteAt, origin, log: () => {} }) as unknown as (
    ...parts: unknown[]
  ) => Promise<void>;
  const answer = new PassThrough();
  const domainName = 'x.lambda-url.us-east-2.on.aws';
  const event = {
    ...{ version: '2.0', rawPath, rawQueryString: 'q=1', cookies: ['a=1', 'b=2'] },
    headers: { host: domainName },
    requestContext: { domainName, http: { method: 'GET' } },
  };
  await handle(event, answer, {});
  expect(JSON.parse(await text(answer))).toEqual([new URL(address).origin, address, host, 'a=1; b=2']);
});
