import type { Environment } from './environment.ts';

export interface PoolOptions {
  /** The maximum number of simultaneous environments. */
  readonly concurrency: number;
  /** Starts an environment of a version in a free slot, counted from 0. */
  readonly start: (version: string, slot: number, provisioned: boolean) => Promise<Environment>;
}

interface Slot {
  readonly number: number;
  readonly version: string;
  readonly environment: Promise<Environment>;
  /** `taken`: by an invocation. `settling`: it has answered and has not asked for the next event yet. */
  use: 'free' | 'taken' | 'settling';
  /** Resolves when it is no longer `taken` or `settling`, or is gone. */
  available: Promise<void>;
}

/** An environment taken for one invocation. */
export interface Taken {
  readonly environment: Environment;
  /** Started for this invocation. */
  readonly cold: boolean;
  /** Gives it back; resolves when it is frozen or gone. */
  release(): Promise<void>;
}

/** The execution environments of one function. */
export class Pool {
  readonly #options: PoolOptions;
  /** The one used last comes last. */
  readonly #slots: Slot[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** An environment of that version; null if all are in use: throttled. */
  async take(version: string): Promise<Taken | null> {
    for (;;) {
      const warm = this.#slots.findLast((slot) => slot.version === version && slot.use === 'free');
      if (warm !== undefined) return this.#taken(warm, false);
      const settling = this.#slots.filter((slot) => slot.use === 'settling');
      const soon =
        settling.find((slot) => slot.version === version) ?? (this.#isFull() ? settling[0] : undefined);
      if (soon !== undefined) {
        await soon.available;
      } else if (!this.#isFull()) {
        return this.#taken(this.#start(version, false), true);
      } else {
        const other = this.#slots.find((slot) => slot.use === 'free');
        if (other === undefined) return null;
        await this.#end(other);
      }
    }
  }

  /** Starts environments before anyone calls; resolves when they are ready. */
  async provision(version: string, count: number): Promise<void> {
    const slots = Array.from({ length: count }, () => this.#start(version, true));
    await Promise.all(slots.map(async (slot) => (await slot.environment).ready));
  }

  /** Ends every environment that is not in use, so that the next invocation is cold. */
  async recycle(): Promise<void> {
    await Promise.all(this.#slots.filter((slot) => slot.use !== 'taken').map((slot) => this.#end(slot)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#slots.map((slot) => this.#end(slot)));
  }

  /** The environments as they are now, those that an invocation uses first. */
  environments(): Promise<Environment[]> {
    const slots = this.#slots.toSorted((a, b) => Number(b.use === 'taken') - Number(a.use === 'taken'));
    return Promise.all(slots.map((slot) => slot.environment));
  }

  #isFull(): boolean {
    return this.#slots.length >= this.#options.concurrency;
  }

  #start(version: string, provisioned: boolean): Slot {
    const taken = new Set(this.#slots.map((slot) => slot.number));
    const number = Array.from({ length: this.#options.concurrency }, (_, i) => i).find((i) => !taken.has(i));
    if (number === undefined) throw new Error('There is no room for another environment.');
    const environment = this.#options.start(version, number, provisioned);
    const slot: Slot = { number, version, environment, use: 'free', available: Promise.resolve() };
    this.#slots.push(slot);
    // A slot is free for a new environment only when the old process is gone.
    environment
      .then((started) => started.ended)
      .finally(() => this.#remove(slot))
      .catch(() => {});
    return slot;
  }

  async #taken(slot: Slot, cold: boolean): Promise<Taken> {
    const { promise, resolve } = Promise.withResolvers<void>();
    slot.use = 'taken';
    slot.available = promise;
    this.#remove(slot);
    this.#slots.push(slot);
    const environment = await slot.environment;
    const release = async () => {
      // An environment that a fault froze as it answered stays frozen until it is released: no call may wait for it.
      if (!environment.isHeld) slot.use = 'settling';
      await environment.settled();
      if (environment.state === 'ended') this.#remove(slot);
      slot.use = 'free';
      resolve();
    };
    return { environment, cold, release };
  }

  async #end(slot: Slot): Promise<void> {
    const environment = await slot.environment;
    environment.kill();
    await environment.ended;
    this.#remove(slot);
  }

  #remove(slot: Slot): void {
    const index = this.#slots.indexOf(slot);
    if (index !== -1) this.#slots.splice(index, 1);
  }
}
