import type { OpenIndex } from '../core/index-port.ts';
import type { Repository } from '../core/ports.ts';
import { openCopyRoom } from './copy-room.ts';
import { scanIndex } from './scan-index.ts';
import { settle } from './settle.ts';
import { type CopySource, copySource } from './sqlite/copy-source.ts';
import { openSnapshots } from './sqlite/snapshots.ts';
import { sqliteIndex } from './sqlite/sqlite-index.ts';
import type { Sqlite } from './sqlite/working-copy.ts';
import { StandingIndex } from './standing-index.ts';
import { withPast } from './with-past.ts';

export interface IndexesOptions {
  /** On a local disk: the directory of this process's working copies. */
  workDirectory: string;
  /**
   * The maximum total size of the working copies of all wikis. Those of past commits are dropped first, then the least
   * recently used one.
   */
  mostBytes: number;
  /** The work, in milliseconds, after which an unfinished build is saved beside the wiki. */
  keepEveryMs?: number;
  /** True if no call ends before its work does: then a catch-up may take as long as it needs. */
  isPatient?: boolean;
  /** A file name that no other process or call uses. */
  randomName(): string;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface IndexedWiki {
  repository: Repository;
  /** Beside the wiki: the directory of the snapshots from which new processes start. */
  snapshotDirectory: string;
  /** True if nothing may be written to that directory. */
  readOnly: boolean;
  /** True if other users get no rights to files that are written there. */
  isPrivate?: boolean;
}

/** The indexes of the wikis that one process serves. */
export interface Indexes {
  /** The reason why indexes are slow here, in plain words; null if all is well. */
  readonly problem: string | null;
  open(wiki: IndexedWiki): OpenIndex;
  /** Ends running work, as at the end of the process nobody waits for it, and removes the working copies. */
  close(): Promise<void>;
}

export async function openIndexes(options: IndexesOptions): Promise<Indexes> {
  const sqlite = await findSqlite();
  if (sqlite === null) {
    return { problem: withoutSqlite, open: withoutCopy, close: nothing };
  }
  const room = openCopyRoom(options.mostBytes);
  /** Those that may have a copy, also one that has taken no room yet. */
  const begun = new Set<StandingIndex>();
  const noting = (source: CopySource, standing: () => StandingIndex): CopySource => ({
    ...source,
    begin(...given) {
      begun.add(standing());
      return source.begin(...given);
    },
  });
  return {
    problem: null,

    open({ repository, snapshotDirectory, readOnly, isPrivate = false }) {
      const snapshots = openSnapshots({ ...options, directory: snapshotDirectory, isPrivate });
      const shared = { ...options, directory: options.workDirectory, sqlite, snapshots };
      const newest: StandingIndex = new StandingIndex(
        repository,
        noting(copySource({ ...shared, readOnly, took: (bytes) => room.took(newest, bytes) }), () => newest),
      );
      // It begins with the same snapshots, and makes none.
      const past: StandingIndex = new StandingIndex(
        repository,
        noting(
          copySource({ ...shared, readOnly: true, took: (bytes) => room.tookForPast(past, bytes) }),
          () => past,
        ),
        settle,
      );
      const close = async () => {
        try {
          await Promise.all([newest.close(), past.close()]);
        } finally {
          // Last, since running work may have inserted them again.
          room.left(newest);
          room.left(past);
          begun.delete(newest);
          begun.delete(past);
        }
      };
      const standing = withPast(newest, past, (bytes) => room.fitsBeside(newest, bytes));
      return { ...sqliteIndex(repository, standing), close };
    },

    async close() {
      await Promise.all([...begun].map((standing) => standing.end()));
    },
  };
}

const nothing = async () => {};

function withoutCopy({ repository }: IndexedWiki): OpenIndex {
  return { ...scanIndex(repository), close: nothing };
}

const withoutSqlite =
  'This Node.js has no SQLite with FTS5, so every search and history reads the whole wiki. Use Node.js 24.';

async function findSqlite(): Promise<Sqlite | null> {
  try {
    const sqlite = await import('node:sqlite');
    const database = new sqlite.DatabaseSync(':memory:');
    database.exec("CREATE VIRTUAL TABLE probe USING fts5 (text, content = '', contentless_delete = 1)");
    database.close();
    return sqlite;
  } catch {
    return null; // Whatever is missing, the wiki can answer without it; `problem` reports it.
  }
}
