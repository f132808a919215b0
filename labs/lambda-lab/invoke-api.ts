import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseFunctionName } from './function-name.ts';
import { payloadLimit, type Trace } from './invocation.ts';
import type { Answer, LambdaFunction } from './lambda-function.ts';
import { tailOf } from './log-tail.ts';

export interface InvokeApi {
  readonly endpoint: string;
  close(): void;
}

/** AWS's Invoke API, for one function in one region, as the AWS SDK calls it; any signature will do, or none. */
export async function serveInvokeApi(lambda: LambdaFunction): Promise<InvokeApi> {
  const server = createServer((request, response) => {
    answer(lambda, request, response).catch((error: Error) => {
      refuse(response, refusal(500, 'ServiceException', error.message));
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { endpoint: `http://127.0.0.1:${port}`, close };
}

async function answer(
  lambda: LambdaFunction,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('x-amzn-requestid', randomUUID());
  const payload = await readPayload(request);
  const url = new URL(request.url ?? '', 'http://lambda');
  const path = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url.pathname);
  if (request.method !== 'POST' || path === null) {
    return refuse(response, refusal(404, 'UnknownOperationException', 'Only Invoke is served here.'));
  }
  const target = findTarget(lambda, decodeURIComponent(path[1] ?? ''), url.searchParams.get('Qualifier'));
  if ('errorType' in target) return refuse(response, target);
  if (payload === 'too large') return refuse(response, tooLarge);
  if (!isJson(payload)) return refuse(response, notJson);
  const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type === 'DryRun') {
    response.writeHead(204).end();
    return;
  }
  if (type !== 'RequestResponse') {
    const message = `Here is no invocation type ${type}.`;
    return refuse(response, refusal(400, 'InvalidParameterValueException', message));
  }
  const wantsLog = request.headers['x-amz-log-type'] === 'Tail';
  const trace = traceOf(request.headers['x-amzn-trace-id'], lambda.options.xrayPort !== null);
  const said = await lambda.call({ ...target, payload, trace, wantsLog });
  respond(response, said, { version: target.version, trace, wantsLog });
}

function respond(
  response: ServerResponse,
  said: Answer,
  { version, trace, wantsLog }: { version: string; trace: Trace; wantsLog: boolean },
): void {
  if (said.kind === 'cut') {
    response.destroy();
  } else if (said.kind === 'refused') {
    refuse(response, said);
  } else if (said.kind === 'throttled') {
    if (said.retryAfterSeconds !== undefined)
      response.setHeader('retry-after', String(said.retryAfterSeconds));
    refuse(response, throttled);
  } else {
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-amzn-requestid': said.requestId,
      'x-amz-executed-version': version,
      'x-amzn-trace-id': `Root=${trace.root};Sampled=${trace.sampled ? 1 : 0}`,
      ...(said.outcome.kind === 'function-error' && { 'x-amz-function-error': 'Unhandled' }),
      ...(wantsLog && { 'x-amz-log-result': tailOf(said.log) }),
    });
    response.end(said.outcome.payload);
  }
}

interface Refusal {
  readonly status: number;
  readonly errorType: string;
  readonly message: string;
  readonly reason?: string;
}

function refusal(status: number, errorType: string, message: string, reason?: string): Refusal {
  return { status, errorType, message, ...(reason !== undefined && { reason }) };
}

const tooLarge = refusal(
  413,
  'RequestTooLargeException',
  `Request must be smaller than ${payloadLimit} bytes for the InvokeFunction operation`,
);
const notJson = refusal(
  400,
  'InvalidRequestContentException',
  'Could not parse request body into json: Unexpected character',
);
const throttled = refusal(
  429,
  'TooManyRequestsException',
  'Rate Exceeded.',
  'ReservedFunctionConcurrentInvocationLimitExceeded',
);

function refuse(response: ServerResponse, { status, errorType, message, reason }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': errorType });
  response.end(JSON.stringify({ Type: 'User', Message: message, message, Reason: reason }));
}

function findTarget(
  lambda: LambdaFunction,
  given: string,
  query: string | null,
): { version: string; functionArn: string } | Refusal {
  const { name, region, account } = lambda.options;
  const wanted = parseFunctionName(given);
  if (wanted === null) {
    return refusal(
      400,
      'ValidationException',
      `Value '${given}' at 'functionName' is no name of a function.`,
    );
  }
  if (query !== null && wanted.qualifier !== null && query !== wanted.qualifier) {
    const message = 'The derived qualifier from the function name does not match the specified qualifier.';
    return refusal(400, 'InvalidParameterValueException', message);
  }
  if (wanted.region !== null && wanted.region !== region) {
    const message = `Functions from '${wanted.region}' are not reachable in this region ('${region}')`;
    return refusal(404, 'ResourceNotFoundException', message);
  }
  const qualifier = query ?? wanted.qualifier;
  const suffix = qualifier === null ? '' : `:${qualifier}`;
  const functionArn = `arn:aws:lambda:${region}:${wanted.account ?? account}:function:${wanted.name}${suffix}`;
  const version = wanted.name === name ? lambda.versionOf(qualifier) : null;
  if (version === null || (wanted.account ?? account) !== account) {
    return {
      status: 404,
      errorType: 'ResourceNotFoundException',
      message: `Function not found: ${functionArn}`,
    };
  }
  return { version, functionArn };
}

/** A body that is too large is read to its end and thrown away: the answer would not arrive otherwise. */
async function readPayload(request: IncomingMessage): Promise<Buffer | 'too large'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= payloadLimit) chunks.push(chunk);
  }
  return bytes > payloadLimit ? 'too large' : Buffer.concat(chunks);
}

function isJson(payload: Buffer): boolean {
  if (payload.byteLength === 0) return true;
  try {
    JSON.parse(payload.toString());
    return true;
  } catch {
    // The syntax error is the answer to the question.
    return false;
  }
}

/** The caller's trace if there is one; the segment is the function's own, which AWS reports. */
function traceOf(header: string | string[] | undefined, sampled: boolean): Trace {
  const root = /Root=(1-[0-9a-f]{8}-[0-9a-f]{24})/.exec(String(header))?.[1] ?? newRoot();
  return { root, segment: randomBytes(8).toString('hex'), sampled };
}

function newRoot(): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `1-${seconds.padStart(8, '0')}-${randomBytes(12).toString('hex')}`;
}
