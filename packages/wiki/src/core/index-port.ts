import type { Oid } from '../contract/ids.ts';
import type { Call } from '../contract/wiki.ts';
import type { CommitInfo } from './ports.ts';
import type { LinkAddress, LinkNames } from './text/link-resolver.ts';

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
