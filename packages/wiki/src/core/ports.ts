import type { Oid } from '../contract/ids.ts';
import type { Author, Call } from '../contract/wiki.ts';
import type { LinkAddress, LinkNames } from './text/link-resolver.ts';

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

/**
 * What is derived from commits and can be thrown away. Every answer is as of `commit`: the head that the
 * operation asked for, or an ancestor of it that a cursor pinned. Page paths here are without `.md`.
 */
export interface Index {
  /** False where there may be pages of which no answer tells, so that a file without links may yet be in use. */
  readonly seesEveryPage: boolean;
  /**
   * Makes the answers as of `commit` cheap, telling of long work. The queries do the same by themselves, silently.
   */
  catchUp(commit: Oid, progress?: Call['progress'], signal?: AbortSignal): Promise<void>;
  /**
   * Leaves beside the wiki what another process can start from, as of `commit`, unless that is there already. It
   * does so by itself now and then; this is for maintenance. False where nothing can be left, and where `signal`
   * ended the waiting for it.
   */
  save(commit: Oid, signal?: AbortSignal): Promise<boolean>;
  /** How many pages there are. */
  count(commit: Oid): Promise<number>;
  /** Every page path, for near names. */
  paths(commit: Oid): Promise<string[]>;
  list(query: ListQuery): Promise<Window<PageRow>>;
  search(query: SearchQuery): Promise<Window<SearchHit>>;
  history(query: HistoryQuery): Promise<{ entries: HistoryEntry[]; more: boolean }>;
  /** Of a page, or of another file by its tree path. */
  links(commit: Oid, path: string): Promise<PageLinks>;
  /** Every link of every page in the folders, or anywhere, in the order of pages, then as they stand there. */
  everyLink(commit: Oid, folders?: readonly string[]): Promise<PlacedLink[]>;
  /** What links resolve against; with `folders` only that which lies there. */
  names(commit: Oid, folders?: readonly string[]): Promise<LinkNames>;
}

/** `offset` rows are passed over; at most `limit` come. */
export interface Window<Row> {
  rows: Row[];
  total: number;
}

export interface ListQuery {
  commit: Oid;
  prefix: string;
  tag?: string | undefined;
  updatedSince?: Date | undefined;
  sort: 'path' | 'updated' | 'title';
  offset: number;
  limit: number;
}

export interface PageRow {
  path: string;
  title: string;
  version: Oid;
  size: number;
  /** The committer's date of the newest commit that touched the page. */
  updated: Date;
}

export interface SearchQuery {
  commit: Oid;
  query: string;
  mode: 'words' | 'regex';
  prefix: string;
  tag?: string | undefined;
  contextLines: number;
  offset: number;
  limit: number;
}

export interface SearchHit {
  path: string;
  title: string;
  version: Oid;
  score: number;
  lines: { line: number; text: string }[];
}

export interface HistoryQuery {
  commit: Oid;
  /** Of one page, following its moves, also where it is deleted; without it every commit. */
  path?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  author?: string | undefined;
  /**
   * Without `path`: commits that touched pages, but none in these folders, and no file that is no page, are left out.
   * Merges are not, as what they touched is not all that they brought to their first parent.
   */
  folders?: readonly string[] | undefined;
  offset: number;
  limit: number;
  /** At most so many pages are listed with an entry. */
  pagesMost: number;
}

/** How the message begins of a commit that brings in what git pushed; what follows may name any path of the wiki. */
export const BROUGHT_IN = 'Bring in what git pushed:';

export interface HistoryEntry {
  commit: CommitInfo;
  /** The page's blob after the commit; null where it was deleted, or where no path was asked for. */
  version: Oid | null;
  pages: { path: string; action: 'added' | 'modified' | 'deleted' | 'moved' }[];
  pagesTotal: number;
}

/** A link and where it stands. */
export interface PlacedLink {
  /** The tree path of its page. */
  from: string;
  line: number;
  link: LinkAddress;
}

export interface PageLinks {
  linksTo: string[];
  /** Tree paths of files that are no pages, embedded or linked to. */
  files: string[];
  linkedFrom: { path: string; line: number }[];
  broken: { target: string; line: number }[];
}
