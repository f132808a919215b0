import type { Oid } from '../contract/ids.ts';
import type { Call } from '../contract/wiki.ts';
import type { CommitInfo } from './commit-info.ts';
import type { LinkAddress } from './text/links/link-names.ts';
import type { LinkNames } from './text/links/link-resolver.ts';
import type { PageAnchors } from './text/markdown/anchors.ts';
import type { Sketch } from './text/resemblance.ts';

/**
 * Data that is derived from commits and can be thrown away. Every answer is as of `commit`: the head that the
 * operation read, or an ancestor of it that a cursor pinned. Page paths here are without `.md`.
 */
export interface Index {
  /** False if there may be pages that no answer includes, so that a file without links may yet be in use. */
  readonly seesEveryPage: boolean;
  /**
   * Makes answers as of `commit` fast, and reports progress of long work. The queries do the same by
   * themselves, without reporting.
   */
  catchUp(commit: Oid, progress?: Call['progress'], signal?: AbortSignal): Promise<void>;
  /** The same for the pages as of `commit`, which may be far in the past. */
  standAt(commit: Oid, progress?: Call['progress'], signal?: AbortSignal): Promise<void>;
  /**
   * Saves a state as of `commit` beside the wiki, from which another process can start, unless it is there
   * already. The index also saves by itself now and then; this is for maintenance. Returns false if nothing
   * can be saved, or if `signal` ended the wait.
   */
  save(commit: Oid, signal?: AbortSignal): Promise<boolean>;
  /** The number of pages. */
  count(commit: Oid): Promise<number>;
  /** Every page path, for suggestions of similar names. */
  paths(commit: Oid): Promise<string[]>;
  list(query: ListQuery): Promise<Window<PageRow>>;
  search(query: SearchQuery): Promise<SearchResult>;
  /** Tags, case-folded, sorted by code point. */
  /** Without those of hidden pages, which a list by such a tag would not have. */
  tags(query: TagsQuery): Promise<Window<TagCount>>;
  history(query: HistoryQuery): Promise<{ entries: HistoryEntry[]; more: boolean }>;
  /** The way in which a page left its path, if it is not there. */
  departure(commit: Oid, path: string): Promise<Departure | null>;
  /** The first move of a page away from its path after the commit `since`. */
  moveAfter(commit: Oid, path: string, since: Oid): Promise<Move | null>;
  /**
   * The pages, with the newest merge that names each as a conflict, that no commit changed or settled since: in the
   * folders, or anywhere, by path. See `openConflicts`.
   */
  conflicts(commit: Oid, folders?: readonly string[]): Promise<NamedConflict[]>;
  /** That merge for one page. */
  conflictOf(commit: Oid, path: string): Promise<Oid | null>;
  /**
   * The same questions for reads and writes of pages, which never wait for the index: null also if it lacks `commit`, or
   * works for another caller at this moment. So null proves nothing here, even after `catchUp`.
   */
  readonly atOnce: Pick<Index, 'departure' | 'conflictOf'>;
  /** Links of a page, or of another file by its tree path. */
  links(commit: Oid, path: string, signal?: AbortSignal): Promise<PageLinks>;
  /** Every link of every page in the folders, or anywhere, sorted by page, then by position. */
  everyLink(commit: Oid, folders?: readonly string[]): Promise<PlacedLink[]>;
  /** The links whose targets may have one of these names (see nameKey). */
  linksNamed(commit: Oid, names: readonly string[], folders?: readonly string[]): Promise<PlacedLink[]>;
  /** The part of `names` against which links with these names resolve. */
  namesLike(commit: Oid, names: readonly string[], folders?: readonly string[]): Promise<LinkNames>;
  /**
   * Up to `most` pages on which the words of any of these texts stand side by side, also in frontmatter and
   * code.
   */
  pagesNaming(commit: Oid, texts: readonly string[], most: number): Promise<string[]>;
  /** The tree paths of all files that are not pages. */
  files(commit: Oid): Promise<string[]>;
  /** The anchors that the pages at these tree paths have. */
  anchors(commit: Oid, treePaths: readonly string[]): Promise<Map<string, PageAnchors>>;
  /** The sketches of the pages in the folders, or anywhere, sorted by page. Pages of a few words have none. */
  sketches(commit: Oid, folders?: readonly string[], signal?: AbortSignal): Promise<SketchedPage[]>;
  /** The pages that the index read only in part, in their order: the rest counts as text alone. */
  unread(commit: Oid, folders?: readonly string[]): Promise<UnreadPart[]>;
  /** The names against which links resolve; with `folders` only those in these folders. */
  names(commit: Oid, folders?: readonly string[]): Promise<LinkNames>;
}

export interface OpenIndex extends Index {
  /**
   * Aborts running work, including for callers that wait for it, and frees the memory. The next query starts
   * again.
   */
  close(): Promise<void>;
}

export interface TagsQuery {
  commit: Oid;
  /** Only tags of pages in one of these folders. */
  folders?: readonly string[] | undefined;
  offset: number;
  limit: number;
  signal?: AbortSignal | undefined;
}

/** A window of a list: skips `offset` rows and returns at most `limit`. */
export interface Window<Row> {
  rows: Row[];
  total: number;
}

/** The pages that a list or a search may return. */
export interface PageFilter {
  prefix: string;
  /** Only pages in one of these folders. */
  folders?: readonly string[] | undefined;
  tag?: string | undefined;
  updatedSince?: Date | undefined;
  updatedUntil?: Date | undefined;
  /** Part of the name or email of the author of the change at `updated`, in any case. */
  author?: string | undefined;
  /** Part of the name of the agent of that change, in any case of ASCII letters. */
  agent?: string | undefined;
  /** `status: draft`, or `status` for any value. */
  property?: string | undefined;
  /** Leaves out pages in folders that begin with a dot. */
  withoutHidden?: boolean | undefined;
}

export interface ListQuery extends PageFilter {
  commit: Oid;
  sort: 'path' | 'updated' | 'title';
  offset: number;
  limit: number;
}

export interface PageRow {
  path: string;
  title: string;
  version: Oid;
  size: number;
  /** The committer date of the newest commit that touched the page. */
  updated: Date;
  /** The link to the page that takes its place, as its frontmatter has it. */
  supersededBy: string | null;
}

export interface SketchedPage {
  path: string;
  sketch: Sketch;
}

export interface TagCount {
  tag: string;
  /** The number of pages that have this very tag, not one below it. */
  pages: number;
}

/** Pages outside of `folders` do not exist for this query: they do not affect the ranking. */
export interface SearchQuery extends PageFilter {
  commit: Oid;
  query: string;
  mode: 'words' | 'regex';
  contextLines: number;
  offset: number;
  limit: number;
  /** Page versions that mean something like the query, best first: a search of words finds them too. */
  alike?: readonly Oid[] | undefined;
  /** True if the caller chose a commit: vectors are kept for the newest one alone. */
  isPast?: boolean | undefined;
  /** Cancels the search. */
  signal?: AbortSignal | undefined;
}

export interface SearchResult extends Window<SearchHit> {
  /**
   * In a search of words: finds the words of the query, by their numbers, that a text contains in any of the
   * forms that were searched.
   */
  wordsIn?: (text: string) => ReadonlySet<number>;
  /** Set if the meaning of the query counted for only some of the pages, or for none if `pages` is null. */
  byWords?: {
    /** The number of pages that only their words could find. */
    pages: number | null;
    /** A sentence, if something failed. */
    reason: string | null;
  };
  /** Set if not everything was searched. */
  partly?: {
    /** The number of pages that were searched to their end. */
    searched: number;
    /** The number of lines of which only the first `longestLine` characters were searched. */
    cutLines: number;
    longestLine: number;
  };
}

export interface SearchHit {
  path: string;
  title: string;
  version: Oid;
  score: number;
  /** The link to the page that takes its place, as its frontmatter has it. */
  supersededBy: string | null;
  lines: { line: number; text: string }[];
}

export interface HistoryQuery {
  commit: Oid;
  /** Only commits of this page, following its moves, even if it was deleted; without it every commit. */
  path?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
  /** A part of the author's name or email, in any case. */
  author?: string | undefined;
  /** A part of the agent's name, in any case of ASCII letters. */
  agent?: string | undefined;
  /**
   * Without `path`: leaves out commits that touched only pages, and none in these folders.
   * Keeps merges, as the files they touched are not all that they brought to their first parent.
   */
  folders?: readonly string[] | undefined;
  offset: number;
  limit: number;
  /** The maximum number of pages listed with an entry. */
  pagesMost: number;
}

export interface HistoryEntry {
  commit: CommitInfo;
  /** The page's blob after the commit; null if the commit deleted it or if no path was given. */
  version: Oid | null;
  /** The page's path after the commit, or its last one if the page is gone; null if no path was given. */
  path: string | null;
  /** The page's former path if this commit moved it here; null if no path was given. */
  origin: string | null;
  pages: { path: string; action: 'added' | 'modified' | 'deleted' | 'moved' }[];
  pagesTotal: number;
}

export interface Departure {
  /** The commit that deleted the page or moved it. */
  commit: Oid;
  /** The path to which that commit moved it; null if it deleted it. */
  movedTo: string | null;
}

export interface Move {
  /** The commit that moved the page. */
  commit: Oid;
  movedTo: string;
}

/** A merge that names a page as a conflict in its message. */
export interface NamedConflict {
  path: string;
  merge: Oid;
}

export interface UnreadPart {
  path: string;
  /** The place of the frontmatter's error and its reason; null if the frontmatter is valid. */
  frontmatterProblem: string | null;
  /** The number of links after the last one that counts. */
  linksLeftOut: number;
  /** The number of tags after the last one that counts. */
  tagsLeftOut: number;
  /** The number of bytes after the last one that counts. */
  bytesLeftOut: number;
}

/** A link with its position. */
export interface PlacedLink {
  /** The tree path of its page. */
  from: string;
  line: number;
  link: LinkAddress;
}

export interface PageLinks {
  linksTo: string[];
  /** Tree paths of embedded or linked files that are not pages. */
  files: string[];
  linkedFrom: { path: string; line: number }[];
  broken: { target: string; line: number }[];
  /** True if the page has more links than count. */
  leavesOutLinks: boolean;
}
