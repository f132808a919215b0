import type { Oid } from '../contract/ids.ts';
import type { Author, Call } from '../contract/wiki.ts';

/** The interfaces that core needs for git's own protocols: clones, fetches and pushes. All methods throw WikiError. */

/** Gives refs and objects to clones and fetches of native git. */
export interface Sending {
  refs(): Promise<GitRefs>;
  /**
   * The objects that a fetch needs. Equal requests get the same objects in the same order, in any process, as long as
   * they name the same commits. Throws `not_found` for a want that is not there.
   */
  plan(request: FetchRequest, call: Pick<Call, 'signal' | 'progress'>): Promise<FetchPlan>;
}

export interface GitRefs {
  /** The full name of the branch that HEAD names. */
  head: string;
  refs: { name: string; oid: Oid; peeled: Oid | null }[];
}

export interface FetchRequest {
  wants: readonly Oid[];
  haves: readonly Oid[];
  isFinal: boolean;
  shallow: readonly Oid[];
  depth: number | null;
  fromShallow: boolean;
  /** Seconds since 1970, or null. */
  since: number | null;
  filter: ObjectFilter;
  mayBeThin: boolean;
}

/** The blobs and trees that a fetch leaves out: blobs of `blobBytes` or more, and with `trees` all trees and blobs. */
export interface ObjectFilter {
  blobBytes: number;
  trees: boolean;
}

export interface FetchPlan {
  common: Oid[];
  shallow: Oid[];
  unshallow: Oid[];
  /** Null if the commits that the client named do not suffice and it can name more. */
  pack: PlannedPack | null;
}

export interface PlannedPack {
  objects: number;
  /**
   * The entries of the objects from a place on, in at most `mostBytes`, and the place after them. Any process can go on
   * from there, even if packs were merged meanwhile.
   */
  part(from: PackPlace, mostBytes: number): Promise<{ entries: Uint8Array; next: PackPlace }>;
}

/** A place in the entries of a pack. */
export interface PackPlace {
  /** The number of the object. */
  object: number;
  /** The bytes of its entry that come before. */
  byte: number;
  copied: CopiedFrom;
}

/** The packs from which the entries before a place were copied. */
export interface CopiedFrom {
  /** 40 hexadecimal digits, equal for equal packs. */
  packs: string;
  /** The number of the first object that was copied from these: those before came from others. */
  since: number;
}

/** The place of the first entry. */
export const BEGINNING: PackPlace = { object: 0, byte: 0, copied: { packs: '0'.repeat(40), since: 0 } };

/** A push of the branch by a git client. */
export interface Push {
  /** The head that the client saw; null for an empty wiki. */
  from: Oid | null;
  to: Oid;
  /** May be thin; null if the wiki has all objects. */
  pack: Uint8Array | null;
  signal?: AbortSignal | undefined;
}

export type PushResult =
  /** `repeated`: an earlier push made `to` a head after `from`. */
  | { kind: 'landed' | 'repeated' }
  /** The head is no longer `from`. */
  | { kind: 'moved'; head: Oid | null };

/** Commits of another repository that are merged into the branch. */
export interface Merge {
  commit: Oid;
  /** The origin of the commit, for the message. */
  source: string;
  /** May be thin; null if the wiki has all objects. */
  pack: Uint8Array | null;
  author: Author;
  agent: string | null;
  signal?: AbortSignal | undefined;
}

export interface MergeResult extends MergeConflicts {
  /** `contained`: the head or an ancestor of it already. */
  kind: 'contained' | 'fast_forward' | 'merged';
  /** The commit that brought it in; the head if it is contained. */
  commit: Oid;
}

export interface MergeConflicts {
  /** Files that both sides changed and that could not be merged. The wiki keeps its own. */
  conflicts: MergeConflict[];
  /** The number of further ones. */
  more: number;
}

export interface MergeConflict {
  /** The tree path, as git quotes it if it is not plain text. */
  path: string;
  /** The blobs of both sides; null if the side has no file there. */
  ours: Oid | null;
  theirs: Oid | null;
}

/** Holds the bytes of calls that do not fit one request, until the call that names them. */
export interface UploadStore {
  /** The uploads to a wiki, which need not be there yet: the call may make it. */
  uploads(wiki: string): Uploads;
  /** Removes the uploads of all wikis for which no call came within a day. Returns the number of removed files. */
  removeOldUploads(): Promise<number>;
}

export interface Uploads {
  /** The parts of an upload that are held, by their place. `upload` is a name of 64 hexadecimal digits. */
  parts(upload: string): Promise<UploadedPart[]>;
  /** Holds a part, and replaces the same one. Returns false if there is no room for it. */
  add(upload: string, offset: number, bytes: Uint8Array): Promise<boolean>;
  /** All parts together, which must have this length; null if they have not. */
  read(upload: string, length: number): Promise<Uint8Array | null>;
  drop(upload: string): Promise<void>;
  /** Removes those for which no call came within a day. Returns the number of removed files. */
  removeOld(): Promise<number>;
}

export interface UploadedPart {
  offset: number;
  bytes: number;
}
