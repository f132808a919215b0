import type { PackEntry } from './pack-scan.ts';

/** For each object of a pack, the deltas that rest on it. */
export class DeltaTree {
  readonly #byBase = new Map<PackEntry['base'], PackEntry[]>();

  constructor(entries: readonly PackEntry[]) {
    const deltas = entries.filter((entry) => entry.base !== null);
    const weights = weightsOf(deltas);
    for (const entry of deltas) {
      const siblings = this.#byBase.get(entry.base);
      if (siblings === undefined) this.#byBase.set(entry.base, [entry]);
      else siblings.push(entry);
    }
    for (const siblings of this.#byBase.values()) {
      siblings.sort((one, other) => (weights.get(other.offset) ?? 0) - (weights.get(one.offset) ?? 0));
    }
  }

  /**
   * The deltas that rest on an object, the one with most further deltas first. Returns a copy, which the
   * caller may change.
   */
  childrenOf({ offset, oid }: Pick<PackEntry, 'offset' | 'oid'>): PackEntry[] {
    const byOffset = this.#byBase.get(offset) ?? [];
    const byOid = this.#byBase.get(oid) ?? [];
    return byOid.length === 0 ? [...byOffset] : [...byOffset, ...byOid];
  }
}

/** By offset, the number of deltas that rest on an object and name it by its offset. */
function weightsOf(deltas: readonly PackEntry[]): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { offset, base } of deltas.toReversed()) {
    if (typeof base !== 'number') continue;
    weights.set(base, (weights.get(base) ?? 0) + 1 + (weights.get(offset) ?? 0));
  }
  return weights;
}
