import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';

/** Lambda's runtime brings it. https://docs.aws.amazon.com/lambda/latest/dg/config-rs-write-functions.html */
declare const awslambda: {
  streamifyResponse(handle: (event: unknown, answer: Writable) => Promise<void>): Handler;
  HttpResponseStream: { from(answer: Writable, head: Head): Writable };
};

/** The function as Lambda calls it. */
export type Handler = (...asked: unknown[]) => unknown;

interface Head {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
}

const requestEvent = z.object({
  rawPath: z.string(),
  rawQueryString: z.string(),
  cookies: z.array(z.string()).optional(),
  headers: z.record(z.string(), z.string()),
  requestContext: z.object({ domainName: z.string(), http: z.object({ method: z.string() }) }),
  body: z.string().optional(),
  isBase64Encoded: z.boolean().optional(),
});

/**
 * Answers the events of a Function URL (payload 2.0) by streaming. What is no request of HTTP as `fetch` knows it, as one
 * for a method that it forbids, is answered with 400. `sent` resolves when the answer has been sent, or cannot be.
 */
export function onFunctionUrl(
  answerTo: (request: Request, sent: Promise<unknown>) => Promise<Response>,
  log: (line: string) => void,
): Handler {
  return awslambda.streamifyResponse(async (event, answer) => {
    const request = requestOf(event);
    const sent = Promise.withResolvers<void>();
    try {
      await send(
        request === null
          ? plain('This is no request that can be answered.', 400)
          : await tried(request, sent.promise),
        answer,
      );
    } finally {
      sent.resolve();
    }
  });

  async function tried(request: Request, sent: Promise<unknown>): Promise<Response> {
    try {
      return await answerTo(request, sent);
    } catch (error) {
      log(`a request was not answered: ${error instanceof Error ? error.message : String(error)}`);
      return plain('Something went wrong here. Try again.', 500);
    }
  }
}

/** An answer of one line. */
export function plain(text: string, status: number, more: Record<string, string> = {}): Response {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store', ...more };
  return new Response(`${text}\n`, { status, headers });
}

/** The request of an event; null if it cannot be one. */
function requestOf(event: unknown): Request | null {
  const parsed = requestEvent.safeParse(event);
  if (!parsed.success) return null;
  const { rawPath, rawQueryString, cookies, headers, requestContext, body, isBase64Encoded } = parsed.data;
  const { domainName, http } = requestContext;
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`;
  try {
    const named = new Headers(headers);
    if (cookies !== undefined) named.set('Cookie', cookies.join('; '));
    return new Request(`https://${domainName}${rawPath}${query}`, {
      method: http.method,
      headers: named,
      ...(body !== undefined && { body: isBase64Encoded === true ? Buffer.from(body, 'base64') : body }),
    });
  } catch (error) {
    // A header beyond Latin-1, a GET with a body, TRACE.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** A failure in the middle is reported to Lambda: to the client the answer is then cut off, and not complete. */
async function send({ status, headers, body }: Response, answer: Writable): Promise<void> {
  const cookies = headers.getSetCookie();
  const others = [...headers].filter(([name]) => name !== 'set-cookie');
  const head = { statusCode: status, headers: Object.fromEntries(others), cookies };
  const stream = awslambda.HttpResponseStream.from(answer, head);
  if (body !== null) return pipeline(body, stream);
  // Without a write the head would not be sent.
  stream.write('');
  stream.end();
}
