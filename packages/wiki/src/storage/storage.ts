/** A git object id: 40 lower-case hexadecimal digits. */
export type Oid = string;

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

export interface GitObject {
  type: ObjectType;
  content: Uint8Array;
}

/** Where objects are read from. */
export interface ObjectReader {
  /** Throws StorageError `missing_object` or `corrupt_object`. */
  read(oid: Oid): Promise<GitObject>;
}

/** One bare repository as the wiki stores it: objects, and one branch that only moves forward. */
export interface Storage extends ObjectReader {
  /** The branch that HEAD names, such as `main`. */
  readonly branch: string;
  /**
   * The newest commit of the branch, null while there is none. A call that starts after a write was
   * acknowledged to any client returns that write's commit or a later one. Locally also what native git
   * committed or pushed, which is taken into the wiki on this occasion.
   */
  head(): Promise<Oid | null>;
  /** Runs work that reads most of the history: until it ends, more of what is read is kept in memory. */
  readMuch<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Every oid of a stored object that begins with `prefix` (4 to 40 digits), at most `limit`. */
  expand(prefix: string, limit: number): Promise<Oid[]>;
  /** Lands one change exactly once, or throws; see CommitRequest and CommitOutcome. */
  commit(request: CommitRequest): Promise<CommitOutcome>;
  /**
   * Finishes what acknowledged writes of this process left for later: above all the branch ref, for native
   * git. Nothing is lost without it. Throws why it cannot, such as `busy` while git holds the branch's lock.
   */
  settle(): Promise<void>;
  /**
   * Tidies up, beside readers and writers and other processes that do the same, and may stop at any point: makes
   * few packs of many, deletes what attempts left that came to nothing, forgets requests that are too old to be
   * repeated. `goOn` is asked before each longer step, with what is done so far.
   */
  maintain(goOn?: (report: MaintenanceReport) => boolean): Promise<MaintenanceReport>;
  /** Reads every pack, commit, page and folder of the branch's history, and says what is wrong. Changes nothing. */
  check(): Promise<CheckReport>;
  /**
   * Puts right what is damaged, out of what can be read. Where commits are missing or damaged, which stops every
   * write, it makes a commit of all that can be read, after which the wiki can be written again. Damaged packs are
   * set aside and nothing is deleted. Where all is well it does nothing.
   */
  repair(): Promise<RepairReport>;
  /** Settles as far as it can, and closes every file. The storage is not to be used after it. */
  close(): Promise<void>;
}

export interface CommitRequest {
  /** Names this request for ever: the same id is never applied twice, from whichever process it comes. */
  requestId: string;
  /** Of what the request asks for: the same id with another digest throws `request_reused`. */
  digest: string;
  /** This process has just made the id, for this one call: so nobody used it, and it is not looked up. */
  idIsNew?: boolean;
  /** Ends the attempts with `busy`, nothing written, unless the commit is linked already. */
  signal?: AbortSignal | undefined;
  /**
   * Builds the change on `base` and returns its commit, whose message ends with the transaction's trailers,
   * or null where there is nothing to change. Called again on a newer base when another writer came first;
   * what it throws ends the request unwritten, unless an earlier call carried the request out.
   */
  build(base: Oid | null, transaction: Transaction): Promise<Oid | null>;
  /**
   * Told when the commit is linked on `parent`, while it is made durable: to work out an answer in that time. Nobody
   * may be told of it before `commit` has returned.
   */
  linked?(commit: Oid, parent: Oid | null): void;
}

/** Gathers the objects of one attempt, which land together as one pack. */
export interface Transaction extends ObjectReader {
  /** The last lines of the attempt's commit message, in this order: request id, digest, a fresh nonce. */
  readonly trailers: readonly string[];
  /**
   * Adds an object that is new relative to the base and returns its oid. Whoever builds omits only what the
   * base reaches; an object is never left out because the store happens to have it.
   */
  write(type: ObjectType, content: Uint8Array): Promise<Oid>;
}

/** What a maintenance did, and what is left. */
export interface MaintenanceReport {
  /** Packs that may be merged, before and now. */
  packsBefore: number;
  packs: number;
  /** Of attempts that were never linked; beside native git they are only left to it. */
  garbagePacksRemoved: number;
  requestsForgotten: number;
  temporaryFilesDeleted: number;
}

export interface CheckReport {
  /** How many commits are complete, with their history. */
  commits: number;
  /** How many folders and pages were read. */
  objects: number;
  /** None where all is well. `path` and `commit` say where it was first met, null where that means nothing. */
  problems: readonly { text: string; path: string | null; commit: Oid | null }[];
}

export interface RepairReport {
  /** The commit that the repair made, null where there was nothing to repair. */
  commit: Oid | null;
  /** The last commit that is complete with its history: those after it are no longer in the history. */
  parent: Oid | null;
  /** The pages and folders whose newest version is lost, and what stands there now. */
  lost: readonly { path: string; kept: 'older version' | 'nothing' }[];
  /** Commits that are lost, with which pages they changed; the oldest first, what only the branch named last. */
  lostCommits: readonly Oid[];
  /** How many damaged packs were replaced by what could be read of them. */
  packsReplaced: number;
  /** Whether names of the chain were lost and have been made again. */
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
 * Native git moved the branch to `foreign` while the wiki went on to `tip`: returns a commit on `tip` alone
 * that brings what `foreign` changed, and keeps the page of `tip` where both changed it. Its message ends
 * with the transaction's trailers. It is made also where there is nothing to bring, to say so.
 */
export type MergeForeign = (tip: Oid, foreign: Oid, transaction: Transaction) => Promise<Oid>;
