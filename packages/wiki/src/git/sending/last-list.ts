import { throwIfCancelled } from '../../contract/errors.ts';
import type { Oid } from '../../formats/oid.ts';
import type { Objects } from '../objects.ts';
import type { ObjectList, SentObject } from './list-objects.ts';
import type { SentCommit } from './walk-commits.ts';

/** What the last clone of a whole history got, so that the clone of a later head needs no walk of all of it. */
export class LastList {
  #last: { tip: Oid; objects: readonly SentObject[] } | null = null;

  keep(tip: Oid, { objects }: ObjectList): void {
    this.#last = { tip, objects };
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
    const last = this.#last;
    if (last === null) return false;
    const added: SentCommit[] = [];
    for (let oid = tip; oid !== last.tip; ) {
      throwIfCancelled(signal);
      const commit = await objects.commit(oid);
      const [parent, ...others] = commit.parents;
      if (parent === undefined || others.length > 0 || added.length === MAX_ADDED) return false;
      added.push({ oid, commit, parents: [parent] });
      oid = parent;
    }
    for (const commit of added) await list.addCommit(commit, () => false);
    list.addListed(last.objects);
    return true;
  }
}

/** A walk of all costs little more than one of so many. */
const MAX_ADDED = 1_000;
