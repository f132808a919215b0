import type { GitObject, ObjectType, Oid } from '../formats/oid.ts';
import type { PackBytes } from '../formats/packs/pack.ts';
import type { StepLimits, Stepwise } from '../scheduling/stepwise.ts';

/** A source of objects. */
export interface ObjectReader {
  /** Throws StorageError `missing_object` or `corrupt_object`. */
  read(oid: Oid): Promise<GitObject>;
  /** See Storage. Absent where nothing is cheaper than reading. */
  size?(oid: Oid): Promise<number>;
  beginning?(oid: Oid, most: number): Promise<Uint8Array>;
}

/** One bare repository as the wiki stores it: objects, and one branch that only moves forward. */
export interface Storage extends ObjectReader {
  /** The branch that HEAD names, such as `main`. */
  readonly branch: string;
  /**
   * The length of an object's content, which need not be read for it. So it is not verified. Throws as `read` does.
   */
  size(oid: Oid): Promise<number>;
  /** The first bytes of an object's content, at most `most`. They are not verified either. Throws as `read` does. */
  beginning(oid: Oid, most: number): Promise<Uint8Array>;
  /**
   * The newest commit of the branch, or null while there is none. A call that starts after a write was
   * acknowledged to any client returns that write's commit or a later one. On a local disk the call also
   * takes in the commits that native git made or pushed.
   */
  head(): Promise<Oid | null>;
  /** The branches and tags that native git sees, by full name. The branch of the wiki may lag behind `head`. */
  refs(): Promise<ReadonlyMap<string, Oid>>;
  /** Runs work that reads most of the history: until it ends, more objects are kept in memory. */
  readMuch<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Every oid of a stored object that begins with `prefix` (4 to 40 digits), at most `limit`. */
  expand(prefix: string, limit: number): Promise<Oid[]>;
  /** Lands one change exactly once, or throws; see CommitRequest and CommitOutcome. */
  commit(request: CommitRequest): Promise<CommitOutcome>;
  /** Lands commits that a client pushed, under their own oids; see PushRequest and PushOutcome. */
  push(request: PushRequest): Promise<PushOutcome>;
  /** Merges a commit from elsewhere into the branch, once; see MergeRequest and MergeOutcome. */
  merge(request: MergeRequest): Promise<MergeOutcome>;
  /**
   * Finishes the work that acknowledged writes of this process left for later, above all the branch ref for
   * native git. Nothing is lost without it. Throws the reason if it cannot, such as `busy` while git holds
   * the branch's lock.
   */
  settle(): Promise<void>;
  /** The large packs that are there now, whose entries can be copied into another pack. */
  packedEntries(): Promise<PackedEntries>;
  /** The total size of all packs in bytes. */
  packedBytes(): Promise<number>;
  /**
   * Tidies up: merges packs, deletes the leftovers of abandoned attempts, and forgets requests that are too
   * old to be repeated. Runs beside readers, writers and other processes that tidy, and may stop at any
   * point. Calls `goOn` before each longer step with the work done so far.
   */
  tidy(goOn?: (report: TidyReport) => boolean): Promise<TidyReport>;
  /**
   * Reads every pack, commit, page and folder of the branch's history and reports damage. Changes nothing.
   */
  check(): Promise<CheckReport>;
  /**
   * Repairs damage with what can be read. If commits are missing or damaged, which stops every write, makes a
   * commit of everything that can be read, after which the wiki can be written again. Sets damaged packs
   * aside and deletes nothing. Does nothing if all is well.
   */
  repair(): Promise<RepairReport>;
  /** The same two in calls of limited time. Each goes on where the last one stopped, in any process. */
  checkInSteps(limits: StepLimits): Promise<Stepwise<CheckReport>>;
  repairInSteps(limits: StepLimits): Promise<Stepwise<RepairReport>>;
  /** Settles as far as it can and closes every file. The storage must not be used afterwards. */
  close(): Promise<void>;
}

export interface CommitRequest {
  /** Names this request for ever: the same id of the same person is never applied twice, by any process. */
  requestId: string;
  /** The person whose id it is: that of another, or of nobody, is another request. */
  person?: string | undefined;
  /** A hash of the request's content: the same id with another digest throws `request_reused`. */
  digest: string;
  /**
   * True if this process has just made the id for this one call: nobody can have used it, so it is not looked
   * up.
   */
  idIsNew?: boolean;
  /** Ends the attempts with `busy`, nothing written, unless the commit is linked already. */
  signal?: AbortSignal | undefined;
  /**
   * Builds the change on `base` and returns its commit, whose message ends with the transaction's trailers,
   * or null if there is nothing to change. Called again on a newer base if another writer came first. An
   * error that it throws ends the request unwritten, unless an earlier call carried the request out.
   */
  build(base: Oid | null, transaction: Transaction): Promise<Oid | null>;
  /**
   * Called when the commit is linked on `parent`, while it is made durable, so that the caller can prepare
   * its answer in that time. The answer must not leave the process before `commit` has returned.
   */
  linked?(commit: Oid, parent: Oid | null): void;
}

/** An object as a pack stores it. */
export interface PackedEntry {
  /** Null for a delta. */
  type: ObjectType | null;
  /** The base of a delta. */
  base: Oid | null;
  /** The length of the content, or of the delta, once inflated. */
  size: number;
  compressed: Uint8Array;
}

/** The large packs of a repository at one moment, whose compressed objects are copied without being inflated. */
export interface PackedEntries {
  /** 40 hexadecimal digits, equal for equal packs in any process. */
  readonly packs: string;
  /**
   * The entries of objects, from the first on: as many as take `mostBytes` together, and at least one. Null for an object
   * that is in no large pack. Of several packs that have an object and its base the same one counts for both. Objects
   * are not verified: git does that by their oid when it unpacks them. Null as a whole if a pack is gone since.
   */
  read(oids: readonly Oid[], mostBytes: number): Promise<(PackedEntry | 'damaged' | null)[] | null>;
  /**
   * Reads the objects themselves, for a walk through most of the history; not verified by their oid either. Null for an
   * object that has to be read from the storage. Keeps up to 40 MB in memory.
   */
  objects(): { read(oid: Oid): Promise<GitObject | null> };
}

/** A fast-forward of the branch by commits from elsewhere. Their messages prove nothing about requests. */
export interface PushRequest {
  /** The head onto which the client pushes; null for an empty wiki. */
  from: Oid | null;
  /** Descends from `from`. */
  to: Oid;
  signal?: AbortSignal | undefined;
  /**
   * Judges the push and makes its pack. Called once, if the head is still `from`. An error that it throws ends the
   * push unwritten.
   */
  receive(): Promise<ReceivedPush>;
}

export interface ReceivedPush {
  /** Self-contained. Holds everything that `to` reaches and `from` does not. */
  pack: PackBytes;
  /** Every commit that `to` reaches and `from` does not. */
  commits: readonly PushedCommit[];
}

export interface PushedCommit {
  oid: Oid;
  content: Uint8Array;
}

export type PushOutcome =
  /** This call made `to` the head. */
  | { kind: 'landed' }
  /** An earlier push made `to` the successor of `from`, or one of several did. */
  | { kind: 'repeated' }
  /** The head is no longer `from`. Nothing was written. */
  | { kind: 'moved'; head: Oid | null };

/** The prefix of the request ids of merges. No caller may use such an id. */
export const MERGE_REQUEST = 'merged-commit-';

/** The merge of a commit from elsewhere. The messages of the commits that it brings prove nothing about requests. */
export interface MergeRequest {
  foreign: Oid;
  signal?: AbortSignal | undefined;
  /**
   * Judges what `foreign` brings that `head` does not reach, and makes its pack. An error that it throws ends the
   * merge unwritten. `descends`: `foreign` descends from `head`.
   */
  receive(head: Oid | null): Promise<ReceivedPush & { descends: boolean }>;
  /**
   * Builds the merge commit on `base`, as `build` of a CommitRequest does. Its second parent is `foreign`. All objects
   * that `foreign` reaches are there, and need not be added.
   */
  build(base: Oid, transaction: Transaction): Promise<Oid>;
}

export type MergeOutcome =
  /** The branch had it already. `commit` is the head. */
  | { kind: 'contained'; commit: Oid }
  /** The branch moved to the commit itself. */
  | { kind: 'fast_forward'; commit: Oid }
  /** `commit` is the merge commit. An earlier call may have made it. */
  | { kind: 'merged'; commit: Oid };

/** Runs a phase of the work, and may record how long it took. */
export type Trace = <T>(phase: string, work: () => Promise<T>) => Promise<T>;

/** Gathers the objects of one attempt, which land together as one pack. */
export interface Transaction extends ObjectReader {
  /** The last lines of the attempt's commit message, in this order: request id, digest, a fresh nonce. */
  readonly trailers: readonly string[];
  /**
   * Adds an object that is new relative to the base and returns its oid. The caller may omit only objects
   * that the base reaches. An object is never left out because the store happens to have it.
   */
  write(type: ObjectType, content: Uint8Array): Promise<Oid>;
  /**
   * Does the same for a file that is read only when the pack is made, so that it is never in memory whole.
   */
  writeLater(blob: LaterBlob): Promise<Oid>;
}

/** A file whose oid is known before its content is read. `read` may be called several times. */
export interface LaterBlob {
  oid: Oid;
  length: number;
  read(): Promise<Uint8Array>;
}

/** The work that a tidying did, and what is left. */
export interface TidyReport {
  /** Packs that may be merged, before and now. */
  packsBefore: number;
  packs: number;
  /** Packs of attempts that were never linked. Beside native git they are only left to it. */
  garbagePacksRemoved: number;
  requestsForgotten: number;
  temporaryFilesDeleted: number;
  /** Packs that still wait to be merged, and their bytes: 0 if the time sufficed. */
  debtPacks: number;
  debtBytes: number;
}

/** A sentence that says why git would refuse an existing object, or null if it would not. `path` is bytes. */
export type JudgeObject = (oid: Oid, object: GitObject, path: string) => string | null;

export interface CheckReport {
  /** The number of commits that are complete, with their history. */
  commits: number;
  /** The number of folders and pages that were read. */
  objects: number;
  /**
   * Empty if all is well. `path` and `commit` say where the problem was first met; null if that means
   * nothing.
   */
  problems: readonly { text: string; path: string | null; commit: Oid | null }[];
}

export interface RepairReport {
  /** The commit that the repair made, or null if there was nothing to repair. */
  commit: Oid | null;
  /** The last commit that is complete with its history. Later ones are no longer in the history. */
  parent: Oid | null;
  /** The pages and folders whose newest version is lost, and what the repair put there. */
  lost: readonly { path: string; kept: 'older version' | 'nothing' }[];
  /**
   * Lost commits, oldest first; those that only the branch named come last. Nobody knows any more which pages
   * they changed.
   */
  lostCommits: readonly Oid[];
  /** The number of damaged packs that were replaced by what could be read of them. */
  packsReplaced: number;
  /** True if names of the chain were lost and have been restored. */
  orderRestored: boolean;
}

export type CommitOutcome =
  /** This call made `commit`, whose first parent is `parent`, after `replays` other writers came first. */
  | { kind: 'committed'; commit: Oid; parent: Oid | null; replays: number }
  /** An earlier call with the same request id made `commit`. */
  | { kind: 'repeated'; commit: Oid; parent: Oid | null }
  /** `build` found nothing to change at `head`. */
  | { kind: 'unchanged'; head: Oid | null };

/**
 * Handles a fork: native git moved the branch to `foreign` while the wiki went on to `tip`. Returns a commit
 * on `tip` alone that brings in the changes of `foreign`, and keeps the page of `tip` if both changed it. Its
 * message ends with the transaction's trailers. The commit is made even if it brings nothing, to record that.
 */
export type MergeForeign = (tip: Oid, foreign: Oid, transaction: Transaction) => Promise<Oid>;
