import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WikiError } from '../../contract/errors.ts';
import type { CopySource } from '../standing-index.ts';
import type { IndexDatabase } from './index-database.ts';
import { stateCommit } from './index-state.ts';
import { countPages } from './query-pages.ts';
import { indexFormat } from './schema.ts';
import type { Snapshots } from './snapshots.ts';
import { isSqliteFailure, unlessFailed } from './unless-failed.ts';
import {
  makePrivate,
  openInMemory,
  openWorkingCopy,
  type WorkingCopiesOptions,
  type WorkingCopy,
} from './working-copy.ts';

export interface CopySourceOptions extends WorkingCopiesOptions {
  snapshots: Snapshots;
  /** Snapshots are read and never written. */
  readOnly: boolean;
  /** Called with the current size of the working copy in bytes. */
  took(bytes: number): void;
}

/**
 * Makes working copies from the snapshots beside the wiki, and adds a snapshot when the newest has become
 * old.
 */
export function copySource(options: CopySourceOptions): CopySource {
  const { directory, sqlite, randomName, snapshots, readOnly, took } = options;
  /** The height of the newest existing snapshot, in commits. */
  let saved = 0;

  async function beginEmpty(): Promise<WorkingCopy> {
    const copy = await unlessFailed(() => openWorkingCopy(options, null));
    // Without a writable disk, memory serves.
    return copy ?? openInMemory(options);
  }

  async function beginFromSnapshot(): Promise<WorkingCopy | null> {
    for (const snapshot of (await snapshots.list()).slice(0, mostTried)) {
      const copy = await openWorkingCopy(options, (file) => snapshots.load(snapshot, file));
      if (copy?.database.format === indexFormat && stateCommit(copy.database) === snapshot.commit) {
        saved = snapshot.position;
        return copy;
      }
      await copy?.close();
    }
    return null;
  }

  async function write({ database }: WorkingCopy): Promise<void> {
    const commit = stateCommit(database);
    if (commit === null) return;
    const position = positionOf(database);
    const file = join(directory, `${randomName()}.snapshot`);
    try {
      await makePrivate(file);
      await sqlite.backup(database.sqlite, file, { rate: pagesInOneGo });
      await snapshots.save(file, commit, position);
    } finally {
      saved = position;
      await rm(file, { force: true });
    }
  }

  async function writeIfDue(copy: WorkingCopy): Promise<void> {
    const position = positionOf(copy.database);
    if (!isDue(copy.database, position, saved)) return;
    const [newest] = await snapshots.list();
    saved = newest?.position ?? 0;
    if (isDue(copy.database, position, saved)) await write(copy);
  }

  return {
    async begin(attempt) {
      if (attempt > 1) return openInMemory(options);
      // A snapshot that cannot be read counts as missing.
      const copy = attempt === 0 ? await unlessFailed(beginFromSnapshot) : null;
      return copy ?? beginEmpty();
    },

    beginEmpty,

    async advanced(copy) {
      took(bytesOf(copy.database));
      // A snapshot only spares others work: if it cannot be written, they build their own index.
      if (!readOnly) await unlessFailed(() => writeIfDue(copy));
    },

    async save(copy) {
      if (readOnly) return false;
      const commit = stateCommit(copy.database);
      try {
        const isThere = (await snapshots.list()).some((snapshot) => snapshot.commit === commit);
        if (!isThere) await write(copy);
      } catch (error) {
        throw notSaved(error);
      }
      return true;
    },

    isFailure: isSqliteFailure,
  };
}

/** Leaves errors that are not from the file system unchanged. */
function notSaved(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  return new WikiError(
    'backend_unavailable',
    {
      happened: `The search index could not be saved beside the wiki: ${error.code}.`,
      now: 'Nothing is lost: pages can be read, searched and changed, and each new server builds the index for itself.',
      next: 'Tell the person who runs the wiki to let the server write where it is stored, and to make room there; then repeat the call.',
      atTerminal: 'Let this user write where the wiki is stored, and make room there.',
    },
    {},
    { cause: error },
  );
}

/** The number of snapshots to try if they are damaged or belong to another history. */
const mostTried = 3;
const pagesInOneGo = 500;

/**
 * True if a new snapshot is due: a new process should catch up in less than half a second, and snapshots
 * should be rare compared to writes.
 */
function isDue(database: IndexDatabase, position: number, saved: number): boolean {
  const pages = countPages(database);
  if (saved === 0) return position >= leastBehind || pages >= leastPages;
  return position - saved >= Math.max(leastBehind, pages / pagesForEachCommit);
}

const leastBehind = 100;
const leastPages = 200;
const pagesForEachCommit = 200;

function positionOf(database: IndexDatabase): number {
  return Number(database.value('SELECT max(number) FROM commits'));
}

function bytesOf(database: IndexDatabase): number {
  return Number(database.value('PRAGMA page_count')) * Number(database.value('PRAGMA page_size'));
}
