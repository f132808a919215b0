import type { Oid } from '../contract/ids.ts';
import type { Call } from '../contract/wiki.ts';
import type { Index } from './index-port.ts';
import type { Repository } from './ports.ts';
import type { UnopenedWiki } from './remote-port.ts';
import type { UploadStore } from './transport-port.ts';

/** The interfaces that core needs for all wikis together. All methods throw WikiError. */

/** The wikis that one backend serves. */
export interface WikiDirectory extends UploadStore {
  names(): Promise<string[]>;
  /**
   * Makes a wiki. `fill` writes into it before anybody else can see it; if `fill` throws, there is no wiki.
   * Returns false if one of this name exists, or was made at the same time.
   */
  create(name: string, fill: (made: Repository) => Promise<void>): Promise<boolean>;
  /**
   * Throws `not_found` if the default wiki is missing and may not be made unasked: its directory records it,
   * or has other wikis.
   */
  requireDefault(): Promise<void>;
  /**
   * Makes a wiki from a git bundle, with every commit under its own oid. If a wiki of this name exists, or in
   * a dry run, only reports what it would have made. Throws `invalid_input` if the bundle is broken or
   * incomplete.
   */
  importBundle(name: string, bundle: Uint8Array, options: ImportOptions): Promise<ImportedHistory>;
  /** Throws `not_found` if there is no wiki of this name. */
  open(name: string): Promise<OpenWiki>;
  /** For a wiki of `names`: an opened one takes memory until this process ends. */
  unopened(name: string): UnopenedWiki;
  /**
   * Opens a wiki for `act` alone and closes it afterwards, unless it is open already: a loop over many wikis
   * keeps none of them in memory. Throws as `open` and `act` do.
   */
  visit<Result>(name: string, act: (wiki: OpenWiki) => Promise<Result>): Promise<Result>;
  /**
   * The progress of tidying all wikis; null if none was begun. It can be lost, and the round then begins
   * again.
   */
  readRound(): Promise<Round | null>;
  keepRound(round: Round): Promise<void>;
}

/**
 * One pass through all wikis, sorted by name, by as many calls as it takes. Times are in milliseconds since
 * 1970.
 */
export interface Round {
  beganMs: number;
  /** Null while it is under way. */
  endedMs: number | null;
  /** The last wiki by name that had its turn, null before the first. */
  after: string | null;
  done: number;
  failures: number;
  /** Packs that wait to be merged in the wikis that are done, and their bytes. */
  debtPacks: number;
  debtBytes: number;
  /** Wikis that took a whole call and are unfinished, in the order in which they come again. */
  unfinished: readonly UnfinishedWiki[];
  /** The number of calls in which one of these came again and was unfinished again. */
  repeats: number;
  /** The debt in bytes that the round before left, null if there was none. */
  debtBytesBefore: number | null;
  /** The number of rounds in a row that left more debt than the one before. A round counts once it has ended. */
  debtGrowthRounds: number;
  /** The wiki that a call began and from which it has not come back; null if the last call ended in order. */
  begun: BegunWiki | null;
}

export interface UnfinishedWiki {
  name: string;
  debtPacks: number;
  debtBytes: number;
}

export interface BegunWiki {
  name: string;
  /** The time at which it was begun first. */
  sinceMs: number;
  /** The number of calls that began it. */
  calls: number;
}

export interface ImportOptions {
  dryRun: boolean;
  call: Pick<Call, 'signal' | 'progress'>;
}

export interface ImportedHistory {
  /** False if a wiki of this name exists. Always true for a dry run, which does not check. */
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
