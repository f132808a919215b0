import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Oid } from '../../contract/ids.ts';
import type { HistoryEntry } from '../../core/index-port.ts';
import type { PageWords } from '../words/terms-of-page.ts';
import { indexFormat, schema } from './schema.ts';

export type Row = Record<string, unknown>;

/** One index in SQLite. Every method throws SQLite's errors; a failed index is thrown away. */
export class IndexDatabase {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Cached history entries, by commit number and the rest of their key. */
  readonly entries = new Map<string, HistoryEntry>();
  /** Terms whose spelling is certainly in the table, so that frequent ones are not inserted again. */
  readonly spelt = new Set<string>();
  /** The words of the pages that were added last, by path. */
  readonly addedWords = new Map<string, { blob: Oid; words: PageWords }>();
  /** The facts that a search needs about each page with a word, by the id of its path. */
  readonly knownPages = new Map<
    number,
    { language: string | null; terms: number; allTerms: number; hidden: boolean }
  >();

  /** Takes over an open database. No other process has it open, so nothing must survive a crash. */
  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
    sqlite.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKiB}; PRAGMA mmap_size = ${mappedBytes};`);
  }

  create(): void {
    this.#sqlite.exec(`${schema} PRAGMA user_version = ${indexFormat};`);
  }

  get format(): number {
    return Number(this.#sqlite.prepare('PRAGMA user_version').get()?.user_version);
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#statement(sql).run(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#statement(sql).all(...values);
  }

  /** Rows as arrays, in the order of the columns: faster for many rows. No other method may get the same SQL. */
  arrays(sql: string, ...values: SQLInputValue[]): unknown[][] {
    const statement = this.#statement(sql);
    statement.setReturnArrays(true);
    return statement.all(...values) as unknown as unknown[][];
  }

  /** The only column of the only row. */
  value(sql: string, ...values: SQLInputValue[]): unknown {
    const row = this.#statement(sql).get(...values);
    return row === undefined ? undefined : Object.values(row)[0];
  }

  /** The size of the database. */
  get bytes(): number {
    return Number(this.value('PRAGMA page_count')) * Number(this.value('PRAGMA page_size'));
  }

  begin(): void {
    this.#sqlite.exec('BEGIN');
  }

  commit(): void {
    this.#sqlite.exec('COMMIT');
  }

  rollback(): void {
    this.spelt.clear();
    this.knownPages.clear();
    if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
  }

  get sqlite(): DatabaseSync {
    return this.#sqlite;
  }

  close(): void {
    this.#statements.clear();
    this.#sqlite.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

const cacheKiB = 8_000;
const mappedBytes = 67_108_864;
