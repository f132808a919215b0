import type { Index } from '../core/index-port.ts';
import type { Repository } from '../core/ports.ts';
import { copySource } from './copy-source.ts';
import { scanIndex } from './scan-index.ts';
import { openSnapshots } from './snapshots.ts';
import { sqliteIndex } from './sqlite-index.ts';
import { StandingIndex } from './standing-index.ts';
import type { Sqlite } from './working-copy.ts';

export interface IndexesOptions {
  /** On a local disk: where this process keeps its working copies. */
  workDirectory: string;
  /** What the working copies of all wikis may take together; the one unused for longest goes first. */
  mostBytes: number;
  /** A file name that nobody else takes. */
  randomName(): string;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface IndexedWiki {
  repository: Repository;
  /** Beside the wiki: what new processes start from. */
  snapshotDirectory: string;
  /** Nothing is written to that directory. */
  readOnly: boolean;
}

/** The indexes of the wikis that one process serves. */
export interface Indexes {
  /** In plain words, why indexes are slow here; null where all is well. */
  readonly problem: string | null;
  open(wiki: IndexedWiki): Index;
  /** Waits for what is under way, and gives up the working copies. */
  close(): Promise<void>;
}

export async function openIndexes(options: IndexesOptions): Promise<Indexes> {
  const sqlite = await findSqlite();
  if (sqlite === null) {
    return { problem: withoutSqlite, open: ({ repository }) => scanIndex(repository), close: async () => {} };
  }
  const room = new Map<StandingIndex, number>();
  return {
    problem: null,

    open({ repository, snapshotDirectory, readOnly }) {
      const snapshots = openSnapshots({ ...options, directory: snapshotDirectory });
      const took = (bytes: number) => {
        // Put last: the first in the map is the one whose index moved on the longest ago.
        room.delete(standing);
        room.set(standing, bytes);
        makeRoom(room, standing, options.mostBytes);
      };
      const directory = options.workDirectory;
      const standing = new StandingIndex(
        repository,
        copySource({ ...options, directory, sqlite, snapshots, readOnly, took }),
      );
      return sqliteIndex(repository, standing);
    },

    async close() {
      await Promise.all([...room.keys()].map((standing) => standing.release()));
    },
  };
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
    return null; // Whatever is missing, the wiki can answer without it; `problem` says so.
  }
}

function makeRoom(room: Map<StandingIndex, number>, latest: StandingIndex, mostBytes: number): void {
  let total = [...room.values()].reduce((sum, bytes) => sum + bytes, 0);
  for (const [standing, bytes] of room) {
    if (total <= mostBytes || standing === latest) return;
    room.delete(standing);
    total -= bytes;
    // Not waited for: it may be at work, and even waiting for this one.
    void standing.release();
  }
}
