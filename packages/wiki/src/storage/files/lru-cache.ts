interface Entry<Value> {
  value: Value;
  bytes: number;
  keys: readonly string[];
}

/** Keeps values up to a budget of bytes; the ones used longest ago leave first. */
export class LruCache<Value> {
  #budget: number;
  #bytes = 0;
  // A map iterates in the order of insertion: what is used is inserted again, so the oldest come first.
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** What does not fit into a smaller budget leaves at once. */
  resize(budget: number): void {
    this.#budget = budget;
    this.#shrink();
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#insert(entry);
    return entry.value;
  }

  /** Keeps `value` under all of `keys`; they enter and leave together. */
  set(keys: readonly string[], value: Value, bytes: number): void {
    for (const key of keys) this.#remove(this.#entries.get(key));
    if (bytes > this.#budget) return;
    this.#bytes += bytes;
    this.#insert({ value, bytes, keys });
    this.#shrink();
  }

  #shrink(): void {
    // To look for the oldest goes over all that was used since the map was last laid out anew.
    if (this.#bytes <= this.#budget) return;
    for (const oldest of this.#entries.values()) {
      if (this.#bytes <= this.#budget) break;
      this.#remove(oldest);
    }
  }

  #insert(entry: Entry<Value>): void {
    for (const key of entry.keys) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
  }

  #remove(entry: Entry<Value> | undefined): void {
    if (!entry) return;
    for (const key of entry.keys) this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
