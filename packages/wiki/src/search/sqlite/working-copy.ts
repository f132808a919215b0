import { mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { IndexDatabase } from './index-database.ts';

/** node:sqlite, which is imported only when an index is first needed. */
export type Sqlite = typeof import('node:sqlite');

/** An index that only this process uses. */
export interface WorkingCopy {
  database: IndexDatabase;
  close(): Promise<void>;
}

export interface WorkingCopiesOptions {
  /** On a local disk. Created if missing. */
  directory: string;
  sqlite: Sqlite;
  randomName(): string;
  now(): number;
}

/**
 * Opens an index for this process alone. `fill` writes the initial file and returns whether it did; otherwise
 * the index is empty. On every system but Windows the file has no name once it is open, so that its space is
 * freed when the process ends, however it ends.
 */
export async function openWorkingCopy(
  { directory, sqlite, randomName, now }: WorkingCopiesOptions,
  fill: ((file: string) => Promise<boolean>) | null,
): Promise<WorkingCopy | null> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeAbandoned(directory, now());
  const file = join(directory, `${prefix}${randomName()}.sqlite`);
  try {
    await makePrivate(file);
    if (fill !== null && !(await fill(file))) return null;
    const database = openDatabase(new sqlite.DatabaseSync(file), fill !== null);
    return {
      database,
      async close() {
        database.close();
        await rm(file, { force: true });
      },
    };
  } finally {
    // Windows refuses while the file is open; `close` removes it then.
    await unlink(file).catch(() => {});
  }
}

/** Makes an empty file that other users cannot open: SQLite would leave the permissions to the umask. */
export async function makePrivate(file: string): Promise<void> {
  await (await open(file, 'wx', 0o600)).close();
}

/** An index in memory, used if there is no disk space. */
export function openInMemory({ sqlite }: Pick<WorkingCopiesOptions, 'sqlite'>): WorkingCopy {
  const database = openDatabase(new sqlite.DatabaseSync(':memory:'), false);
  return { database, close: async () => database.close() };
}

/** Takes the database over: closes it if it is no database. */
function openDatabase(sqlite: DatabaseSync, isFilled: boolean): IndexDatabase {
  try {
    const database = new IndexDatabase(sqlite);
    if (!isFilled) database.create();
    return database;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

const prefix = 'pagetree-index-';
/** A named file of this age was left by a process that died, or is open, and then removing it fails. */
const abandonedMs = 3_600_000;

async function removeAbandoned(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(prefix)) continue;
    const file = join(directory, name);
    // Another process may remove it at any moment; then there is nothing left to do.
    const status = await stat(file).catch(() => null);
    if (status !== null && now - status.mtimeMs > abandonedMs) await unlink(file).catch(() => {});
  }
}
