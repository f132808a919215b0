import type { Commit } from '../../formats/commit.ts';
import type { Oid } from '../../formats/oid.ts';

export interface QueuedCommit {
  oid: Oid;
  commit: Commit;
}

/**
 * Commits by committer date, newest first. Commits of the same date keep the order in which they were added.
 */
export class CommitQueue {
  /**
   * The next one to take stands last. The queue is as long as history is wide: mostly one commit, at times a
   * few.
   */
  readonly #waiting: QueuedCommit[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The date of the next one, in seconds since 1970; null if there is none. */
  get date(): number | null {
    return this.#waiting.at(-1)?.commit.committer.seconds ?? null;
  }

  add(oid: Oid, commit: Commit): void {
    let place = this.#waiting.length;
    while (place > 0 && !isOlder(this.#waiting[place - 1], commit)) place--;
    this.#waiting.splice(place, 0, { oid, commit });
  }

  take(): QueuedCommit | null {
    return this.#waiting.pop() ?? null;
  }
}

function isOlder(waiting: QueuedCommit | undefined, commit: Commit): boolean {
  return waiting !== undefined && waiting.commit.committer.seconds < commit.committer.seconds;
}
