import type { Records } from '../records/records.ts';

/** Bounds how often something is done in an hour of the clock, by all processes that share the records. */
export class Rate {
  readonly #records: Records;
  readonly #name: string;
  readonly #most: number;
  readonly #now: () => number;

  /** The clock is in milliseconds since 1970. */
  constructor(records: Records, name: string, most: number, now: () => number) {
    this.#records = records;
    this.#name = name;
    this.#most = most;
    this.#now = now;
  }

  /** Resolves to false if it may not be done now. */
  async take(): Promise<boolean> {
    const hour = Math.floor(this.#now() / HOUR_MS);
    const id = `${this.#name} ${hour}`;
    const first = { value: 1, owner: null, untilMs: (hour + 1) * HOUR_MS };
    let isThere = false;
    const didTake = await this.#records.change(KIND, id, (record) => {
      isThere = true;
      const taken = Number(record.value);
      return taken < this.#most ? { ...record, value: taken + 1 } : null;
    });
    if (isThere) return didTake;
    // If another process was faster, there is one to change.
    return (await this.#records.add(KIND, id, first)) || this.take();
  }
}

const KIND = 'rate';
const HOUR_MS = 3_600_000;
