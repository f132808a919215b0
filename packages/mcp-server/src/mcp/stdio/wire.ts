import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
  type TransportSendOptions,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { SERVED_VERSION } from '../introduction.ts';
import { Listens, urisOf } from '../listens.ts';
import { isError, isRequest, isResult } from '../messages/message-kind.ts';
import { withOldCode } from '../request-context.ts';
import type { Shared } from '../server.ts';

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
  readonly #listens: Listens;
  /** The end of each open `subscriptions/listen`. */
  readonly #ends = new Map<RequestId, AbortController>();

  constructor(transport: Transport, shared: Shared) {
    this.#transport = transport;
    this.#listens = new Listens(shared);
  }

  start(): Promise<void> {
    this.#transport.onmessage = (message, extra) => {
      const refused = isRequest(message) ? versionFault(message) : null;
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
    if (isResult(message)) this.#end(message.id);
    if (!isError(message)) return this.#transport.send(message, options);
    if (message.id !== undefined) this.#end(message.id);
    return this.#transport.send(withOldCode(message), options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Passes the request on once all its resources are watched: its acknowledgement promises every later change. */
  async #listen(request: JSONRPCRequest, passOn: () => void): Promise<void> {
    const ended = new AbortController();
    this.#ends.set(request.id, ended);
    const fault = await this.#listens.watch(urisOf(request), ended.signal);
    if (ended.signal.aborted) return;
    if (fault === null) return passOn();
    const refusal = { code: ProtocolErrorCode.InvalidParams, message: fault };
    await this.send({ jsonrpc: '2.0', id: request.id, error: refusal });
  }

  #end(id: RequestId): void {
    this.#ends.get(id)?.abort();
    this.#ends.delete(id);
  }
}

/** The error for a request that names another version than the one that is served so. */
function versionFault({ id, params }: JSONRPCRequest): JSONRPCMessage | null {
  const requested = params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== 'string' || requested === SERVED_VERSION) return null;
  const { code, message, data } = new UnsupportedProtocolVersionError({
    supported: [SERVED_VERSION],
    requested,
  });
  return { jsonrpc: '2.0', id, error: { code, message, data } };
}

function isListen(message: JSONRPCMessage): message is JSONRPCRequest {
  return isRequest(message) && message.method === 'subscriptions/listen';
}

function isCancellation(
  message: JSONRPCMessage,
): message is JSONRPCMessage & { params?: { requestId?: unknown } } {
  return 'method' in message && message.method === 'notifications/cancelled';
}
