import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { LambdaLab } from './lambda-lab.ts';

/** Stands in for a Function URL with response streaming: HTTP in front, events of payload 2.0 behind. */
export interface FunctionUrl {
  /** `host:port`, as the `Host` header has it. */
  readonly host: string;
  readonly origin: string;
  close(): void;
}

type Target = Pick<LambdaLab, 'endpoint' | 'functionArn'>;

/**
 * `open` starts the function, which may need to know its host. The answer is sent when the function has ended, as the lab's
 * Invoke API gives it as a whole. Without TLS.
 */
export async function serveFunctionUrl<Opened extends Target>(
  open: (host: string) => Promise<Opened>,
): Promise<FunctionUrl & { opened: Opened }> {
  let target: Target | null = null;
  const server = createServer((request, response) => {
    answer(target, request, response).catch((error: Error) => response.destroy(error));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  try {
    const opened = await open(host);
    target = opened;
    return { host, origin: `http://${host}`, close, opened };
  } catch (error) {
    close();
    throw error;
  }
}

async function answer(
  target: Target | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (target === null) return void response.writeHead(503).end();
  const event = eventOf(request, await buffer(request));
  const address = `${target.endpoint}/2015-03-31/functions/${encodeURIComponent(target.functionArn)}/invocations`;
  const invoked = await fetch(address, { method: 'POST', body: JSON.stringify(event) });
  const bytes = Buffer.from(await invoked.arrayBuffer());
  // AWS says no more than this to the outside either.
  if (!invoked.ok) return void response.writeHead(invoked.status === 429 ? 429 : 502).end();
  if (invoked.headers.has('x-amz-function-error')) return void response.writeHead(502).end();
  const { head, body } = splitAnswer(bytes);
  response.writeHead(head.statusCode, { ...renamed(head.headers), 'set-cookie': head.cookies });
  response.end(body);
}

/** https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html */
function eventOf(request: IncomingMessage, body: Buffer): object {
  const [rawPath = '/', ...query] = (request.url ?? '/').split('?');
  const { cookie, ...named } = request.headers;
  const headers = Object.entries(named).map(([name, value]) => [name, [value].flat().join(',')]);
  const rawQueryString = query.join('?');
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    ...(cookie !== undefined && { cookies: cookie.split('; ') }),
    headers: Object.fromEntries(headers),
    queryStringParameters: Object.fromEntries(new URLSearchParams(rawQueryString)),
    requestContext: {
      domainName: request.headers.host,
      http: { method: request.method, path: rawPath, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
      routeKey: '$default',
      stage: '$default',
      timeEpoch: Date.now(),
    },
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  };
}

/** AWS renames it at API Gateway. No document says that a Function URL does not: clients must find the login without it. */
function renamed({ 'www-authenticate': challenge, ...headers }: Head['headers']): Head['headers'] {
  return challenge === undefined ? headers : { ...headers, 'x-amzn-remapped-www-authenticate': challenge };
}

interface Head {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
}

/** A streamed answer is its head as JSON, eight zero bytes, and the body. */
function splitAnswer(bytes: Buffer): { head: Head; body: Buffer } {
  const at = bytes.indexOf(DELIMITER);
  if (at === -1) throw new Error(`The function streamed no head: ${bytes.subarray(0, 200)}`);
  return { head: JSON.parse(bytes.toString('utf8', 0, at)), body: bytes.subarray(at + DELIMITER.length) };
}

const DELIMITER = Buffer.alloc(8);
