import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { serveLocally } from './local-server.ts';

/** One answer of the endpoint; `body` is sent as it is if it is a string, else as JSON. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Asked {
  /** The operation if the protocol names one, else the method and the path: `POST /2015-03-31/functions/...`. */
  operation: string;
  /** The body: parsed JSON, or what a form has. */
  input: Record<string, unknown>;
}

export interface AwsEndpoint {
  readonly url: string;
  /** The requests, in order. */
  readonly asked: Asked[];
  stop(): void;
}

/** The answers to operations; the first matching pattern counts. */
export type Script = Readonly<Record<string, (asked: Asked) => Answer>>;

/** A server that answers as AWS does, each operation by a script. Whatever the script does not know is a fault. */
export async function startAwsEndpoint(script: Script): Promise<AwsEndpoint> {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const each = await read(request);
    asked.push(each);
    const known = Object.entries(script).find(([pattern]) => each.operation.includes(pattern));
    if (!known) throw new Error(`The script does not know ${each.operation}.`);
    respond(response, known[1](each));
  };
  const { url, stop } = await serveLocally((request, response) => {
    answer(request, response).catch((error: Error) =>
      respond(response, { status: 500, body: error.message }),
    );
  });
  return { url, asked, stop };
}

async function read(request: IncomingMessage): Promise<Asked> {
  const body = await text(request);
  const target = request.headers['x-amz-target'];
  if (typeof target === 'string')
    return { operation: target.split('.').at(-1) ?? target, input: JSON.parse(body || '{}') };
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    const form = Object.fromEntries(new URLSearchParams(body));
    return { operation: form.Action ?? '', input: form };
  }
  const path = (request.url ?? '').split('?')[0];
  const input = body.startsWith('{') ? JSON.parse(body) : {};
  return { operation: `${request.method} ${path}`, input };
}

function respond(response: ServerResponse, { status = 200, headers = {}, body = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** An error in the form of AWS's JSON protocols. */
export function refusal(status: number, name: string): Answer {
  return {
    status,
    headers: { 'x-amzn-errortype': name },
    body: { __type: name, message: `The text of ${name}, which names AKIAEXAMPLE.` },
  };
}

/** An error in the form of AWS's query protocol. */
export function queryRefusal(status: number, name: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/xml' },
    body: `<ErrorResponse><Error><Type>Sender</Type><Code>${name}</Code><Message>no</Message></Error></ErrorResponse>`,
  };
}

/** A stack with its outputs, as CloudFormation describes it. */
export function describedStack(
  name: string,
  outputs: Readonly<Record<string, string>>,
  status = 'CREATE_COMPLETE',
): Answer {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return {
    headers: { 'content-type': 'text/xml' },
    body: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><CreationTime>2026-11-21T00:00:00Z</CreationTime><StackStatus>${status}</StackStatus><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
}

/** The caller: an account that does not exist. */
export const callerIdentity: Answer = {
  headers: { 'content-type': 'text/xml' },
  body: '<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account></GetCallerIdentityResult></GetCallerIdentityResponse>',
};
