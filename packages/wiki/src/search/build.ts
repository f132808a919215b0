import type { Oid } from '../contract/ids.ts';
import { pagePathOf } from '../core/paths/page-path.ts';
import type { FileChange, Repository } from '../core/ports.ts';
import { countChanges, datePages, PROGRESS_EVERY, type Work } from './catch-up.ts';
import { historyOrder } from './history/ancestor-numbers.ts';
import { fileChanges } from './history/file-changes.ts';
import {
  addCommit,
  hasUnplaced,
  parentsOf,
  placeCommits,
  putTouches,
  readNumbered,
} from './history/record-history.ts';
import { touchesOf } from './history/touches.ts';
import type { Pacer } from './pacer.ts';
import type { IndexDatabase } from './sqlite/index-database.ts';
import {
  countCommits,
  countRead,
  hasCommit,
  setStateCommit,
  setUnfinishedCommit,
  unfinishedCommit,
} from './sqlite/index-state.ts';
import { turnPages } from './sqlite/turn-pages.ts';
import { hasFile, indexedBlob } from './sqlite/write-pages.ts';

export interface BuildWork extends Work {
  /** The work, in milliseconds, after which a piece ends. */
  pieceMs: number;
  /** Called between two pieces. The database is in no transaction then, and does not change until this is done. */
  keep(): Promise<void>;
}

/**
 * Builds an empty index for `target`, or continues an unfinished build, which must be of the same commit. The work is
 * done in pieces, each of them a transaction. What is left to do follows from the tables alone, so another process can
 * continue from any piece. If it throws, the pieces that are done stay.
 */
export function buildIndex(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  work: BuildWork,
): Promise<void> {
  const { pacer, progress } = work;
  let done = countCommits(database);
  let total = 0;
  const report = (message: string) => {
    done += 1;
    if (done % PROGRESS_EVERY === 0) progress?.(done, total, message);
  };

  return repository.readMuch(async () => {
    await inPieces(database, work, async (step) => {
      if (unfinishedCommit(database) === null) setUnfinishedCommit(database, target);
      const added = () => {
        report('Reading commits');
        return step();
      };
      await addHistory(database, repository, target, added, pacer);
    });
    // As one piece: it is short, and an order that is placed in part is not recognized.
    if (hasUnplaced(database)) {
      await inPieces(database, work, async () => {
        await placeCommits(database, target, pacer);
      });
    }
    // A commit is read twice: first its place in the history, then what it changed.
    const commits = countCommits(database);
    done = commits + countRead(database);
    total = 2 * commits + (await countChanges(repository, null, target, pacer));
    await inPieces(database, work, async (step) => {
      for (const number of commitsToRead(database)) {
        await putTouches(
          database,
          number,
          await touchesOf(repository, readNumbered(database, number), pacer),
          pacer,
        );
        report('Reading history');
        await step();
      }
    });
    await inPieces(database, work, async (step) => {
      const snapshot = await repository.at(target);
      const turned = () => {
        report('Reading pages');
        return step();
      };
      const files = filesToRead(database, repository, target, pacer);
      await turnPages(database, snapshot, files, turned, () => pacer.yieldIfDue());
    });
    await inPieces(database, work, async (step) => {
      await datePages(database, historyOrder(database, target), pagesToDate(database), step);
      setStateCommit(database, target);
    });
  });
}

type Step = () => Promise<void>;

/** Runs work in transactions. Between them, which is in some of the steps, what is done is kept. */
export async function inPieces(
  database: IndexDatabase,
  { pacer, pieceMs, keep }: Pick<BuildWork, 'pacer' | 'pieceMs' | 'keep'>,
  act: (step: Step) => Promise<void>,
): Promise<void> {
  let began = performance.now();
  database.begin();
  try {
    await act(async () => {
      await pacer.yieldIfDue();
      if (performance.now() - began < pieceMs) return;
      database.commit();
      await keep();
      database.begin();
      pacer.resume();
      began = performance.now();
    });
    database.commit();
  } catch (error) {
    database.rollback();
    throw error;
  }
}

/** Adds all commits from `target` back that the index lacks, without numbers yet. */
async function addHistory(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  step: Step,
  pacer: Pacer,
): Promise<void> {
  let position = countCommits(database);
  const addFrom = async (start: Oid) => {
    const waiting = new Set([start]);
    for await (const commit of repository.log(start)) {
      if (!waiting.delete(commit.oid)) continue;
      addCommit(database, commit, position);
      position += 1;
      for (const parent of commit.parents) if (!hasCommit(database, parent)) waiting.add(parent);
      await step();
      if (waiting.size === 0) break;
    }
  };
  // With clocks that went back, one way through the history may pass a commit before it is waited for.
  for (;;) {
    const starts = await commitsToAdd(database, target, pacer);
    if (starts.length === 0) return;
    for (const start of starts) if (!hasCommit(database, start)) await addFrom(start);
  }
}

/** The target, or else the missing parents of the commits that are there. */
async function commitsToAdd(database: IndexDatabase, target: Oid, pacer: Pacer): Promise<Oid[]> {
  if (!hasCommit(database, target)) return [target];
  const missing = new Set<Oid>();
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = database.all(
      `SELECT number, parents FROM commits WHERE number < ? ORDER BY number DESC LIMIT ${ROWS_AT_ONCE}`,
      below,
    );
    for (const row of rows) {
      for (const parent of parentsOf(row)) if (!hasCommit(database, parent)) missing.add(parent);
      below = Number(row.number);
    }
    if (rows.length < ROWS_AT_ONCE) return [...missing];
    await pacer.yieldIfDue();
  }
}

/** Takes some milliseconds. */
const ROWS_AT_ONCE = 500;

/** The numbers of the commits whose changes were not recorded yet, newest first, as packs are laid out. */
function commitsToRead(database: IndexDatabase): number[] {
  const rows = database.all('SELECT number FROM commits WHERE pages IS NULL ORDER BY number DESC');
  return rows.map(({ number }) => Number(number));
}

/** The files of `target` that the index does not have yet. */
async function* filesToRead(
  database: IndexDatabase,
  repository: Repository,
  target: Oid,
  pacer: Pacer,
): AsyncGenerator<FileChange> {
  for await (const change of fileChanges(repository, null, target)) {
    await pacer.yieldIfDue();
    const page = pagePathOf(change.path);
    const isThere = page === null ? hasFile(database, change.path) : indexedBlob(database, page) !== null;
    if (!isThere) yield change;
  }
}

function pagesToDate(database: IndexDatabase): number[] {
  return database.all('SELECT id FROM pages WHERE changed_in = 0').map(({ id }) => Number(id));
}
