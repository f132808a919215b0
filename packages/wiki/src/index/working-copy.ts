import { mkdir, readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { IndexDatabase } from './index-database.ts';

/** node:sqlite, which is imported only when an index is first needed. */
export type Sqlite = typeof import('node:sqlite');

/** An index that belongs to this process alone. */
export interface WorkingCopy {
  database: IndexDatabase;
  close(): Promise<void>;
}

export interface WorkingCopiesOptions {
  /** On a local disk. Made if missing. */
  directory: string;
  sqlite: Sqlite;
  randomName(): string;
  now(): number;
}

/**
 * Opens an index of this process's own. `fill` writes the file it begins with, and says whether it did; without
 * it the index is empty. On every system but Windows the file has no name once it is open, so that its room is
 * free again when the process ends, however it ends.
 */
export async function openWorkingCopy(
  { directory, sqlite, randomName, now }: WorkingCopiesOptions,
  fill: ((file: string) => Promise<boolean>) | null,
): Promise<WorkingCopy | null> {
  await mkdir(directory, { recursive: true });
  await removeAbandoned(directory, now());
  const file = join(directory, `${prefix}${randomName()}.sqlite`);
  try {
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
    // Windows refuses while the file is open; `close` then removes it.
    await unlink(file).catch(() => {});
  }
}

/** An index that takes no room on disk, for when there is none. */
export function openInMemory({ sqlite }: Pick<WorkingCopiesOptions, 'sqlite'>): WorkingCopy {
  const database = openDatabase(new sqlite.DatabaseSync(':memory:'), false);
  return { database, close: async () => database.close() };
}

function openDatabase(sqlite: DatabaseSync, isFilled: boolean): IndexDatabase {
  const database = new IndexDatabase(sqlite);
  if (!isFilled) database.create();
  return database;
}

const prefix = 'pagetree-index-';
/** So old a file with a name was left by a process that died, or is held open, where removing it fails. */
const abandonedMs = 3_600_000;

async function removeAbandoned(directory: string, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(prefix)) continue;
    const file = join(directory, name);
    // It may go at any moment by another hand; then there is nothing left to do.
    const status = await stat(file).catch(() => null);
    if (status !== null && now - status.mtimeMs > abandonedMs) await unlink(file).catch(() => {});
  }
}
