import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  functionError,
  type Invocation,
  type Outcome,
  payloadLimit,
  streamLimit,
  traceHeader,
} from './invocation.ts';

const BASE = '/2018-06-01/runtime';

/**
 * AWS's Runtime API for the runtime of one execution environment, which requests events and posts their
 * results.
 */
export class RuntimeApi {
  /** `host:port`, which the runtime gets as AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  /** Resolves with the function's message if it could not be initialised. */
  readonly initError: Promise<Outcome>;
  readonly #server: Server;
  readonly #reportInitError: (outcome: Outcome) => void;
  #asking: ServerResponse | null = null;
  #asked = Promise.withResolvers<void>();
  #current: { requestId: string; end: (outcome: Outcome) => void } | null = null;

  /** @param host The address at which the environment reaches this machine. */
  static async listen(host: string): Promise<RuntimeApi> {
    // The runtime client sends an answer once, on the connection that brought the event, and ignores errors.
    // The answer would be lost if the server ended a connection that was idle while the function worked.
    const server = createServer({ keepAliveTimeout: 0 });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
    return new RuntimeApi(server, `${host}:${(server.address() as AddressInfo).port}`);
  }

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.address = address;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.initError = promise;
    this.#reportInitError = resolve;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: Error) => response.destroy(error));
    });
  }

  /** Resolves when the runtime waits for the next event. */
  asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** Sends an event to the runtime that requested one. Resolves with the function's result. */
  give(invocation: Invocation, deadline: Date): Promise<Outcome> {
    const response = this.#asking;
    if (response === null) throw new Error('The runtime has not asked for an event.');
    this.#asking = null;
    this.#asked = Promise.withResolvers();
    const ended = Promise.withResolvers<Outcome>();
    this.#current = { requestId: invocation.requestId, end: ended.resolve };
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.requestId,
      'lambda-runtime-deadline-ms': String(deadline.getTime()),
      'lambda-runtime-invoked-function-arn': invocation.functionArn,
      'lambda-runtime-trace-id': traceHeader(invocation.trace),
    });
    response.end(invocation.payload);
    return ended.promise;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = `${request.method} ${request.url}`;
    if (call === `GET ${BASE}/invocation/next`) {
      this.#current?.end(
        functionError('Runtime.NoResponse', 'Error: Runtime asked for the next event instead'),
      );
      this.#current = null;
      this.#asking = response;
      this.#asked.resolve();
      return;
    }
    const payload = await buffer(request);
    if (call === `POST ${BASE}/init/error`) {
      this.#reportInitError({ kind: 'function-error', payload });
      return send(response, 202, { status: 'OK' });
    }
    const end = this.#current?.end;
    const prefix = `POST ${BASE}/invocation/${this.#current?.requestId}`;
    if (end === undefined || !call.startsWith(`${prefix}/`)) {
      return send(response, 400, { errorMessage: 'Invalid request ID', errorType: 'InvalidRequestID' });
    }
    this.#current = null;
    const isStream = request.headers['lambda-runtime-function-response-mode'] === 'streaming';
    const limit = isStream ? streamLimit : payloadLimit;
    if (call === `${prefix}/response` && payload.byteLength > limit) {
      end(tooLarge(payload.byteLength, limit));
      return send(response, 413, {
        errorMessage: 'Exceeded maximum payload',
        errorType: 'RequestEntityTooLarge',
      });
    }
    end({ kind: call === `${prefix}/response` ? 'reply' : 'function-error', payload });
    send(response, 202, { status: 'OK' });
  }
}

function tooLarge(bytes: number, limit: number): Outcome {
  return functionError(
    'Function.ResponseSizeTooLarge',
    `Response payload size (${bytes} bytes) exceeded maximum allowed payload size (${limit} bytes).`,
  );
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
