import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** `fetch` as behind a proxy with TLS: to a port of this machine, under the name of the host, which `fetch` cannot send. */
export function fetchAs(host: string, port: number): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const { pathname, search } = new URL(asked.url);
    const headers = { ...Object.fromEntries(asked.headers), host };
    const { method, signal } = asked;
    const sent = request({
      host: '127.0.0.1',
      port,
      path: pathname + search,
      method,
      headers,
      signal,
      agent: false,
    });
    sent.end(asked.body === null ? undefined : await buffer(asked.body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const named = new Headers();
    for (const [name, values] of Object.entries(answer.headersDistinct))
      for (const value of values ?? []) named.append(name, value);
    const status = answer.statusCode ?? 0;
    const isEmpty = [204, 304].includes(status);
    if (isEmpty) answer.resume();
    return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), {
      status,
      headers: named,
    });
  };
}
