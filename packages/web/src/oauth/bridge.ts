import inject, { type DispatchFunc, type InjectOptions } from 'light-my-request';
import { SESSION_COOKIE } from './provider.ts';

/**
 * Lets a listener of Node answer a request of `fetch`. It sees the request as it was sent to the origin, whatever
 * `X-Forwarded-*` says; `body` takes the place of the request's own.
 */
export async function answerBy(
  listener: DispatchFunc,
  origin: string,
  request: Request,
  { search, body }: { search: string; body: string },
): Promise<Response> {
  const { protocol, host } = new URL(origin);
  const headers = Object.fromEntries(
    [...request.headers].filter(([name]) => !/^(?:x-forwarded-|forwarded$|content-length$)/.test(name)),
  );
  const answer = await inject(listener, {
    method: request.method as NonNullable<InjectOptions['method']>,
    url: new URL(request.url).pathname + search,
    headers: {
      ...headers,
      ...{ host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) },
      cookie: withoutSession(headers.cookie ?? ''),
    },
    ...(body !== '' && { payload: body }),
  });
  const named = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const each of [value].flat()) {
      const isOfSession = name === 'set-cookie' && String(each).startsWith(SESSION_COOKIE);
      if (each !== undefined && !OF_CONNECTION.has(name) && !isOfSession) named.append(name, String(each));
    }
  }
  const { statusCode: status } = answer;
  const isEmpty = [204, 304].includes(status);
  return new Response(isEmpty ? null : new Uint8Array(answer.rawPayload), { status, headers: named });
}

/** The server that has the connection decides about these: an answer cannot keep open what a proxy asked to close. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
]);

function withoutSession(cookies: string): string {
  return cookies
    .split('; ')
    .filter((cookie) => !cookie.startsWith(SESSION_COOKIE))
    .join('; ');
}
