import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WikiError } from '../../contract/errors.ts';
import type { Oid } from '../../contract/ids.ts';
import type { IndexDatabase } from './index-database.ts';
import { countDone, stateCommit, unfinishedCommit } from './index-state.ts';
import { countPages } from './query-pages.ts';
import { indexFormat } from './schema.ts';
import type { Snapshot, SnapshotKind, Snapshots } from './snapshots.ts';
import { isSqliteFailure, unlessFailed } from './unless-failed.ts';
import {
  makePrivate,
  openInMemory,
  openWorkingCopy,
  type WorkingCopiesOptions,
  type WorkingCopy,
} from './working-copy.ts';

/** The source of working copies, with callbacks for their life. */
export interface CopySource {
  /**
   * Starts from a snapshot if there is one; else from an unfinished build whose commit is reachable; else empty. If
   * `attempt` shows that an index failed before, takes no snapshot that was taken before.
   */
  begin(attempt: number, isReachable: (commit: Oid) => Promise<boolean>): Promise<WorkingCopy>;
  /** The same if the index that was begun with turned out to be of another history. */
  beginOnBranch(isReachable: (commit: Oid) => Promise<boolean>): Promise<WorkingCopy>;
  /** The work, in milliseconds, after which a build has a piece that can be kept. */
  pieceMs: number;
  /** The longest catch-up, in milliseconds of work: a longer one would end with its call again and again. */
  mostCatchUpMs: number;
  /**
   * Called between the pieces of a build, and before a copy is closed (`isLast`): saves what an unfinished build has
   * done if enough is new. The copy does not change until this is done. Throws only defects.
   */
  keep(copy: WorkingCopy, options: { isLast: boolean }): Promise<void>;
  /** Called at the end of a build, before any answer: saves the index if the build was long. */
  built(copy: WorkingCopy): Promise<void>;
  /**
   * Called when the copy is at a newer commit. The copy does not change until this is done. Throws only
   * defects.
   */
  advanced(copy: WorkingCopy): Promise<void>;
  /** Makes a snapshot of the copy, unless one of its commit exists. Returns false if it cannot. */
  save(copy: WorkingCopy): Promise<boolean>;
  /** True if SQLite itself failed, so that a rebuilt index may do better. */
  isFailure(error: unknown): boolean;
}

export interface CopySourceOptions extends WorkingCopiesOptions {
  snapshots: Snapshots;
  /** Snapshots are read and never written. */
  readOnly: boolean;
  /** Called with the current size of the working copy in bytes. */
  took(bytes: number): void;
  /** The work, in milliseconds, after which an unfinished build is saved. */
  keepEveryMs?: number | undefined;
  /** True if no call ends before its work does: then a catch-up may take as long as it needs. */
  isPatient?: boolean | undefined;
}

/**
 * Makes working copies from the snapshots beside the wiki, and adds a snapshot when the newest has become
 * old.
 */
export function copySource(options: CopySourceOptions): CopySource {
  const { directory, sqlite, randomName, snapshots, readOnly, took } = options;
  const { keepEveryMs = KEEP_EVERY_MS, isPatient = false } = options;
  /** The height of the newest existing snapshot, in commits. */
  let saved = 0;
  /** The names of the snapshots that were tried or that were no use when the build began. */
  const passed = new Set<string>();
  /** Set while a build is unfinished: when it was last saved, and the milliseconds that this took. */
  let kept = { atMs: 0, tookMs: 0, times: 0 };

  async function beginEmpty(): Promise<WorkingCopy> {
    const copy = await unlessFailed(() => openWorkingCopy(options, null));
    // Without a writable disk, memory serves.
    return copy ?? openInMemory(options);
  }

  /** The most complete snapshot that can be read, of those that were not passed over before. */
  async function beginFromSnapshot(
    kind: SnapshotKind,
    isUsable: (commit: Oid) => Promise<boolean> | boolean,
  ): Promise<WorkingCopy | null> {
    for (const snapshot of (await snapshots.list(kind)).slice(0, mostTried)) {
      if (passed.has(snapshot.name) || !(await isUsable(snapshot.commit))) continue;
      passed.add(snapshot.name);
      const copy = await openWorkingCopy(options, (file) => snapshots.load(snapshot, file));
      if (copy === null || !(await isOf(snapshot, kind, copy))) continue;
      if (kind === 'whole') saved = snapshot.position;
      else kept.times = 1;
      return copy;
    }
    return null;
  }

  /** A build begins from `found`, or from nothing. */
  async function beginBuild(found: WorkingCopy | null, beganMs: number): Promise<WorkingCopy> {
    for (const { name } of (await unlessFailed(() => snapshots.list('whole'))) ?? []) passed.add(name);
    kept = { ...kept, atMs: performance.now(), tookMs: performance.now() - beganMs };
    return found ?? beginEmpty();
  }

  async function write(
    { database }: WorkingCopy,
    saving: Pick<Snapshot, 'commit' | 'position'>,
    kind: SnapshotKind,
  ): Promise<void> {
    const file = join(directory, `${randomName()}.snapshot`);
    try {
      await makePrivate(file);
      await sqlite.backup(database.sqlite, file, { rate: pagesInOneGo });
      await snapshots.save(file, saving, kind);
    } finally {
      await rm(file, { force: true });
    }
  }

  async function writeWhole(copy: WorkingCopy): Promise<void> {
    const commit = stateCommit(copy.database);
    if (commit === null) return;
    const position = positionOf(copy.database);
    try {
      await write(copy, { commit, position }, 'whole');
    } finally {
      saved = position;
    }
  }

  async function writeIfDue(copy: WorkingCopy): Promise<void> {
    const position = positionOf(copy.database);
    if (!isDue(copy.database, position, saved)) return;
    const [newest] = await snapshots.list('whole');
    saved = newest?.position ?? 0;
    if (isDue(copy.database, position, saved)) await writeWhole(copy);
  }

  async function writeUnfinished(copy: WorkingCopy): Promise<void> {
    const commit = unfinishedCommit(copy.database);
    if (commit === null) return;
    // Another process may have come to the end meanwhile.
    const isWanted = (await snapshots.list('whole')).every(({ name }) => passed.has(name));
    if (!isWanted) return;
    const position = countDone(copy.database);
    await write(copy, { commit, position }, 'unfinished');
  }

  return {
    async begin(attempt, isReachable) {
      if (attempt > 1) return openInMemory(options);
      const beganMs = performance.now();
      if (attempt === 0) {
        passed.clear();
        // A snapshot that cannot be read counts as missing.
        const whole = await unlessFailed(() => beginFromSnapshot('whole', () => true));
        if (whole !== null) return whole;
      }
      kept.times = 0;
      return beginBuild(await unlessFailed(() => beginFromSnapshot('unfinished', isReachable)), beganMs);
    },

    async beginOnBranch(isReachable) {
      const beganMs = performance.now();
      const whole = await unlessFailed(() => beginFromSnapshot('whole', isReachable));
      if (whole !== null) return whole;
      kept.times = 0;
      return beginBuild(await unlessFailed(() => beginFromSnapshot('unfinished', isReachable)), beganMs);
    },

    pieceMs: Math.min(PIECE_MS, keepEveryMs),
    // A reader cannot save what it builds.
    mostCatchUpMs: readOnly || isPatient ? Number.POSITIVE_INFINITY : CATCH_UP_SHARE * keepEveryMs,

    async keep(copy, { isLast }) {
      if (!isLast) took(copy.database.bytes);
      const sinceMs = performance.now() - kept.atMs;
      const dueMs = Math.min(Math.max(keepEveryMs, WORK_FOR_SAVING * kept.tookMs), MAX_DELAY * keepEveryMs);
      if (readOnly || sinceMs < (isLast ? dueMs / WORK_FOR_SAVING : dueMs)) return;
      const beganMs = performance.now();
      await unlessFailed(() => writeUnfinished(copy));
      const atMs = performance.now();
      kept = { atMs, tookMs: atMs - beganMs, times: kept.times + 1 };
    },

    async built(copy) {
      if (readOnly || kept.times === 0) return;
      await unlessFailed(() => writeWhole(copy));
    },

    async advanced(copy) {
      took(copy.database.bytes);
      // A snapshot only spares others work: if it cannot be written, they build their own index.
      if (!readOnly) await unlessFailed(() => writeIfDue(copy));
    },

    async save(copy) {
      if (readOnly) return false;
      const commit = stateCommit(copy.database);
      try {
        const isThere = (await snapshots.list('whole')).some((snapshot) => snapshot.commit === commit);
        if (isThere) await snapshots.removeUnfinished();
        else await writeWhole(copy);
      } catch (error) {
        throw notSaved(error);
      }
      return true;
    },

    isFailure: isSqliteFailure,
  };
}

/** True if the copy is the snapshot whose name it has; closes it if it is not, or cannot be read. */
async function isOf(
  { commit }: Snapshot,
  kind: SnapshotKind,
  { database, close }: WorkingCopy,
): Promise<boolean> {
  const commitOf = { whole: stateCommit, unfinished: unfinishedCommit }[kind];
  let isUsed = false;
  try {
    isUsed = database.format === indexFormat && commitOf(database) === commit;
  } finally {
    if (!isUsed) await close();
  }
  return isUsed;
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
/** Long enough that FTS5 merges little more than in a build without pieces. */
const PIECE_MS = 1_000;
/** A call on AWS that takes 30 s saves several times; a build on a laptop hardly ever. */
const KEEP_EVERY_MS = 4_000;
/** Four of the times between two saves are half of a call on AWS. */
const CATCH_UP_SHARE = 4;
/** Before a build saves again, it works this many times as long as saving took. */
const WORK_FOR_SAVING = 4;
/** But no longer than this many times as usual: it may have to save before its call ends. */
const MAX_DELAY = 3;
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
