import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import * as z from 'zod';
import type { Records, StoredRecord } from '../records/records.ts';

/** Records in a file of this machine, which several processes may open. */
export class SqliteRecords implements Records {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #get: StatementSync;
  readonly #put: StatementSync;
  readonly #remove: StatementSync;
  readonly #of: StatementSync;
  readonly #sweep: StatementSync;
  #sweptMs = 0;

  private constructor(database: DatabaseSync, now: () => number) {
    this.#database = database;
    this.#now = now;
    database.exec(SCHEMA);
    const isThere = '(until IS NULL OR until > $now)';
    this.#get = database.prepare(
      `SELECT value, owner, until FROM record WHERE kind = $kind AND id = $id AND ${isThere}`,
    );
    this.#put = database.prepare('INSERT OR REPLACE INTO record VALUES ($kind, $id, $owner, $until, $value)');
    this.#remove = database.prepare(`DELETE FROM record WHERE kind = $kind AND id = $id AND ${isThere}`);
    this.#of = database.prepare(
      `SELECT id, value, owner, until FROM record WHERE kind = $kind AND owner = $owner AND ${isThere} ORDER BY id`,
    );
    this.#sweep = database.prepare('DELETE FROM record WHERE until <= $now');
  }

  /** Opens the file, or makes it. No other user of the machine can read it. The clock is in milliseconds since 1970. */
  static async open(file: string, now: () => number): Promise<SqliteRecords> {
    const { DatabaseSync } = await import('node:sqlite');
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite would leave the permissions to the umask.
    await (await open(file, 'a', 0o600)).close();
    const database = new DatabaseSync(file, { timeout: BUSY_MS });
    try {
      return new SqliteRecords(database, now);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  async get(kind: string, id: string): Promise<StoredRecord | null> {
    return this.#find(kind, id);
  }

  async put(kind: string, id: string, record: StoredRecord): Promise<void> {
    this.#atOnce(() => this.#write(kind, id, record));
  }

  async add(kind: string, id: string, record: StoredRecord): Promise<boolean> {
    return this.#atOnce(() => {
      if (this.#find(kind, id) !== null) return false;
      this.#write(kind, id, record);
      return true;
    });
  }

  async change(
    kind: string,
    id: string,
    change: (record: StoredRecord) => StoredRecord | null,
  ): Promise<boolean> {
    return this.#atOnce(() => {
      const record = this.#find(kind, id);
      const changed = record === null ? null : change(record);
      if (changed === null) return false;
      this.#write(kind, id, changed);
      return true;
    });
  }

  async remove(kind: string, id: string): Promise<boolean> {
    return this.#remove.run({ kind, id, now: this.#now() }).changes > 0;
  }

  async of(kind: string, owner: string): Promise<(StoredRecord & { id: string })[]> {
    const found = this.#of.all({ kind, owner, now: this.#now() });
    return found.map((each) => ({ ...recordIn(each), id: row.parse(each).id ?? '' }));
  }

  close(): void {
    this.#database.close();
  }

  #find(kind: string, id: string): StoredRecord | null {
    const found = this.#get.get({ kind, id, now: this.#now() });
    return found === undefined ? null : recordIn(found);
  }

  #write(kind: string, id: string, { value, owner, untilMs }: StoredRecord): void {
    this.#put.run({ kind, id, owner, until: untilMs, value: JSON.stringify(value) });
    const now = this.#now();
    if (now - this.#sweptMs < SWEEP_EVERY_MS) return;
    this.#sweep.run({ now });
    this.#sweptMs = now;
  }

  /** Nothing else is written in between, by no process. */
  #atOnce<T>(step: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = step();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // A failed COMMIT may have ended the transaction already.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function recordIn(found: unknown): StoredRecord {
  const { value, owner, until } = row.parse(found);
  return { value: JSON.parse(value), owner, untilMs: until };
}

const row = z.object({
  id: z.string().optional(),
  value: z.string(),
  owner: z.string().nullable(),
  until: z.number().nullable(),
});

// FULL: a revoked token must not come back after a power cut.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS record (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    owner TEXT,
    until INTEGER,
    value TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS record_owner ON record (kind, owner) WHERE owner IS NOT NULL;
  CREATE INDEX IF NOT EXISTS record_until ON record (until) WHERE until IS NOT NULL;
`;
/** The time that a process waits for another one's transaction, which takes some milliseconds. */
const BUSY_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
