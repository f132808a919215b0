import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { isError, isRequest, isResult } from '../messages/message-kind.ts';
import { parseMessage, type Refused } from '../messages/parse-message.ts';
import { type Line, LineSplitter } from './line-splitter.ts';

/** The longest message that is read. A page of 2 MB fits, however it is escaped in practice. */
const lineBytes = 10 * 1024 * 1024;
/** The size of the received requests that wait for their answers, beyond which no more are read. */
const MAX_UNANSWERED_BYTES = 4 * lineBytes;
/** As many requests wait at most: each takes more memory than its text. */
const MAX_UNANSWERED = 1_000;
/** The size of the answers that the client has not read, beyond which it gets no more of them. */
const MAX_UNREAD_BYTES = 4 * 1024 * 1024;

/**
 * JSON-RPC over two streams, one message a line. The SDK's own transport (2.4.0) aborts the calls that run when the
 * input ends, closes at a line over 10 MB, does not answer a line that is no message, writes U+2028 as it is, reads on
 * while its client reads nothing, and takes an id that is in use. This one answers all received requests before the
 * end, knows when that is, and does none of the others.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  /** Resolves once the client has gone: no more input comes, or nobody reads the answers. */
  readonly ended: Promise<void>;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineSplitter(lineBytes);
  /** The requests without an answer, with their sizes. */
  readonly #unanswered = new Map<RequestId, number>();
  /** The `subscriptions/listen` requests: each is answered when the server ends, and nobody waits for that. */
  readonly #listening = new Set<RequestId>();
  #unansweredBytes = 0;
  #isReading = false;
  readonly #whenRoom: (() => void)[] = [];
  readonly #whenAnswered: (() => void)[] = [];
  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.push(chunk)) this.#receive(line);
  };

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.ended = new Promise((resolve) => {
      if (input.readableEnded || input.destroyed) resolve();
      for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
      // This listener stays: after the first, every further write to a closed pipe fails too.
      output.on('error', () => {
        resolve();
        this.#makeRoom();
      });
    });
  }

  async start(): Promise<void> {
    this.#isReading = true;
    this.#input.on('data', this.#onData);
  }

  /** Resolves when the client has read enough of the answers that there is room for another one. */
  room(): Promise<void> {
    if (!this.#isUnread()) return Promise.resolve();
    return new Promise((resolve) => this.#whenRoom.push(resolve));
  }

  /** Resolves when the message has been sent, or can no longer be sent, which `ended` decides for all. */
  send(message: JSONRPCMessage): Promise<void> {
    // A courtesy, which repeats the client's token however long that is: one that does not read gets no more.
    if (this.#isUnread() && isProgress(message)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#output.write(lineOf(message), () => {
        if (isResult(message) || isError(message)) this.#settle(message.id);
        this.#makeRoom();
        this.#readOrWait();
        resolve();
      });
      this.#readOrWait();
    });
  }

  /** Stops reading. Requests that were received are still answered. */
  stopReading(): void {
    this.#isReading = false;
    this.#input.off('data', this.#onData);
    this.#input.pause();
  }

  /** Resolves when every received request has been answered or cancelled, besides those that listen. */
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
    const refused = parsed.kind === 'refused' ? parsed : this.#refusalOf(parsed.message);
    if (refused !== null) this.#refuse(refused);
    else if (parsed.kind === 'message' && !isAnswer(parsed.message)) {
      this.#note(parsed.message, line.kind === 'line' ? line.text.length : 0);
      this.onmessage?.(parsed.message);
    }
  }

  #refusalOf(message: JSONRPCMessage): Refused | null {
    if (!isRequest(message)) return null;
    if (!this.#unanswered.has(message.id) && !this.#listening.has(message.id)) return null;
    const reason = 'The id is that of a request that has no answer yet.';
    return { kind: 'refused', code: ProtocolErrorCode.InvalidRequest, reason, id: undefined };
  }

  #refuse({ code, reason, id }: Refused): void {
    this.onerror?.(new Error(`a message of the client was refused: ${reason}`));
    void this.send({ jsonrpc: '2.0', ...(id !== undefined && { id }), error: { code, message: reason } });
  }

  #note(message: JSONRPCMessage, size: number): void {
    if (isRequest(message) && message.method === 'subscriptions/listen') this.#listening.add(message.id);
    else if (isRequest(message)) {
      this.#unansweredBytes += size;
      this.#unanswered.set(message.id, size);
      this.#readOrWait();
    }
    // A cancelled request gets no answer.
    const isCancellation = 'method' in message && message.method === 'notifications/cancelled';
    if (isCancellation) this.#settle(message.params?.requestId as RequestId | undefined);
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) {
      this.#unansweredBytes -= this.#unanswered.get(id) ?? 0;
      this.#unanswered.delete(id);
      this.#listening.delete(id);
      this.#readOrWait();
    }
    if (this.#unanswered.size === 0) for (const resolve of this.#whenAnswered.splice(0)) resolve();
  }

  #isUnread(): boolean {
    return this.#output.writableLength > MAX_UNREAD_BYTES && !this.#output.destroyed;
  }

  #makeRoom(): void {
    if (!this.#isUnread()) for (const go of this.#whenRoom.splice(0)) go();
  }

  /** Reads on, or lets the client wait: otherwise one that sends without reading would fill the memory. */
  #readOrWait(): void {
    if (!this.#isReading) return;
    const isFull = this.#unanswered.size >= MAX_UNANSWERED || this.#unansweredBytes > MAX_UNANSWERED_BYTES;
    if (isFull || this.#isUnread()) this.#input.pause();
    else if (this.#input.isPaused()) this.#input.resume();
  }
}

/**
 * This server asks its client nothing, so an answer is of no use. The SDK would quote it in an error, and dies if it
 * is nested deep.
 */
function isAnswer(message: JSONRPCMessage): boolean {
  return isResult(message) || isError(message);
}

function isProgress(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'notifications/progress';
}

/** One line for every client: some line readers, such as Node's own, also end a line at U+2028 and U+2029. */
function lineOf(message: JSONRPCMessage): string {
  const json = JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `${json}\n`;
}
