import type { Oid } from '@pagetree/wiki/contract';

/** The branch of a remote, as a sync needs it. Methods throw RemoteFailure, Halted and WikiError. */
export interface BranchSide {
  /** The commit that the wiki is to have in its history; null if the remote has nothing for it. */
  readonly tip: Oid | null;
  /** A commit that the wiki takes in before `tip`. It says what the wiki has had of the remote; null if that is known. */
  readonly note: Oid | null;
  /** Makes `tip` without the note, which the wiki does not take. */
  dropNote(): Promise<void>;
  /** False if the first push makes the branch. */
  readonly isThere: boolean;
  /** All that came from the remote. */
  readonly receivedBytes: number;
  /** The pack with what `tip` or `note` reaches and the wiki lacks; null if it lacks nothing. */
  fetch(commit: Oid): Promise<Uint8Array | null>;
  /** Called when the wiki has `tip` in its history. */
  met(head: Oid | null): void;
  /** Brings all commits of the wiki to the remote, and returns the bytes that were sent. `head` has `tip` in its history. */
  push(head: Oid): Promise<number>;
}
