import { throwIfCancelled } from '../../../contract/errors.ts';
import { parseCommit } from '../../../formats/commit.ts';
import type { Oid } from '../../../formats/oid.ts';
import type { PushedCommit } from '../../../storage/storage.ts';
import { CommitQueue } from '../../history/commit-queue.ts';
import { readIfThere } from '../../storage-failures.ts';
import { BOUNDS } from '../bounds.ts';
import type { ReceivedObjects } from './received-objects.ts';

/** The commits that `to` reaches and `from` does not, newest first. */
export interface NewCommits {
  commits: PushedCommit[];
  /** True if `to` descends from `from`. */
  descends: boolean;
}

/**
 * Finds the new commits. Throws `invalid_input` if one of them is neither in the push nor in the wiki.
 *
 * Walks both histories from the newest commit on until everything that is left is behind `from`. Every path from `to`
 * to `from` is walked whatever the dates are, since nothing on it is behind `from`. A commit that the push does not
 * bring is mostly behind `from`, but wrong dates may hide that: it counts as new only if the whole walk behind `from`
 * does not meet it.
 */
export async function newCommitsOf(
  received: ReceivedObjects,
  from: Oid | null,
  to: Oid,
  signal?: AbortSignal,
): Promise<NewCommits> {
  const walk = new Walk(received);
  if (from !== null) await walk.add(from, true);
  await walk.add(to, false);
  const commits: PushedCommit[] = [];
  let descends = from === null;
  for (let next = await walk.next(); next !== null; next = await walk.next()) {
    throwIfCancelled(signal);
    if (from !== null && next.parents.includes(from)) descends = true;
    commits.push(next.commit);
    if (commits.length > BOUNDS.objects) {
      throw received.refusals.tooLarge(`it has more than ${BOUNDS.objects} commits`);
    }
  }
  return { commits, descends };
}

class Walk {
  readonly #received: ReceivedObjects;
  readonly #queue = new CommitQueue();
  /** Commits that only the wiki has, not known to be behind: taken after all others. */
  readonly #stored = new CommitQueue();
  readonly #behind = new Set<Oid>();
  readonly #new = new Map<Oid, PushedCommit>();
  /** The new ones that are still in the queue. */
  readonly #waiting = new Set<Oid>();

  constructor(received: ReceivedObjects) {
    this.#received = received;
  }

  async add(oid: Oid, isBehind: boolean): Promise<void> {
    if (this.#behind.has(oid) || (!isBehind && this.#new.has(oid))) return;
    const content = await contentOf(this.#received, oid, isBehind);
    if (content === null) return;
    if (isBehind) {
      this.#behind.add(oid);
      this.#waiting.delete(oid);
    } else {
      this.#new.set(oid, { oid, content });
      this.#waiting.add(oid);
    }
    const { tree, missing, ...rest } = parseCommit(content);
    const isOfPush = this.#received.typeOf(oid) !== undefined;
    (isBehind || isOfPush ? this.#queue : this.#stored).add(oid, { tree: tree ?? '', ...rest });
  }

  /** The next commit that is not behind, or null if there is none. */
  async next(): Promise<{ commit: PushedCommit; parents: readonly Oid[] } | null> {
    while (this.#waiting.size > 0) {
      const taken = this.#queue.take() ?? this.#stored.take();
      if (taken === null) return null;
      const { oid, commit } = taken;
      const isBehind = this.#behind.has(oid);
      this.#waiting.delete(oid);
      for (const parent of commit.parents) await this.add(parent, isBehind);
      const found = this.#new.get(oid);
      if (!isBehind && found !== undefined) return { commit: found, parents: commit.parents };
    }
    return null;
  }
}

/** Null if a commit behind the head is lost: that is for a check to report. */
async function contentOf(received: ReceivedObjects, oid: Oid, isBehind: boolean): Promise<Uint8Array | null> {
  const type = received.typeOf(oid);
  if (type !== undefined && type !== 'commit') {
    throw received.refusals.refusedObject(type, oid, 'it is named as a commit');
  }
  const object = await readIfThere({ read: (wanted) => received.readStored(wanted) }, oid);
  if (object === null && isBehind) return null;
  if (object === null) throw received.refusals.broken(`it lacks the commit ${oid}`);
  if (object.type !== 'commit')
    throw received.refusals.refusedObject(object.type, oid, 'it is named as a commit');
  return object.content;
}
