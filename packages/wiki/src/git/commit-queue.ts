import type { Oid } from '../storage/storage.ts';
import type { Commit } from './commit-format.ts';

export interface QueuedCommit {
  oid: Oid;
  commit: Commit;
}

/** Commits by committer's date, the newest first; of the same date the one that was added first. */
export class CommitQueue {
  /** The next one to take stands last. The queue is as long as history is wide: a few, mostly one. */
  readonly #waiting: QueuedCommit[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(oid: Oid, commit: Commit): void {
    let place = this.#waiting.length;
    while (place > 0 && !isOlder(this.#waiting[place - 1], commit)) place--;
    this.#waiting.splice(place, 0, { oid, commit });
  }

  take(): QueuedCommit | null {
    return this.#waiting.pop() ?? null;
  }

  some(test: (waiting: QueuedCommit) => boolean): boolean {
    return this.#waiting.some(test);
  }
}

function isOlder(waiting: QueuedCommit | undefined, commit: Commit): boolean {
  return waiting !== undefined && waiting.commit.committer.seconds < commit.committer.seconds;
}
