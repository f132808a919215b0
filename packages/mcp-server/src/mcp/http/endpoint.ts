import { randomBytes } from 'node:crypto';
import {
  createMcpHandler,
  isInitializeRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type McpHttpHandler,
  type McpServerFactory,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { describeError, type Log } from '../../log.ts';
import { urisOf } from '../listens.ts';
import { isNotification, isRequest } from '../messages/message-kind.ts';
import { isMethodOfItsEra } from '../messages/request-fault.ts';
import { MAX_LISTENS } from '../server.ts';
import { Turns } from '../turns.ts';
import { sessionIdFor, sessionOf } from './client-session.ts';
import { errorResponse } from './error-response.ts';
import { MessageReader } from './read-message.ts';
import { whenEnded } from './when-ended.ts';

export interface EndpointHost {
  /** The answer to a request that may not call the wiki; null if it may. */
  refusalOf(request: Request): Response | null;
  /** The bounds that it shares with other endpoints of the process. */
  room: EndpointRoom;
  /** Its own bounds, which leave something to the others. */
  bounds: EndpointBounds;
  /** Makes a server for each request. */
  factory: McpServerFactory;
  /** Watches resources until the signal aborts. Resolves to the sentence that refuses it, or null. */
  watch: Watch | null;
  log: Log;
}

/** How the answer to a request ends. */
interface Ending {
  /** Resolves when the answer has left the process, or cannot. */
  sent: Promise<unknown>;
  /** Aborts when the client has left, or when the answer must end. */
  gone: AbortSignal;
}

type Watch = (uris: readonly string[], ended: AbortSignal) => Promise<string | null>;

/** The requests of an endpoint that are answered at once, and those that wait for a turn. Each holds its message. */
export interface EndpointBounds {
  answered: number;
  waiting: number;
}

/** The messages and the turns of all endpoints of one process. */
export class EndpointRoom {
  readonly messages = new MessageReader();
  /** Each request that is answered holds its message, and its answer until the client has read it. */
  readonly turns = new Turns(ALONE.answered, async () => {});
}

/** The bounds of an endpoint without others. */
export const ALONE: EndpointBounds = { answered: 32, waiting: 1_000 };

/**
 * Serves many clients of both eras by HTTP, each request by itself. Where a client's protocol knows sessions, the id of
 * one says who the client is, and nothing is kept.
 */
export class Endpoint {
  readonly #host: EndpointHost;
  readonly #handler: McpHttpHandler;
  readonly #turns: Turns;
  /** The running requests of clients that cancel one by a message of its own, by session and id. */
  readonly #running = new Map<string, AbortController>();
  #isClosed = false;

  constructor(host: EndpointHost) {
    this.#host = host;
    this.#turns = new Turns(host.bounds.answered, async () => {});
    this.#handler = createMcpHandler(host.factory, {
      maxSubscriptions: MAX_LISTENS,
      onerror: (error) => host.log(describeError(error)),
    });
  }

  /** `sent` resolves when the answer has left the process, or cannot. The answer ends when `until` aborts. */
  async fetch(request: Request, sent: Promise<unknown>, until?: AbortSignal): Promise<Response> {
    const refused = this.#refusalOf(request);
    if (refused !== null) return refused;
    const gone = until === undefined ? request.signal : AbortSignal.any([request.signal, until]);
    try {
      // Before the turn: one that sends slowly keeps no other waiting.
      const { message, done } = await this.#host.room.messages.read(request);
      if (message instanceof Response) return message;
      try {
        return await this.#dispatch(request, message, { sent, gone });
      } finally {
        done();
      }
    } catch (error) {
      if (!gone.aborted) this.#host.log(`a request was not answered: ${describeError(error)}`);
      return errorResponse(503, 'The request was not answered. Send it again.');
    }
  }

  /** Tells the clients that listen to a resource that it changed. */
  resourceUpdated(uri: string): void {
    this.#handler.notify.resourceUpdated(uri);
  }

  /** Ends what clients listen to, once the running requests are answered. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.idle();
    await this.#handler.close();
  }

  #refusalOf(request: Request): Response | null {
    const refused = this.#host.refusalOf(request);
    if (refused !== null) return refused;
    if (this.#isClosed) return errorResponse(503, 'The server ends. Send the request again later.');
    if (request.method === 'POST') return null;
    return errorResponse(405, 'Send requests by POST.', { Allow: 'POST' });
  }

  #dispatch(request: Request, message: JSONRPCMessage, ending: Ending): Promise<Response> | Response {
    if (!isRequest(message)) {
      // At once, also if every turn is taken: it may end the request that takes one.
      if (isCancellation(message)) this.#running.get(keyOf(request, message.params?.requestId))?.abort();
      return this.#handle(request, message, ending.gone);
    }
    // The SDK (2.4.0) would pass it on to the handler of tools, whose errors are no errors of HTTP.
    const { watch } = this.#host;
    const isListen = message.method === 'subscriptions/listen';
    if (!isMethodOfItsEra(message) || (isListen && watch === null)) {
      const error = { code: ProtocolErrorCode.MethodNotFound, id: message.id };
      return errorResponse(404, 'Method not found', {}, error);
    }
    // Without a turn: it would not end.
    if (isListen && watch !== null) return this.#listen(request, message, ending, watch);
    if (this.#turns.waiting >= this.#host.bounds.waiting)
      return errorResponse(503, 'Too many requests wait. Send it again.');
    return this.#inTurn(request, message, ending);
  }

  /** The turn ends when the answer has been sent. A request may be cancelled before its turn comes. */
  async #inTurn(request: Request, message: JSONRPCRequest, { sent, gone }: Ending): Promise<Response> {
    const cancel = new AbortController();
    const signal = AbortSignal.any([gone, cancel.signal]);
    const key = keyOf(request, message.id);
    if (sessionOf(request) !== null) this.#running.set(key, cancel);
    const forget = () => {
      if (this.#running.get(key) === cancel) this.#running.delete(key);
      // Node keeps a signal of `AbortSignal.any` that somebody listens to, with all that they hold, until it aborts.
      cancel.abort();
    };
    const answered = Promise.withResolvers<Response>();
    const answer = async () => {
      answered.resolve(await this.#answer(request, message, signal));
      await sent;
    };
    const turn = this.#turns.run(signal, () => this.#host.room.turns.run(signal, answer));
    turn.catch((error: unknown) => {
      // A cancelled request gets no answer.
      if (cancel.signal.aborted) answered.resolve(new Response(null, { status: 202 }));
      else answered.reject(error);
      forget();
    });
    return whenEnded(await answered.promise, signal, forget);
  }

  async #answer(request: Request, message: JSONRPCRequest, signal: AbortSignal): Promise<Response> {
    const response = await this.#handle(request, message, signal);
    if (isInitializeRequest(message) && response.ok) {
      const nonce = randomBytes(16).toString('base64url');
      response.headers.set('Mcp-Session-Id', sessionIdFor(message.params.clientInfo, nonce));
    }
    return response;
  }

  async #listen(
    request: Request,
    message: JSONRPCRequest,
    { gone }: Ending,
    watch: Watch,
  ): Promise<Response> {
    const ended = new AbortController();
    const signal = AbortSignal.any([gone, ended.signal]);
    const fault = await watch(urisOf(message), signal);
    if (fault !== null) {
      ended.abort();
      return errorResponse(200, fault, {}, { code: ProtocolErrorCode.InvalidParams, id: message.id });
    }
    return whenEnded(await this.#handle(request, message, signal), signal, () => ended.abort());
  }

  #handle(
    { url, method, headers }: Request,
    message: JSONRPCMessage,
    signal: AbortSignal,
  ): Promise<Response> {
    const given = new Headers(headers);
    // The SDK (2.4.0) reads the types by their names.
    if (given.get('accept')?.includes('*/*') !== false) given.set('accept', BOTH_TYPES);
    const passed = new Request(url, { method, headers: given });
    // Not as an option of `Request`: Node (24) then makes a second signal, which does not abort any more once the request
    // is garbage. The SDK (2.4.0) keeps the signal of a request, and not the request.
    Object.defineProperty(passed, 'signal', { value: signal });
    return this.#handler.fetch(passed, { parsedBody: message });
  }
}

const BOTH_TYPES = 'application/json, text/event-stream';

function keyOf(request: Request, id: unknown): string {
  return JSON.stringify([sessionOf(request), id]);
}

function isCancellation(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params?: { requestId?: unknown } } {
  return isNotification(message) && message.method === 'notifications/cancelled';
}
