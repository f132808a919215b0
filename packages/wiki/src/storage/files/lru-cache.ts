interface Entry<Value> {
  value: Value;
  bytes: number;
  keys: readonly string[];
}

/**
 * Keeps values up to a budget of bytes and drops the least recently used first. Unlike the library lru-cache
 * it can change its budget and keep one value under several keys (ADR 10).
 */
export class LruCache<Value> {
  #budget: number;
  #bytes = 0;
  // A map iterates in the order of insertion. A used entry is inserted again, so the oldest come first.
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Drops at once the entries that do not fit into a smaller budget. */
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

  /** Keeps `value` under all of `keys`, which enter and leave together. */
  set(keys: readonly string[], value: Value, bytes: number): void {
    for (const key of keys) this.#remove(this.#entries.get(key));
    if (bytes > this.#budget) return;
    this.#bytes += bytes;
    this.#insert({ value, bytes, keys });
    this.#shrink();
  }

  #shrink(): void {
    // Looking for the oldest entry passes over all entries used since the map was last rebuilt.
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
