/** Bounds how often something is done in an hour, in this process. */
export class Rate {
  readonly #most: number;
  readonly #now: () => number;
  #times: number[] = [];

  /** The clock is in milliseconds since 1970. */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Returns false if it may not be done now. */
  take(): boolean {
    const now = this.#now();
    this.#times = this.#times.filter((time) => time > now - HOUR_MS);
    if (this.#times.length >= this.#most) return false;
    this.#times.push(now);
    return true;
  }
}

const HOUR_MS = 3_600_000;
