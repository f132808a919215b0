import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { type Line, LineSplitter } from './line-splitter.ts';
import { parseMessage } from './parse-message.ts';

/** The longest message that is read. A page of 2 MB fits, however it is escaped in practice. */
const lineBytes = 10 * 1024 * 1024;

/**
 * JSON-RPC over two streams, a message a line. Beside what the SDK's own transport does it notices that the client
 * has gone (end of input, output that nobody reads any more), knows when everything taken has been answered, and
 * answers a line that is too long or no message instead of dying of it.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves once the client has gone: nothing more comes, or nobody reads the answers. */
  readonly ended: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineSplitter(lineBytes);
  readonly #unanswered = new Set<RequestId>();
  readonly #whenAnswered: (() => void)[] = [];
  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.push(chunk)) this.#receive(line);
  };

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.ended = new Promise((resolve) => {
      for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
      // This listener stays: after the first, every further write to a closed pipe fails too.
      output.on('error', () => resolve());
    });
  }

  async start(): Promise<void> {
    this.#input.on('data', this.#onData);
  }

  /** Resolves when the message has left, or can no longer leave, which `ended` tells once for all. */
  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      this.#output.write(`${JSON.stringify(message)}\n`, () => {
        if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#settle(message.id);
        resolve();
      });
    });
  }

  /** Takes nothing more from the client; what was taken is still answered. */
  stopReading(): void {
    this.#input.off('data', this.#onData);
    this.#input.pause();
  }

  /** Resolves when every request that was taken has been answered or cancelled. */
  answered(): Promise<void> {
    if (this.#unanswered.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenAnswered.push(resolve));
  }

  async close(): Promise<void> {
    this.stopReading();
    this.onclose?.();
  }

  #receive(line: Line): void {
    if (line.kind === 'line' && line.text.trim() === '') return;
    const parsed = parseMessage(line);
    if (parsed.kind === 'message') {
      this.#note(parsed.message);
      this.onmessage?.(parsed.message);
      return;
    }
    const { code, reason, id } = parsed;
    this.onerror?.(new Error(`a message of the client was refused: ${reason}`));
    void this.send({ jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message: reason } });
  }

  #note(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#unanswered.add(message.id);
    // A cancelled request gets no answer.
    const isCancellation = 'method' in message && message.method === 'notifications/cancelled';
    if (isCancellation) this.#settle(message.params?.requestId as RequestId | undefined);
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) for (const resolve of this.#whenAnswered.splice(0)) resolve();
  }
}
