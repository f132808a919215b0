import { gzipSync } from 'node:zlib';
import { pktLine } from '@pagetree/wiki/pkt-line';
import { type Answer, type Fault, SILENCE } from './served-repository.ts';

/** Bounds that a test exceeds soon. */
export const LIMITS = { packBytes: 1_000_000, refsBytes: 100_000 };

export const advertisement = (...body: (string | Uint8Array)[]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/x-git-upload-pack-advertisement' },
  body: Buffer.concat(body.map((each) => Buffer.from(each))),
});
export const status = (code: number, headers: Record<string, string> = {}, body = ''): Fault => {
  return () => ({ status: code, headers, body: Buffer.from(body) });
};
export const redirect = (location: (host: string) => string): Fault => {
  return ({ request }) => ({
    status: 302,
    headers: { location: location(request.headers.host ?? '') },
    body: Buffer.alloc(0),
  });
};
/** Headers and the beginning of a body, of which no end comes. */
export const cut = (
  body: string | Uint8Array,
  how: 'reset' | 'hang',
  { status, type } = { status: 200, type: 'application/x-git-upload-pack-advertisement' },
): Fault => {
  return async ({ request, response }) => {
    request.resume();
    response.writeHead(status, { 'content-type': type });
    response.write(body);
    if (how === 'reset') setImmediate(() => response.destroy());
    return SILENCE;
  };
};
export const endless = (piece: Uint8Array, type: string, first: Uint8Array = new Uint8Array(0)): Fault => {
  return async ({ request, response }) => {
    request.resume();
    response.writeHead(200, { 'content-type': type });
    response.write(first);
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
    return SILENCE;
  };
};

export const packLine = (band: number, bytes: Uint8Array | string) =>
  pktLine(Buffer.concat([Buffer.of(band), Buffer.from(bytes)]));
export const result = (...parts: Uint8Array[]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/x-git-upload-pack-result' },
  body: Buffer.concat(parts),
});

/** An answer that is small until it is unpacked. */
export const compressed = ({ headers, body, ...answer }: Answer): Answer => ({
  ...answer,
  headers: { ...headers, 'content-encoding': 'gzip' },
  body: gzipSync(body),
});
