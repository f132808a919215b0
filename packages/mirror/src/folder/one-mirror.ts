import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Takes the turn of the one mirror of a folder. The system releases it when the process ends, however that comes: SQLite
 * locks its file by the means of each system, which no lock file with a process id can do.
 * @returns the function that gives it back; null if another process has it.
 */
export function takeTurn(folder: string): (() => void) | null {
  const database = new DatabaseSync(join(folder, 'turn'));
  try {
    // Nothing is ever written: a journal would need room on the disk.
    database.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return () => database.close();
}

const SQLITE_BUSY = 5;
