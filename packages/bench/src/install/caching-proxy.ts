import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A proxy that keeps every answer in memory, so that only the network to its client takes time. */
export interface CachingProxy {
  port: number;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Starts a proxy of npm's registry, which asks another one for the packages of one scope. It compresses JSON, as npm's
 * registry does and a mirror may not.
 * @param registry its address; so is `own`, the registry of the packages whose path begins with `scope`.
 */
export async function startCachingProxy(
  host: string,
  registry: string,
  { scope, own }: { scope: string; own: string },
): Promise<CachingProxy> {
  const kept = new Map<string, Promise<Answer>>();
  const server = createServer((request, response) => {
    const { url = '/' } = request;
    const isOwn = url.startsWith(`/${scope}`);
    const key = `${url} ${request.headers.accept ?? ''}`;
    let answer = kept.get(key);
    if (answer === undefined) {
      answer = fetchAnswer(new URL(url, isOwn ? own : registry), request, isOwn);
      kept.set(key, answer);
      // The next request tries again.
      answer.then(
        ({ status }) => status === 200 || kept.delete(key),
        () => kept.delete(key),
      );
    }
    answer.then(
      (found) => send(response, found),
      (error: unknown) => response.writeHead(502).end(String(error)),
    );
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function fetchAnswer(from: URL, { headers }: IncomingMessage, keepsHost: boolean): Promise<Answer> {
  const ask = from.protocol === 'https:' ? requestHttps : requestHttp;
  // A registry names the place of its packages by the host that it is asked by.
  const host = keepsHost ? headers.host : from.host;
  const sent = ask(from, { headers: { host, accept: headers.accept ?? '*/*' } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const type = response.headers['content-type'] ?? 'application/octet-stream';
  const status = response.statusCode ?? 502;
  if (!type.includes('json')) return { status, headers: { 'content-type': type }, body };
  const compressed = await promisify(gzip)(body);
  return { status, headers: { 'content-type': type, 'content-encoding': 'gzip' }, body: compressed };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}
