import { RemoteFailure } from './remote-failure.ts';

/** Ends the waiting of one call: if its caller gives it up, and if the remote is silent for too long. */
export class Patience {
  readonly #ending = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #idleMs: number;
  readonly #remote: string;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    signal,
    idleMs,
    remote,
  }: { signal: AbortSignal | undefined; idleMs: number; remote: string }) {
    this.#caller = signal;
    this.#idleMs = idleMs;
    this.#remote = remote;
    if (signal?.aborted) this.#giveUp();
    signal?.addEventListener('abort', this.#giveUp);
  }

  /** Ends with the call: whatever it began is to end then. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Waits for something of the remote, as long as it is not silent. */
  async untilSilent<T>(waited: Promise<T>): Promise<T> {
    this.heard();
    try {
      return await this.untilGivenUp(waited);
    } finally {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Waits for something that the remote has no part in. */
  async untilGivenUp<T>(waited: Promise<T>): Promise<T> {
    let end = () => {};
    const ended = new Promise<never>((_, reject) => {
      end = () => reject(this.signal.reason);
    });
    if (this.signal.aborted) end();
    this.signal.addEventListener('abort', end);
    try {
      return await Promise.race([waited, ended]);
    } finally {
      this.signal.removeEventListener('abort', end);
    }
  }

  /** The silence begins anew: bytes came or were taken. */
  heard(): void {
    clearTimeout(this.#timer);
    if (!this.signal.aborted) this.#timer = setTimeout(this.#lose, this.#idleMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#giveUp);
    this.#ending.abort(new DOMException('The call is over.', 'AbortError'));
  }

  readonly #lose = () => this.#ending.abort(new RemoteFailure('timeout', { remote: this.#remote }));

  readonly #giveUp = () => {
    this.#ending.abort(new DOMException('The call was given up by its caller.', 'AbortError'));
  };
}
