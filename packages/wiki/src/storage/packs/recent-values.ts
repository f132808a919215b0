/**
 * Values that were used lately, up to a budget of bytes. Costs less than LruCache for tens of thousands of small values:
 * it has two generations, and drops the older one whole.
 */
export class RecentValues<Value> {
  readonly #mostBytes: number;
  #young = new Map<number, Sized<Value>>();
  #old = new Map<number, Sized<Value>>();
  #youngBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(key: number): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young.value;
    const old = this.#old.get(key);
    if (old === undefined) return undefined;
    this.set(key, old.value, old.bytes);
    return old.value;
  }

  /** A value that takes more than half of the budget is not kept. */
  set(key: number, value: Value, bytes: number): void {
    const most = this.#mostBytes / 2;
    if (bytes > most) return;
    if (this.#youngBytes + bytes > most) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#youngBytes += bytes - (this.#young.get(key)?.bytes ?? 0);
    this.#young.set(key, { value, bytes });
  }
}

interface Sized<Value> {
  value: Value;
  bytes: number;
}
