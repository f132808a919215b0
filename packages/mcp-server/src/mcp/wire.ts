import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
  type TransportSendOptions,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { toWikiError } from '@pagetree/wiki/contract';
import { OLD_NOT_FOUND } from './request-context.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { Turns } from './turns.ts';

/**
 * Stands between a transport and the SDK, for what the SDK (2.4.0) leaves open: it answers `subscriptions/listen` by
 * itself, and does not say to which resources a client listens; it looks at a request's version only until the first
 * one is served; and it knows one code for a missing resource, where each era has its own.
 */
export class Wire implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #transport: Transport;
  readonly #subscriptions: Subscriptions;
  readonly #turns: Turns;
  /** The resources of each open `subscriptions/listen`, and the end of it. */
  readonly #listens = new Map<RequestId, { uris: readonly string[]; ended: AbortController }>();
  /** The number of open requests that watch a resource. */
  readonly #watchers = new Map<string, number>();

  constructor(transport: Transport, subscriptions: Subscriptions, turns: Turns) {
    this.#transport = transport;
    this.#subscriptions = subscriptions;
    this.#turns = turns;
  }

  start(): Promise<void> {
    this.#transport.onmessage = (message, extra) => {
      const refused = isJSONRPCRequest(message) ? versionFault(message) : null;
      if (refused !== null) void this.#transport.send(refused);
      else if (isListen(message)) void this.#listen(message, () => this.onmessage?.(message, extra));
      else {
        if (isCancellation(message)) this.#end(message.params?.requestId as RequestId);
        this.onmessage?.(message, extra);
      }
    };
    this.#transport.onclose = () => this.onclose?.();
    this.#transport.onerror = (error) => this.onerror?.(error);
    return this.#transport.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCResultResponse(message)) this.#end(message.id);
    if (!isJSONRPCErrorResponse(message)) return this.#transport.send(message, options);
    if (message.id !== undefined) this.#end(message.id);
    const code = message.error.code === OLD_NOT_FOUND ? OLD_CODE : message.error.code;
    return this.#transport.send({ ...message, error: { ...message.error, code } }, options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Passes the request on once all its resources are watched: its acknowledgement promises every later change. */
  async #listen(request: JSONRPCRequest, passOn: () => void): Promise<void> {
    const uris = urisOf(request);
    const ended = new AbortController();
    this.#listens.set(request.id, { uris, ended });
    for (const uri of uris) this.#watchers.set(uri, (this.#watchers.get(uri) ?? 0) + 1);
    try {
      await this.#turns.run(ended.signal, async () => {
        for (const uri of uris) await this.#subscriptions.subscribe(uri);
      });
    } catch (error) {
      if (ended.signal.aborted) return;
      const { message } = toWikiError(error);
      const refusal = { code: ProtocolErrorCode.InvalidParams, message };
      await this.send({ jsonrpc: '2.0', id: request.id, error: refusal });
      return;
    }
    if (!ended.signal.aborted) passOn();
  }

  #end(id: RequestId): void {
    const listen = this.#listens.get(id);
    if (listen === undefined) return;
    this.#listens.delete(id);
    listen.ended.abort();
    for (const uri of listen.uris) {
      const others = (this.#watchers.get(uri) ?? 1) - 1;
      if (others > 0) this.#watchers.set(uri, others);
      else {
        this.#watchers.delete(uri);
        this.#subscriptions.unsubscribe(uri);
      }
    }
  }
}

/** The code of a missing resource before 2026-07-28. */
const OLD_CODE = -32_002;

const SERVED = '2026-07-28';

/** The error for a request that names another version than the one that is served so. */
function versionFault({ id, params }: JSONRPCRequest): JSONRPCMessage | null {
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || requested === SERVED) return null;
  const { code, message, data } = new UnsupportedProtocolVersionError({ supported: [SERVED], requested });
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

function isListen(message: JSONRPCMessage): message is JSONRPCRequest {
  return isJSONRPCRequest(message) && message.method === 'subscriptions/listen';
}

function isCancellation(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params?: { requestId?: unknown } } {
  return 'method' in message && message.method === 'notifications/cancelled';
}

/** The resources that a request names, each once. The transport has checked that they are texts. */
function urisOf({ params }: JSONRPCRequest): readonly string[] {
  const notifications = params?.notifications as { resourceSubscriptions?: readonly string[] } | undefined;
  return [...new Set(notifications?.resourceSubscriptions)];
}
