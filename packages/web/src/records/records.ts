/** A small JSON value with what is known about it. */
export interface StoredRecord {
  /** JSON. Parse it: another version of the program may have written it. */
  value: unknown;
  /** The id by which `of` finds it, beside others; null if nothing looks for it so. */
  owner: string | null;
  /** From then on it is gone, in milliseconds since 1970; null if it stays. */
  untilMs: number | null;
}

/**
 * Small records by kind and id, which every process that serves the same address shares: a process sees at once what
 * another one has written. A record is written as a whole. Kinds and ids are any text; secrets do not belong into them,
 * nor into values: keep a digest.
 */
export interface Records {
  get(kind: string, id: string): Promise<StoredRecord | null>;
  /** Adds the record or replaces the one that is there. */
  put(kind: string, id: string, record: StoredRecord): Promise<void>;
  /** Adds the record unless there is one. Returns whether it did: among callers at the same time, one gets `true`. */
  add(kind: string, id: string, record: StoredRecord): Promise<boolean>;
  /**
   * Replaces a record by what `change` returns for it, with nothing written in between; `null` changes nothing. `change`
   * may be called several times.
   * @returns whether the record was replaced.
   */
  change(kind: string, id: string, change: (record: StoredRecord) => StoredRecord | null): Promise<boolean>;
  /** Returns whether there was one: among callers at the same time, one gets `true`. */
  remove(kind: string, id: string): Promise<boolean>;
  /** The records of a kind with an owner, sorted by id. Give an owner a bounded number of them. */
  of(kind: string, owner: string): Promise<(StoredRecord & { id: string })[]>;
}
