import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { serveHttpBackend } from '../../../bench/src/git/http-backend.ts';
import { openHttpRemote } from '../../src/transport/http/open-http-remote.ts';
import type { RemoteLimits } from '../../src/transport/remote.ts';
import { parseRemoteUrl } from '../../src/transport/remote-url.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The answer of `git http-backend`. */
  real(): Promise<Answer>;
}

/** Answers in place of `git http-backend`; undefined lets it answer. */
export type Fault = (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>;

/** An answer that the fault gave by itself. */
export const SILENCE = new Promise<never>(() => {});

/** A server with a fault before a repository `main.git`, served by git itself. */
export async function serveRepository(bare: string, fault: Fault = () => undefined) {
  const root = dirname(bare);
  const backend = await serveHttpBackend(root);
  const requests: { method: string; url: string; authorization: string | undefined }[] = [];
  const proxy = createServer(async (request, response) => {
    requests.push({
      method: request.method ?? '',
      url: request.url ?? '',
      authorization: request.headers.authorization,
    });
    const real = () => forward(backend.origin, request);
    const answer = (await fault({ request, response, real })) ?? (await real());
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await backend.stop();
  });
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const origin = `http://127.0.0.1:${address.port}`;
  return { origin, url: `${origin}/main.git`, requests };
}

async function forward(origin: string, request: IncomingMessage): Promise<Answer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const headers = Object.fromEntries(
    ['content-type', 'git-protocol', 'accept'].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  const body = pieces.length === 0 ? null : Buffer.concat(pieces);
  const response = await fetch(`${origin}${request.url}`, { method: request.method ?? 'GET', headers, body });
  return {
    status: response.status,
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
    body: Buffer.from(await response.arrayBuffer()),
  };
}

interface OpenOptions {
  credentials?: Parameters<typeof openHttpRemote>[0]['credentials'];
  limits?: Partial<RemoteLimits>;
}

export function httpRemote(url: string, { credentials = async () => null, limits = {} }: OpenOptions = {}) {
  const parsed = parseRemoteUrl(url);
  if (typeof parsed === 'string' || parsed.kind !== 'http')
    throw new Error(`${url} is not for HTTP: ${parsed}`);
  return openHttpRemote({ url: parsed, credentials, agentName: 'pagetree/1.2.3', limits, fetch });
}

/** The failure of a call. Fails if there is none. */
export async function failureOf(
  call: Promise<unknown>,
): Promise<{ code: string; data: object; message: string }> {
  const outcome = await call.then(
    () => ({ code: 'none', data: {}, message: '' }),
    (error: unknown) => error,
  );
  return outcome as { code: string; data: object; message: string };
}
