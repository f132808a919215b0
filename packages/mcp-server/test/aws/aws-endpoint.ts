import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Respond = (request: { path: string; body: string }, response: ServerResponse) => void;

/** An endpoint that imitates AWS, answering with `respond`, for errors that no lab can cause. */
export async function startAwsEndpoint(respond: Respond): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await read(request);
    // The server checks early whether it may call the function: that does not count as a call.
    if (request.headers['x-amz-invocation-type'] === 'DryRun') response.writeHead(204).end();
    else respond({ path: request.url ?? '', body }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An error as AWS's JSON services answer it. */
export function refuse(status: number, errorType: string, message: string): Respond {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': errorType });
    response.end(JSON.stringify({ message }));
  };
}

/** The answer of a function that failed. */
export function failFunction(errorType: string, errorMessage: string): Respond {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-amz-function-error': 'Unhandled' });
    response.end(JSON.stringify({ errorType, errorMessage, trace: ['at secret (/var/task/index.mjs:1:1)'] }));
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
