import { WikiError } from '../contract/errors.ts';
import { commitNotFound } from '../core/commit-info.ts';
import type {
  Change,
  Maintenance,
  Repository,
  RepositoryDescription,
  Snapshot,
  Written,
} from '../core/ports.ts';
import type { KeptRemote } from '../core/remote-port.ts';
import type { Oid } from '../formats/oid.ts';
import type { CommitOutcome, Transaction } from '../storage/storage.ts';
import { writeFiles } from './change/change.ts';
import { writeCommit } from './change/commit-builder.ts';
import { commitInfo, walkHistory } from './history/read-history.ts';
import { resolveCommit } from './history/resolve-commit.ts';
import { everyFileChange } from './history/tree-difference.ts';
import { bundleTooLarge, makeBundle } from './make-bundle.ts';
import { settledTrailer } from './merging/conflict-trailers.ts';
import { mergeBases } from './merging/merge-bases.ts';
import { mergeCommits } from './merging/merge-commits.ts';
import { Objects } from './objects.ts';
import { indexPush } from './received/push/index-push.ts';
import { type KeptList, readOnlyList } from './sending/kept-list.ts';
import { type OpenSending, openSending } from './sending/open-sending.ts';
import { snapshotOf } from './snapshot.ts';
import { type RepositoryStorage, withWikiErrors } from './storage-failures.ts';

export interface RepositoryOptions {
  name: string;
  storage: RepositoryStorage;
  /** Refuses every write. */
  readOnly: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  describe(): Promise<RepositoryDescription>;
  remote: KeptRemote;
  cloneList: KeptList;
}

/** One wiki's repository over its storage. Every method throws WikiError. */
export function openRepository(options: RepositoryOptions): Repository {
  const { name, storage, readOnly, now, describe, remote, cloneList } = options;
  const guarded = withWikiErrors(storage);
  const objects = new Objects(guarded, CACHE_BYTES);
  const sending = openSending(guarded, readOnly ? readOnlyList(cloneList) : cloneList);

  async function find(commit: Oid) {
    const found = await objects.findCommit(commit);
    if (found === null) throw commitNotFound(commit);
    return found;
  }

  async function everyChange(from: Oid | null, to: Oid) {
    const [before, after] = [from === null ? null : await find(from), await find(to)];
    return everyFileChange(objects, before?.tree ?? null, after.tree);
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
    changes: async (from, to) => (await everyChange(from, to)).files,
    everyChange,
    visibleChanges: async (from, to) => ({ files: (await everyChange(from, to)).files, leavesOut: false }),
    async *log(from) {
      await find(from);
      yield* walkHistory(objects, from);
    },
    mergeBase: async (one, other) => (await mergeBases(objects, one, other))[0] ?? null,
    readMuch: (work) => guarded.readMuch(work),
    bundle: async (commit, call, most) => {
      if (commit === null) throw nothingToBundle();
      await find(commit);
      // Packs store many objects as deltas, which a bundle stores whole.
      const packed = await guarded.packedBytes();
      if (packed > most) throw bundleTooLarge(packed, most);
      return makeBundle(guarded, commit, storage.branch, call, most);
    },
    sending,
    write: async (change) => {
      if (readOnly) throw writesRefused();
      return write(guarded, objects, change, now);
    },
    receivePush: async (push) => {
      if (readOnly) throw writesRefused();
      const receive = () => indexPush(push, storage);
      return guarded.push({ from: push.from, to: push.to, signal: push.signal, receive });
    },
    remote: readOnly ? { ...remote, set: refuseWrite, keepReport: refuseWrite } : remote,
    mergeCommits: async (merge) => {
      if (readOnly) throw writesRefused();
      return mergeCommits({ storage: guarded, objects, stored: storage, now }, merge);
    },
    describe,
    maintenance: maintenanceOf(guarded, sending, readOnly),
  };
}

function maintenanceOf(storage: RepositoryStorage, sending: OpenSending, readOnly: boolean): Maintenance {
  return {
    tidy: async ({ signal, progress }) => {
      if (readOnly) throw writesRefused();
      const report = await storage.tidy(({ packs }) => {
        progress?.(0, 0, `${packs} packs are left`);
        return !signal?.aborted;
      });
      await sending.prepareClone({ signal });
      return report;
    },
    // A read-only wiki cannot save the progress of a check.
    check: async (limits) =>
      readOnly ? { isFinished: true, report: await storage.check() } : storage.checkInSteps(limits),
    repair: async (limits) => {
      if (readOnly) throw writesRefused();
      return storage.repairInSteps(limits);
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
    person: change.person,
    idIsNew: change.idIsNew,
    digest: change.digest,
    signal: change.signal,
    build: async (parent, transaction) =>
      build(objects, await snapshotOf(objects, parent), change, transaction, now()),
    linked: (commit, parent) => change.committed?.(commit, parent),
  });
  return writtenBy(outcome);
}

/** The commit of the change on `base`, or null if it changes nothing. */
async function build(
  objects: Objects,
  base: Snapshot,
  change: Change,
  transaction: Transaction,
  now: number,
): Promise<Oid | null> {
  const { message, files, keeps } = await change.apply(base);
  if (files.length === 0 && keeps === undefined) return null;
  const parent = base.commit;
  const before = parent === null ? null : (await objects.commit(parent)).tree;
  const tree = await writeFiles(objects, before, files, transaction);
  if (tree === before && keeps === undefined) return null;
  const { author, agent } = change;
  const trailers = keeps === undefined ? [] : [settledTrailer(keeps)];
  return writeCommit(objects, transaction, { parent, tree, author, agent, message, trailers, now });
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
    atTerminal: 'Import or write a page first.',
  });
}

async function refuseWrite(): Promise<never> {
  throw writesRefused();
}

/** The error for a write to a read-only wiki. */
export function writesRefused(): WikiError {
  return new WikiError('forbidden', {
    happened: 'This wiki is served for reading only.',
    now: 'Nothing was written.',
    next: 'Tell the person who runs the wiki if it is to be changed from here.',
    atTerminal: 'Use a server that may write.',
  });
}

/** The memory for parsed commits and trees: all folders of a wiki of some 30,000 pages. */
const CACHE_BYTES = 8_000_000;
