import { BrokenPktLine, LENGTH_DIGITS, type PktLine, readLength, textOf } from '@pagetree/wiki/pkt-line';
import type { Patience } from './patience.ts';
import { cleanWords, RemoteFailure, type RemoteFailureReason } from './remote-failure.ts';

interface IncomingOptions {
  patience: Patience;
  remote: string;
  /** Passwords that no words of the remote may repeat. */
  secrets: readonly string[];
}

/** The pkt-lines that a remote sends, read as they come. */
export class Incoming {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #patience: Patience;
  readonly #remote: string;
  readonly #secrets: readonly string[];
  /** Bytes that came and were not read yet, in pieces: a remote may send one byte at a time. */
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;
  #leftBytes = 0;
  #bound: { reason: RemoteFailureReason; maxBytes: number } = { reason: 'answer', maxBytes: 0 };

  constructor(source: AsyncIterator<Uint8Array>, { patience, remote, secrets }: IncomingOptions) {
    this.#source = source;
    this.#patience = patience;
    this.#remote = remote;
    this.#secrets = secrets;
  }

  /** Bounds what may come from now on. */
  limit(reason: 'pack' | 'refs' | 'answer', maxBytes: number): void {
    this.#bound = { reason, maxBytes };
    this.#leftBytes = maxBytes - this.#heldBytes;
  }

  /** Null if the stream ends before another line. Throws RemoteFailure, also for a line that is an error of git. */
  async next(): Promise<PktLine | null> {
    const head = await this.#take(LENGTH_DIGITS);
    if (head === null) return null;
    const kind = this.#lengthOf(head);
    if (typeof kind !== 'number') return { kind };
    const data = kind === 0 ? new Uint8Array(0) : await this.#take(kind);
    if (data === null) throw this.broken('cut_off');
    if (Buffer.from(data.subarray(0, ERROR.length)).equals(ERROR))
      throw this.broken('error', textOf(data.subarray(ERROR.length)));
    return { kind: 'data', data };
  }

  /** The text of the next line; null at a line without data. */
  async nextText(): Promise<string | null> {
    const line = await this.next();
    if (line === null) throw this.broken('cut_off');
    return line.kind === 'data' ? textOf(line.data) : null;
  }

  /** Reads to the end of the stream, so that its connection can be used again. */
  async finish(): Promise<void> {
    this.limit('answer', MAX_TRAILER_BYTES);
    while (await this.#read());
  }

  broken(reason: RemoteFailureReason, words?: string): RemoteFailure {
    const said = words === undefined ? {} : { words: cleanWords(words, this.#secrets) };
    return new RemoteFailure('broken', { remote: this.#remote, reason, ...said });
  }

  #lengthOf(head: Uint8Array) {
    try {
      return readLength(head);
    } catch (error) {
      if (error instanceof BrokenPktLine) throw this.broken('pkt_line');
      throw error;
    }
  }

  /** Null if the stream ends before the first of these bytes. */
  async #take(count: number): Promise<Uint8Array | null> {
    while (this.#heldBytes < count) {
      if (await this.#read()) continue;
      if (this.#heldBytes === 0) return null;
      throw this.broken('cut_off');
    }
    const [first] = this.#pieces;
    const held = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    const rest = held.subarray(count);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#heldBytes = rest.length;
    return held.subarray(0, count);
  }

  /** False at the end of the stream. */
  async #read(): Promise<boolean> {
    const result = await this.#patience.untilSilent(this.#source.next()).catch((error: unknown) => {
      throw this.#patience.signal.aborted ? this.#patience.signal.reason : this.#failed(error);
    });
    if (result.done) return false;
    this.#leftBytes -= result.value.length;
    if (this.#leftBytes < 0) throw new RemoteFailure('too_large', { remote: this.#remote, ...this.#bound });
    this.#pieces.push(result.value);
    this.#heldBytes += result.value.length;
    return true;
  }

  #failed(error: unknown): RemoteFailure {
    return error instanceof RemoteFailure ? error : this.broken('cut_off');
  }
}

const ERROR = Buffer.from('ERR ');
const MAX_TRAILER_BYTES = 10_000;
