import type { Scope } from '@pagetree/wiki/contract';
import { reasonAgainst } from './give.ts';
import type { Difference, Findings, Look } from './sides.ts';

/**
 * Finds files that were moved to a name which the wiki does not take. If their deletion were sent, the wiki would have
 * them no more. Each file with such a name keeps one.
 */
export class StrandedFiles {
  /** The keys in the wiki. */
  #kept: ReadonlySet<string> = new Set();

  /** Returns the other changes. */
  keep(
    differences: readonly Difference[],
    scope: Scope | undefined,
    { contents }: Look,
    { leftOut }: Findings,
  ): Difference[] {
    const stranded = differences.filter(
      (difference) => difference.wiki === null && reasonAgainst(difference, scope) !== null,
    );
    const byVersion = Map.groupBy(stranded, ({ folder }) => folder?.version);
    // A file that settles may be the same one under its next name: then both are one commit.
    const isSettling = contents.settlesInMs !== null;
    const kept = new Set<string>();
    const without = new Set<Difference>();
    for (const difference of differences) {
      const { key, folder, wiki } = difference;
      const moved = folder === null ? byVersion.get(wiki?.version)?.pop() : undefined;
      if (moved !== undefined) {
        without.add(moved);
        const reason = reasonAgainst(moved, scope);
        leftOut.set(moved.key, `${reason}; the wiki keeps it as ${JSON.stringify(key)}`);
      } else if (!isSettling || !this.#kept.has(key)) continue;
      without.add(difference);
      kept.add(key);
    }
    this.#kept = kept;
    return differences.filter((difference) => !without.has(difference));
  }
}
