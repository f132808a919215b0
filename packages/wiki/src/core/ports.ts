import type { Oid } from '../contract/ids.ts';
import type { Author, Call } from '../contract/wiki.ts';
import type { StepLimits, Stepwise } from '../scheduling/stepwise.ts';
import type { CommitInfo, LoggedCommit } from './commit-info.ts';
import type { KeptRemote } from './remote-port.ts';
import type { Merge, MergeResult, Push, PushResult, Sending } from './transport-port.ts';

/**
 * The interfaces that core needs from outside. Paths here are tree paths (`Guides/Getting Started.md`), as
 * git stores them; page paths (without `.md`) exist only in core. All methods throw WikiError.
 */

/** One wiki's repository: snapshots to read, changes to land. */
export interface Repository {
  readonly name: string;
  readonly branch: string;
  /** The state of the newest commit: includes every write acknowledged, to anyone, before the call began. */
  head(): Promise<Snapshot>;
  /** The state of a commit, given its full id. Throws `not_found` if there is none. */
  at(commit: Oid): Promise<Snapshot>;
  /**
   * The commit for a full id or a unique prefix. Throws `not_found`, or `invalid_input` if the prefix is
   * ambiguous.
   */
  resolveCommit(prefix: string): Promise<Oid>;
  commit(commit: Oid): Promise<CommitInfo>;
  /** The files that differ between two commits, in path order. `from` null stands for the empty tree. */
  changes(from: Oid | null, to: Oid): Promise<FileChange[]>;
  /**
   * The same, with the paths of other items that differ: quarantined files, symbolic links and submodules. Nobody may see
   * these, but a commit's message may name them.
   */
  everyChange(from: Oid | null, to: Oid): Promise<{ files: FileChange[]; others: string[] }>;
  /**
   * The files that differ, of those that the caller may see, and `leavesOut` if there are others: unlike `changes`, refuses
   * nothing.
   */
  visibleChanges(from: Oid | null, to: Oid): Promise<{ files: FileChange[]; leavesOut: boolean }>;
  /** `from` and all its ancestors in the order of `git log`: newest first, each once. Reads lazily. */
  log(from: Oid): AsyncIterable<LoggedCommit>;
  /** The newest common ancestor of two commits; null if their histories never meet. */
  mergeBase(one: Oid, other: Oid): Promise<Oid | null>;
  /** Runs work that reads most of the history: until it ends, more objects are kept in memory. */
  readMuch<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * A git bundle of a commit with its whole history, which native git can clone; `invalid_input` for null.
   * Throws `too_large` if it would exceed `most` bytes, before reading anything if the packs' sizes show it.
   */
  bundle(commit: Oid | null, call: Pick<Call, 'signal' | 'progress'>, most: number): Promise<Uint8Array>;
  /** Gives refs and objects to git's clients. */
  readonly sending: Sending;
  /** The repository elsewhere with which the wiki is kept in sync. */
  readonly remote: KeptRemote;
  /** Lands a change exactly once, on the newest commit, no matter who writes at the same time. */
  write(change: Change): Promise<Written>;
  /**
   * Lands commits under their own ids, exactly as they are, if the head is still `from`. Throws `version_conflict` if
   * `to` does not descend from it, and `invalid_input` if git would refuse them.
   */
  receivePush(push: Push): Promise<PushResult>;
  /**
   * Merges a commit of another repository into the branch, once. Throws `invalid_input` if git would refuse what it
   * brings.
   */
  mergeCommits(merge: Merge): Promise<MergeResult>;
  /** For wiki_status: faults of the setup, in plain words, and how to clone. */
  describe(): Promise<RepositoryDescription>;
  readonly maintenance: Maintenance;
}

/** Keeps a repository small and sound. */
export interface Maintenance {
  /** Runs beside readers and writers. May be ended at any point. */
  tidy(call: Pick<Call, 'signal' | 'progress'>): Promise<{
    packsBefore: number;
    packs: number;
    garbagePacksRemoved: number;
    requestsForgotten: number;
    temporaryFilesDeleted: number;
    /** Packs that still wait to be merged, and their bytes: 0 if the time sufficed. */
    debtPacks: number;
    debtBytes: number;
  }>;
  /** Reads every object of the history once. */
  check(limits: StepLimits): Promise<
    Stepwise<{
      commits: number;
      problems: readonly { text: string; path: string | null; commit: Oid | null }[];
    }>
  >;
  /**
   * If commits were lost: makes a commit of everything that can be read, else null. Also repairs damage below
   * the commits.
   */
  repair(limits: StepLimits): Promise<
    Stepwise<{
      commit: Oid | null;
      lost: readonly { path: string; kept: 'older version' | 'nothing' }[];
      /** Commits of which nothing is left, not even which pages they changed. */
      lostCommits: readonly Oid[];
      packsReplaced: number;
      orderRestored: boolean;
    }>
  >;
}

/** The tree of one commit. For the empty wiki, `commit` is null and there are no entries. */
export interface Snapshot {
  readonly commit: Oid | null;
  /** A file by its exact tree path, or null. */
  entry(path: string): Promise<TreeEntry | null>;
  /** Entries of the folder itself, in git's order; null if it is not a folder. `''` is the root. */
  folder(path: string): Promise<FolderEntry[] | null>;
  /** Every file below a folder (`''` for all), in git's order. Submodules and symbolic links are not files. */
  files(folder?: string): AsyncIterable<TreeEntry>;
  /**
   * The paths of files and folders that are shown to nobody: see hostile-path.ts. The contents of such a
   * folder are not named.
   */
  quarantined(): AsyncIterable<string>;
  /**
   * A blob's content, including one of another commit. Throws `not_found` if the repository has no such blob.
   */
  blob(oid: Oid): Promise<Uint8Array>;
  /** The length of the content of one of its own files, which need not be read for it. */
  size(oid: Oid): Promise<number>;
  /** The first bytes of such a file, at most `most`. The rest need not be read for them. */
  beginning(oid: Oid, most: number): Promise<Uint8Array>;
}

export interface TreeEntry {
  path: string;
  oid: Oid;
  mode: FileMode;
}

/** `100644` a file, `100755` an executable one. */
export type FileMode = '100644' | '100755';

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder' | 'symlink' | 'submodule';
  oid: Oid;
}

export interface FileChange {
  path: string;
  before: TreeEntry | null;
  after: TreeEntry | null;
}

/** A change as a function of the tree it finds, so that it can be applied again on a newer commit. */
export interface Change {
  requestId: string;
  /** The person whose id it is, if the host knows: the same id of another person is another request. */
  person?: string | undefined;
  /** True if only this call knows the id, so that no other can have used it. */
  idIsNew: boolean;
  /** A hash of operation and arguments: the same id with another digest is `invalid_input`. */
  digest: string;
  author: Author;
  agent: string | null;
  signal?: AbortSignal | undefined;
  /**
   * If it throws, the change ends unwritten. No files: nothing to change. With `keeps`, the tree path of a page that
   * stays as it is in spite of a conflict, there is a commit all the same.
   */
  apply(base: Snapshot): Promise<{ message: string; files: FileWrite[]; keeps?: string | undefined }>;
  /**
   * Called when the change is committed, while the commit is made durable, so that the answer can be prepared
   * in that time. The answer must not leave the process before `write` has returned.
   */
  committed?(commit: Oid, parent: Oid | null): void;
}

/**
 * New content whose oid is known and which is read only when it is stored, so that a change is never in
 * memory whole.
 */
export interface LargeContent {
  oid: Oid;
  length: number;
  read(): Promise<Uint8Array>;
}

/** New content at a path, an existing blob at a path, or a path removed. */
export type FileWrite =
  | { path: string; content: Uint8Array; mode?: FileMode }
  | ({ path: string; mode?: FileMode } & LargeContent)
  | { path: string; oid: Oid; mode: FileMode }
  | { path: string; remove: true };

export type Written =
  /**
   * `commit` holds the change; `parent` is the commit to which it was applied. `repeated`: an earlier call of
   * this request made it.
   */
  | { kind: 'committed' | 'repeated'; commit: Oid; parent: Oid | null }
  | { kind: 'unchanged'; head: Oid | null };

export interface RepositoryDescription {
  /** The command that clones the wiki; null if nobody here can clone it. */
  clone: string | null;
  readOnly: boolean;
  problems: string[];
}
