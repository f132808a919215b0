import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHandler } from './handler.ts';

/** As Lambda's runtime gives it to a function that streams; the head is kept beside. */
let heads: { statusCode: number; headers: Record<string, string>; cookies: string[] }[];

beforeEach(() => {
  heads = [];
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handle: unknown) => handle,
    HttpResponseStream: {
      from(stream: unknown, head: (typeof heads)[number]) {
        heads.push(head);
        return stream;
      },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const HOST = 'x.lambda-url.us-east-2.on.aws';
const EVENT = {
  ...{ version: '2.0', rawPath: '/main/a%2Fb', rawQueryString: 'q=1', cookies: ['a=1', 'b=2'] },
  headers: { host: HOST },
  requestContext: { domainName: HOST, http: { method: 'GET' } },
};

async function answered(
  fetch: (request: Request) => Promise<Response>,
  event: object,
  { origin = null, log = () => {} }: { origin?: string | null; log?: (line: string) => void } = {},
): Promise<{ head: (typeof heads)[number] | undefined; body: string }> {
  const handle = createHandler({ siteAt: async () => ({ fetch }), origin, log });
  const answer = new PassThrough();
  const body = text(answer);
  await handle(event, answer, {});
  return { head: heads[0], body: await body };
}

test.each([
  [null, '/main/a%2Fb', `https://${HOST}/main/a%2Fb?q=1`, HOST],
  ['https://wiki.example.org', '/main/a%2Fb', 'https://wiki.example.org/main/a%2Fb?q=1', 'wiki.example.org'],
  [
    'https://wiki.example.org',
    '//evil.example/',
    'https://wiki.example.org//evil.example/?q=1',
    'wiki.example.org',
  ],
])('with the origin %s a request for %s is one for %s', async (origin, rawPath, address, host) => {
  const fetch = async ({ url, headers }: Request) =>
    Response.json([url, headers.get('host'), headers.get('cookie')]);
  const { body } = await answered(fetch, { ...EVENT, rawPath }, { origin });
  expect(JSON.parse(body)).toEqual([address, host, 'a=1; b=2']);
});

test('a body arrives byte by byte, and status, cookies and an empty answer go back', async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  const http = { method: 'POST' };
  const event = { ...EVENT, requestContext: { ...EVENT.requestContext, http } };
  const fetch = async (request: Request) => {
    expect(Buffer.from(await request.arrayBuffer())).toEqual(bytes);
    const headers = new Headers({ Location: '/there' });
    headers.append('Set-Cookie', 'a=1, 2');
    headers.append('Set-Cookie', 'b=2');
    return new Response(null, { status: 303, headers });
  };
  const { head, body } = await answered(fetch, {
    ...event,
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  });
  expect(head).toMatchObject({
    statusCode: 303,
    headers: { location: '/there' },
    cookies: ['a=1, 2', 'b=2'],
  });
  expect(body).toBe('');
  const plainBody = await answered(async (request) => new Response(await request.text()), {
    ...event,
    body: 'Tee für alle',
  });
  expect(plainBody.body).toBe('Tee für alle');
});

const { requestContext } = EVENT;
test.each<[string, object]>([
  ['a GET with a body', { ...EVENT, body: 'text' }],
  ['the method TRACE', { ...EVENT, requestContext: { ...requestContext, http: { method: 'TRACE' } } }],
  ['a method that is none', { ...EVENT, requestContext: { ...requestContext, http: { method: 'A B' } } }],
  ['a cookie beyond Latin-1', { ...EVENT, cookies: ['a=\u{1f375}'] }],
  ['a header beyond Latin-1', { ...EVENT, headers: { host: HOST, accept: '\u0100' } }],
  ['a header with a line end', { ...EVENT, headers: { host: HOST, accept: 'a\nb' } }],
  ['a name of a header that is none', { ...EVENT, headers: { 'a b': 'c' } }],
  ['a host that is none', { ...EVENT, requestContext: { ...requestContext, domainName: 'a b' } }],
  ['an event of something else', { Records: [] }],
  ['an event that is none', []],
])('%s is answered with 400', async (_, event) => {
  const fetch = vi.fn(async () => new Response('no'));
  const { head, body } = await answered(fetch, event);
  expect(head?.statusCode).toBe(400);
  expect(body).toBe('This is no request that can be answered.\n');
  expect(fetch).not.toHaveBeenCalled();
});

test('a failure before the answer is said and logged, and one in it cuts the answer off', async () => {
  const log = vi.fn();
  const { head, body } = await answered(() => Promise.reject(new Error('the reason')), EVENT, { log });
  expect([head?.statusCode, body]).toEqual([500, 'Something went wrong here. Try again.\n']);
  expect(log).toHaveBeenCalledWith('a request was not answered: the reason');
  let pulls = 0;
  const failing = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1;
      if (pulls === 1) controller.enqueue(Buffer.from('begun'));
      else controller.error(new Error('in the middle'));
    },
  });
  const answer = new PassThrough();
  const handle = createHandler({
    siteAt: async () => ({ fetch: async () => new Response(failing) }),
    origin: null,
    log,
  });
  const [received, ended] = await Promise.allSettled([text(answer), handle(EVENT, answer, {})]);
  expect([received.status, ended.status]).toEqual(['rejected', 'rejected']);
});

test('a client that has left ends the work on its answer', async () => {
  const cancelled = Promise.withResolvers<void>();
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.alloc(100_000)),
    cancel: () => cancelled.resolve(),
  });
  const answer = new PassThrough();
  const fetch = async () => new Response(endless, { headers: { 'Content-Type': 'image/png' } });
  const handling = createHandler({ siteAt: async () => ({ fetch }), origin: null, log: () => {} })(
    EVENT,
    answer,
    {},
  );
  answer.once('data', () => answer.destroy());
  await expect(handling).rejects.toThrow();
  await cancelled.promise;
});

test('an answer counts as sent once it has been, or cannot be any more', async () => {
  const seen: string[] = [];
  const going = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from('begun'));
      await going.promise;
      seen.push('whole');
      controller.close();
    },
  });
  const fetch = async (_: Request, sent: Promise<unknown> = Promise.resolve()) => {
    void sent.then(() => seen.push('sent'));
    return new Response(body, { headers: { 'Content-Type': 'image/png' } });
  };
  const answer = new PassThrough();
  const handling = createHandler({ siteAt: async () => ({ fetch }), origin: null, log: () => {} })(
    EVENT,
    answer,
    {},
  );
  answer.once('data', () => going.resolve());
  answer.resume();
  await handling;
  expect(seen).toEqual(['whole', 'sent']);
});
