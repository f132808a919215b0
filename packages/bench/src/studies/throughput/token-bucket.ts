/**
 * A model of EFS's Bursting mode, with the words and numbers of its documentation
 * (https://docs.aws.amazon.com/efs/latest/ug/performance.html#bursting). It is a model: real file systems are metered
 * over a minute, and by more than their bytes.
 */
export interface BucketState {
  /** The amount that may still be written above the baseline rate. */
  readonly credits_mib: number;
  /** The rate at which credits are earned, and the rate that is left once they are used up. */
  readonly baseline_mib_per_s: number;
  readonly burst_mib_per_s: number;
}

export interface BucketClock {
  /** In milliseconds. */
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

/** A new file system of less than 20 GiB: 2.1 TiB of credits, bursts of 100 MiB/s, never less than 1 MiB/s. */
export const newFileSystem: BucketState = {
  credits_mib: 2.1 * 2 ** 20,
  baseline_mib_per_s: 1,
  burst_mib_per_s: 100,
};

/** Timers are too coarse for less; a writer that is ahead by so little may go on, and waits the longer next time. */
const AHEAD_MS = 2;

export class TokenBucket {
  readonly #state: BucketState;
  readonly #clock: BucketClock;
  readonly #most: number;
  /** Below 0: what is written and yet to be earned. */
  #credits: number;
  #earnedAt: number;
  /** When all that was taken will have been allowed. */
  #allowedAt: number;

  constructor(state: BucketState, clock: BucketClock) {
    this.#state = state;
    this.#clock = clock;
    this.#most = Math.max(newFileSystem.credits_mib, state.credits_mib);
    this.#credits = state.credits_mib;
    this.#earnedAt = clock.now();
    this.#allowedAt = this.#earnedAt;
  }

  get credits_mib(): number {
    return Math.max(0, this.#credits);
  }

  /** Counts what is being written: the file system takes it while the bucket allows it, so nobody waits yet. */
  take(mib: number): void {
    const { baseline_mib_per_s: baseline, burst_mib_per_s: burst } = this.#state;
    const now = this.#clock.now();
    this.#credits = Math.min(this.#most, this.#credits + ((now - this.#earnedAt) / 1000) * baseline);
    this.#earnedAt = now;
    this.#credits -= mib;
    const atBurst = Math.max(this.#allowedAt, now) + (mib / burst) * 1000;
    const earned = now + (Math.max(0, -this.#credits) / baseline) * 1000;
    this.#allowedAt = Math.max(atBurst, earned);
  }

  /** Resolves when all that was taken is allowed. */
  async allowed(): Promise<void> {
    const ahead = this.#allowedAt - this.#clock.now();
    if (ahead > AHEAD_MS) await this.#clock.sleep(ahead);
  }
}
