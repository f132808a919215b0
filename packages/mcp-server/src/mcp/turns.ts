/** The turns of calls: only a fixed number of calls run at once, and the others wait in their order. */
export class Turns {
  readonly #most: number;
  /** Resolves when there is room for another answer. */
  readonly #room: () => Promise<void>;
  readonly #waiting = new Set<() => void>();
  readonly #whenIdle: (() => void)[] = [];
  #running = 0;

  constructor(most: number, room: () => Promise<void>) {
    this.#most = most;
    this.#room = room;
  }

  /** Rejects without running `work` if the call is cancelled while it waits. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    await this.#begin(signal);
    try {
      await this.#room();
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#end();
    }
  }

  /** The number of calls that wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Resolves when no call runs or waits. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  #begin(signal: AbortSignal): Promise<void> | undefined {
    if (this.#running === this.#most) return this.#wait(signal);
    this.#running += 1;
    return undefined;
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(go);
        reject(signal.reason);
      };
      this.#waiting.add(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /**
   * Passes the turn on to the call that has waited the longest, after what else the event loop has to do: calls
   * that read a local disk end without giving way.
   */
  #end(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      if (this.#running === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
      return;
    }
    this.#waiting.delete(next);
    setImmediate(next);
  }
}
