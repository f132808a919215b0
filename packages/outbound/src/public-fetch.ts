import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { checkedLookup, PUBLIC, type Reaching, requireAllowed } from './reaching.ts';

/**
 * Makes a `fetch` for servers of the public Internet, by HTTPS alone. It takes a URL with headers, a body that is a stream,
 * and a signal. It follows no redirect, and asks for no compression. What is not public fails with NotPublicError.
 */
export function publicFetch(reaching: Reaching = PUBLIC): typeof globalThis.fetch {
  return async (address, init = {}) => {
    const url = new URL(String(address));
    if (url.protocol !== 'https:') throw new TypeError('Only https:// is called.');
    requireAllowed(url, reaching);
    init.signal?.throwIfAborted();
    return call(url, init, reaching);
  };
}

function call(url: URL, init: RequestInit, reaching: Reaching): Promise<Response> {
  const { ca } = reaching;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      // A connection of its own: none that another caller opened is used.
      ...{ lookup: checkedLookup(reaching), agent: false, ca },
      ...(init.signal && { signal: init.signal }),
    });
    // Stays, for what fails after the answer has begun: that ends the body of the answer too.
    sent.on('error', reject);
    sent.on('response', (message) => {
      try {
        resolve(responseOf(message));
      } catch (error) {
        sent.destroy();
        reject(error);
      }
    });
    // What fails here is an error of the request, which rejects above.
    pipeline(bodyOf(init.body ?? null), sent, () => {});
  });
}

function bodyOf(body: RequestInit['body']): Readable {
  if (body === null) return Readable.from([]);
  if (!(body instanceof ReadableStream)) throw new TypeError('A body must be a stream.');
  return Readable.from(body);
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  if (status < 200 || status > 599)
    throw Object.assign(new Error('The status is none of HTTP.'), { code: 'HPE_INVALID_STATUS' });
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  const isEmpty = WITHOUT_BODY.includes(status);
  if (isEmpty) message.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(message) as ReadableStream), { status, headers });
}

/** By the standard of `fetch`, an answer with such a status takes no body. */
const WITHOUT_BODY = [204, 205, 304];
