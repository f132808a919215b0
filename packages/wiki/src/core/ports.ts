import type { Oid } from '../contract/ids.ts';
import type { Author, Call } from '../contract/wiki.ts';
import type { Index } from './index-port.ts';

/**
 * What core asks of the world. Paths here are tree paths (`Guides/Getting Started.md`), as git stores them;
 * page paths (without `.md`) are core's own matter. All methods throw WikiError.
 */

/** The wikis that one backend serves. */
export interface WikiDirectory {
  names(): Promise<string[]>;
  /**
   * Makes a wiki, which `fill` writes into before anybody else can see it; where `fill` throws, there is none.
   * False: there is one of this name already, or one was made at the same time.
   */
  create(name: string, fill: (made: Repository) => Promise<void>): Promise<boolean>;
  /**
   * Makes a wiki of a git bundle, every commit under its own oid; where there is one of this name, or as a dry
   * run, it only says what it would have made. Throws `invalid_input` where the bundle is broken or not complete.
   */
  importBundle(name: string, bundle: Uint8Array, options: ImportOptions): Promise<ImportedHistory>;
  /** Throws `not_found` for a name that is not there. */
  open(name: string): Promise<OpenWiki>;
}

export interface ImportOptions {
  dryRun: boolean;
  call: Pick<Call, 'signal' | 'progress'>;
}

export interface ImportedHistory {
  /** False: there is a wiki of this name already. Always true of a dry run, which does not look. */
  isMade: boolean;
  tip: Oid;
  commits: number;
  /** Tree paths of all files at the tip. */
  files: string[];
}

export interface OpenWiki {
  repository: Repository;
  index: Index;
}

/** One wiki's repository: snapshots to read, changes to land. */
export interface Repository {
  readonly name: string;
  readonly branch: string;
  /** As of the newest commit: sees every write acknowledged, to anyone, before the call began. */
  head(): Promise<Snapshot>;
  /** As of a commit in full; throws `not_found` where there is none. */
  at(commit: Oid): Promise<Snapshot>;
  /** The commit that a full id or a unique prefix names; throws `not_found`, or `invalid_input` where it is ambiguous. */
  resolveCommit(prefix: string): Promise<Oid>;
  commit(commit: Oid): Promise<CommitInfo>;
  /** The files that differ between two commits, in path order; `from` null is the empty tree. */
  changes(from: Oid | null, to: Oid): Promise<FileChange[]>;
  /** `from` and all its ancestors in the order of `git log`: newest first, each once. Reads as it is asked. */
  log(from: Oid): AsyncIterable<CommitInfo>;
  /** Runs work that reads most of the history: until it ends, more of what is read is kept in memory. */
  readMuch<Result>(work: () => Promise<Result>): Promise<Result>;
  /** A git bundle of a commit with its whole history, which native git can clone; `invalid_input` for null. */
  bundle(commit: Oid | null, call: Pick<Call, 'signal' | 'progress'>): Promise<Uint8Array>;
  /** Lands a change exactly once, on the newest commit, whoever writes at the same time. */
  write(change: Change): Promise<Written>;
  /** For wiki_status: what is set up wrongly, in plain words, and how to clone. */
  describe(): Promise<RepositoryDescription>;
  readonly maintenance: Maintenance;
}

/** What keeps a repository small and sound. */
export interface Maintenance {
  /** Beside readers and writers; may be ended at any point. */
  tidy(call: Pick<Call, 'signal' | 'progress'>): Promise<TidyReport>;
  /** Reads every object of the history once. */
  check(): Promise<{
    commits: number;
    problems: readonly { text: string; path: string | null; commit: Oid | null }[];
  }>;
  /** Where commits were lost: a commit of all that can be read, else null. Damage below the commits is put right. */
  repair(): Promise<{
    commit: Oid | null;
    lost: readonly { path: string; kept: 'older version' | 'nothing' }[];
    /** Of which nothing is left, not even which pages they changed. */
    lostCommits: readonly Oid[];
    packsReplaced: number;
    orderRestored: boolean;
  }>;
}

export interface TidyReport {
  packsBefore: number;
  packs: number;
  garbagePacksRemoved: number;
  requestsForgotten: number;
  temporaryFilesDeleted: number;
}

/** The tree of one commit; the empty wiki has `commit` null and no entries. */
export interface Snapshot {
  readonly commit: Oid | null;
  /** A file by its exact tree path, or null. */
  entry(path: string): Promise<TreeEntry | null>;
  /** Entries of the folder itself, in git's order; null where it is no folder. `''` is the root. */
  folder(path: string): Promise<FolderEntry[] | null>;
  /** Every file below a folder (`''` for all), in git's order. Submodules and symbolic links are not files. */
  files(folder?: string): AsyncIterable<TreeEntry>;
  /** A blob's content, also one of another commit; throws `not_found` where the repository has no such blob. */
  blob(oid: Oid): Promise<Uint8Array>;
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

export interface CommitInfo {
  oid: Oid;
  parents: Oid[];
  author: Author & { date: Date };
  committed: Date;
  /** As written, trailers left out. */
  message: string;
  /** Of the `Agent:` trailer. */
  agent: string | null;
}

/** How the message begins of a commit that brings in what git pushed; what follows may name any path of the wiki. */
export const BROUGHT_IN = 'Bring in what git pushed:';

/** A change as a function of what it finds, so that it can be applied again on a newer commit. */
export interface Change {
  requestId: string;
  /** Nobody but this call knows the id, so that no one can have used it. */
  idIsNew: boolean;
  /** Of operation and arguments: the same id with another digest is `invalid_input`. */
  digest: string;
  author: Author;
  agent: string | null;
  signal?: AbortSignal | undefined;
  /** What it throws ends the change unwritten. No files: nothing to change. */
  apply(base: Snapshot): Promise<{ message: string; files: FileWrite[] }>;
  /**
   * Told when the change is committed, while the commit is made to stay: to work out an answer in that time, which
   * nobody is given before `write` has returned.
   */
  committed?(commit: Oid, parent: Oid | null): void;
}

/** New content at a path, an existing blob at a path, or a path removed. */
export type FileWrite =
  | { path: string; content: Uint8Array; mode?: FileMode }
  | { path: string; oid: Oid; mode: FileMode }
  | { path: string; remove: true };

export type Written =
  /** `commit` holds the change; `parent` is what it was applied to. `repeated`: an earlier call of this request made it. */
  | { kind: 'committed' | 'repeated'; commit: Oid; parent: Oid | null }
  | { kind: 'unchanged'; head: Oid | null };

export interface RepositoryDescription {
  /** The command that clones the wiki; null where no one here can. */
  clone: string | null;
  readOnly: boolean;
  problems: string[];
}
