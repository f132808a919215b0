import type { Oid } from '@pagetree/wiki/oid';

/**
 * A repository elsewhere. Every method throws RemoteFailure, and an AbortError if the signal ends it. Silence of the remote
 * ends a call, slowness does not: give a signal for that.
 */
export interface Remote {
  /** The branches. Other refs are left out. */
  refs(signal?: AbortSignal): Promise<RemoteRefs>;
  /**
   * The pack with everything that `wants` reach and `haves` do not; null if nothing is missing. It may be thin: a delta may
   * rest on an object that `haves` reach. All haves go into one request.
   */
  fetch(request: FetchRequest, signal?: AbortSignal): Promise<Uint8Array | null>;
  /**
   * Moves one branch. It succeeds too if the branch is at `to` already, as after a push whose answer was lost.
   * After `moved`, `refused` and what comes before the pack is sent the branch is as it was. After another failure the caller
   * cannot know: it asks for the refs again.
   */
  push(request: PushRequest, signal?: AbortSignal): Promise<void>;
}

export interface RemoteRefs {
  /** The full name of the branch that HEAD names, also if it is unborn; null if the remote does not say. */
  head: string | null;
  /** By full name, `refs/heads/` only. */
  refs: ReadonlyMap<string, Oid>;
}

export interface FetchRequest {
  wants: readonly Oid[];
  haves: readonly Oid[];
  /** The number of commits from each of `wants`; all if absent. Throws `unsupported` if the remote cannot count them. */
  depth?: number;
  /** The objects that are not needed, as git names them. A remote that cannot leave them out sends them. */
  filter?: 'blob:none' | 'tree:0' | undefined;
  /** True if no delta may rest on an object outside of the pack. */
  isWhole?: boolean;
  /** True if `wants` are objects of any type. Throws `unsupported` if the remote gives none, or cannot leave out what `filter` says. */
  isOfObjects?: boolean;
}

export interface PushRequest {
  /** A full name. */
  ref: string;
  /** The commit that the branch is at; null creates it. */
  from: Oid | null;
  to: Oid;
  /** Whole, with header and checksum. It may be thin. */
  pack: Uint8Array;
}

/** Bounds of what a remote may send. */
export interface RemoteLimits {
  packBytes: number;
  /** The list of refs, as it is sent. */
  refsBytes: number;
  /** The longest silence. */
  idleMs: number;
}

export const MAX_REMOTE: RemoteLimits = { packBytes: 100_000_000, refsBytes: 20_000_000, idleMs: 30_000 };
