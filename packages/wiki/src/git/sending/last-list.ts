import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../formats/oid.ts';
import type { Objects } from '../objects.ts';
import type { KeptList } from './kept-list.ts';
import type { WholeList } from './list-file.ts';
import type { ObjectList } from './list-objects.ts';
import type { SentCommit } from './walk-commits.ts';

/** What the last clone of a whole history got, so that the clone of a later head needs no walk of all of it. */
export class LastList {
  readonly #kept: KeptList;
  #last: WholeList | null = null;
  #isRead = false;
  /** The number of commits by which the kept one is behind. */
  #behind = Number.POSITIVE_INFINITY;

  constructor(kept: KeptList) {
    this.#kept = kept;
  }

  async keep(tip: Oid, { objects }: ObjectList): Promise<void> {
    this.#last = { tip, objects };
    if (this.#behind <= MAX_BEHIND || objects.length < MIN_KEPT) return;
    this.#behind = 0;
    await this.#kept.keep(this.#last);
  }

  /**
   * Fills an empty list with what `tip` reaches, in the same order as a walk of all of it. False, and the list is empty, if
   * it does not descend from the last one by few commits of one parent each: others may come between the older ones.
   */
  async continueTo(
    tip: Oid,
    list: ObjectList,
    objects: Objects,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const last = this.#last ?? (await this.#read());
    const added = last && (await commitsBetween(last.tip, tip, objects, signal));
    if (last === null || added === null) {
      this.#behind = Number.POSITIVE_INFINITY;
      return false;
    }
    for (const commit of added) await list.addCommit(commit, () => false);
    list.addListed(last.objects);
    this.#behind += added.length;
    return true;
  }

  async #read(): Promise<WholeList | null> {
    if (this.#isRead) return null;
    const last = await this.#kept.read();
    this.#isRead = true;
    if (last !== null) this.#behind = 0;
    return last;
  }
}

/** The commits of one parent each, the newest first; null if they are too many, or if others are among them. */
async function commitsBetween(
  older: Oid,
  tip: Oid,
  objects: Objects,
  signal: AbortSignal | undefined,
): Promise<SentCommit[] | null> {
  const added: SentCommit[] = [];
  for (let oid = tip; oid !== older; ) {
    throwIfCancelled(signal);
    const commit = await objects.commit(oid);
    const [parent, ...others] = commit.parents;
    if (parent === undefined || others.length > 0 || added.length === MAX_ADDED) return null;
    added.push({ oid, commit, parents: [parent] });
    oid = parent;
  }
  return added;
}

/** A walk of all costs little more than one of so many. */
const MAX_ADDED = 1_000;
/** To look for what so many commits added takes no longer than to keep the list again. */
const MAX_BEHIND = 100;
/** A walk through fewer objects takes no longer than to read their list. */
const MIN_KEPT = 5_000;
