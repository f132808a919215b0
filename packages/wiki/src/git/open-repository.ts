import { WikiError } from '../contract/errors.ts';
import type {
  Change,
  Maintenance,
  Repository,
  RepositoryDescription,
  Snapshot,
  Written,
} from '../core/ports.ts';
import type { CommitOutcome, Oid, Transaction } from '../storage/storage.ts';
import { makeBundle } from './bundle.ts';
import { writeFiles } from './change.ts';
import { writeCommit } from './commit-builder.ts';
import { commitInfo, walkHistory } from './history.ts';
import { Objects } from './objects.ts';
import { resolveCommit } from './resolve-commit.ts';
import { commitNotFound, snapshotOf } from './snapshot.ts';
import { type RepositoryStorage, withWikiErrors } from './storage-failures.ts';
import { fileChanges } from './tree-difference.ts';

export interface RepositoryOptions {
  name: string;
  storage: RepositoryStorage;
  /** Refuses every write. */
  readOnly: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  describe(): Promise<RepositoryDescription>;
}

/** One wiki's repository over its storage. Every method throws WikiError. */
export function openRepository(options: RepositoryOptions): Repository {
  const { name, storage, readOnly, now, describe } = options;
  const guarded = withWikiErrors(storage);
  const objects = new Objects(guarded, CACHE_BYTES);

  async function find(commit: Oid) {
    const found = await objects.findCommit(commit);
    if (found === null) throw commitNotFound(commit);
    return found;
  }

  return {
    name,
    branch: storage.branch,
    head: async () => snapshotOf(objects, await guarded.head()),
    at: async (commit) => {
      await find(commit);
      return snapshotOf(objects, commit);
    },
    resolveCommit: (prefix) => resolveCommit(objects, guarded, prefix),
    commit: async (commit) => commitInfo(commit, await find(commit)),
    changes: async (from, to) => {
      const [before, after] = [from === null ? null : await find(from), await find(to)];
      return fileChanges(objects, before?.tree ?? null, after.tree);
    },
    async *log(from) {
      await find(from);
      yield* walkHistory(objects, from);
    },
    readMuch: (work) => guarded.readMuch(work),
    bundle: async (commit, call) => {
      if (commit === null) throw nothingToBundle();
      await find(commit);
      return makeBundle(guarded, commit, storage.branch, call);
    },
    write: async (change) => {
      if (readOnly) throw writesRefused();
      return write(guarded, objects, change, now);
    },
    describe,
    maintenance: maintenanceOf(guarded, readOnly),
  };
}

function maintenanceOf(storage: RepositoryStorage, readOnly: boolean): Maintenance {
  return {
    tidy: async ({ signal, progress }) => {
      if (readOnly) throw writesRefused();
      return storage.maintain(({ packs }) => {
        progress?.(0, 0, `${packs} packs are left`);
        return !signal?.aborted;
      });
    },
    check: () => storage.check(),
    repair: async () => {
      if (readOnly) throw writesRefused();
      return storage.repair();
    },
  };
}

async function write(
  storage: RepositoryStorage,
  objects: Objects,
  change: Change,
  now: () => number,
): Promise<Written> {
  const outcome = await storage.commit({
    requestId: change.requestId,
    idIsNew: change.idIsNew,
    digest: change.digest,
    signal: change.signal,
    build: async (parent, transaction) =>
      build(objects, await snapshotOf(objects, parent), change, transaction, now()),
    linked: (commit, parent) => change.committed?.(commit, parent),
  });
  return writtenBy(outcome);
}

/** The commit that holds the change on `base`, or null where nothing comes out different. */
async function build(
  objects: Objects,
  base: Snapshot,
  change: Change,
  transaction: Transaction,
  now: number,
): Promise<Oid | null> {
  const { message, files } = await change.apply(base);
  if (files.length === 0) return null;
  const parent = base.commit;
  const before = parent === null ? null : (await objects.commit(parent)).tree;
  const tree = await writeFiles(objects, before, files, transaction);
  if (tree === before) return null;
  const { author, agent } = change;
  return writeCommit(objects, transaction, { parent, tree, author, agent, message, now });
}

function writtenBy(outcome: CommitOutcome): Written {
  if (outcome.kind === 'unchanged') return outcome;
  const { kind, commit, parent } = outcome;
  return { kind, commit, parent };
}

function nothingToBundle(): WikiError {
  return new WikiError('invalid_input', {
    happened: 'The wiki has no commit yet.',
    now: 'Nothing was exported.',
    next: 'Write a page first.',
  });
}

/** What a wiki that is served for reading only answers to whoever would change it. */
export function writesRefused(): WikiError {
  return new WikiError('forbidden', {
    happened: 'This wiki is served for reading only.',
    now: 'Nothing was written.',
    next: 'Tell the person who runs the wiki if it is to be changed from here.',
  });
}

/** What parsed commits and trees may take in memory: all folders of a wiki of some 30,000 pages. */
const CACHE_BYTES = 8_000_000;
