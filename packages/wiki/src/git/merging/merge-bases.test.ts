import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serializeCommit } from '../../formats/commit.ts';
import { EMPTY_TREE, type GitObject, type Oid, objectId } from '../../formats/oid.ts';
import { Objects } from '../objects.ts';
import { mergeBases } from './merge-bases.ts';

/** For each commit the places of its parents, all before it, and the seconds since the commit before it. */
const histories = fc.array(
  fc.record({
    parents: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
    later: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 3, maxLength: 24, size: 'max' },
);

test('two commits have the newest common ancestors that a search through both histories finds', async () => {
  let several = 0;
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(2), fc.nat(4), async (history, first, second) => {
      const graph = new Graph();
      for (const { parents, later } of history) {
        const above = parents.flatMap((back) => graph.oids.at(-back) ?? []);
        graph.commit([...new Set(above)], later);
      }
      const [one, other] = [first, second].map((at) => graph.oids.at(-1 - at) ?? graph.oids[0]) as [Oid, Oid];
      const expected = graph.newestCommon(one, other);
      if (expected.length > 1) several += 1;
      expect(await mergeBases(graph.objects(), one, other)).toEqual(expected);
      expect(await mergeBases(graph.objects(), other, one)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
  expect(several).toBeGreaterThan(3);
});

test('the newest ten are given if there are more than ten newest common ancestors', async () => {
  const graph = new Graph();
  const roots = Array.from({ length: 13 }, () => graph.commit([]));
  const [one, other] = [graph.commit(roots), graph.commit(roots.toReversed())];
  expect(await mergeBases(graph.objects(), one, other)).toEqual(roots.slice(3).reverse());
});

test('a commit that the wrong clock of its writer dates after its descendants is no merge base beside them', async () => {
  const graph = new Graph();
  const old = graph.commit([], 1_000);
  const base = graph.commit([old], -990);
  const [one, other] = [graph.commit([base, old]), graph.commit([base, old])];
  expect(await mergeBases(graph.objects(), one, other)).toEqual([base]);
});

test('the search for merge bases ends at once if both sides merged an old commit of a long common history', async () => {
  const graph = new Graph();
  let tip = graph.commit([]);
  for (let at = 0; at < 300; at += 1) tip = graph.commit([tip]);
  const [one, other] = [graph.commit([tip]), graph.commit([tip])];
  expect(await mergeBases(graph.objects(), one, other)).toEqual([tip]);
  expect(graph.read.size).toBeLessThan(10);
});

class Graph {
  readonly oids: Oid[] = [];
  /** The commits that were read. */
  readonly read = new Set<Oid>();
  readonly #stored = new Map<Oid, GitObject>();
  readonly #parents = new Map<Oid, readonly Oid[]>();
  #seconds = 1_700_000_000;

  commit(parents: readonly Oid[], later = 1): Oid {
    this.#seconds += later;
    const person = { name: 'A', email: 'a@example.org', seconds: this.#seconds, zone: '+0000' };
    const content = serializeCommit({
      tree: EMPTY_TREE,
      parents: [...parents],
      author: person,
      committer: person,
      message: 'm\n',
    });
    const oid = objectId('commit', content);
    this.#stored.set(oid, { type: 'commit', content });
    this.#parents.set(oid, parents);
    this.oids.push(oid);
    return oid;
  }

  objects(): Objects {
    const read = async (oid: Oid) => {
      this.read.add(oid);
      const object = this.#stored.get(oid);
      if (object === undefined) throw new Error(`no ${oid}`);
      return object;
    };
    return new Objects({ read }, 1_000_000);
  }

  /** The common ancestors that no other one reaches, newest first. */
  newestCommon(one: Oid, other: Oid): Oid[] {
    const others = this.#ancestors(other);
    const common = [...this.#ancestors(one)].filter((oid) => others.has(oid));
    const below = new Set(
      common.flatMap((oid) =>
        (this.#parents.get(oid) ?? []).flatMap((parent) => [...this.#ancestors(parent)]),
      ),
    );
    const newest = common.filter((oid) => !below.has(oid));
    return newest.sort((a, b) => this.oids.indexOf(b) - this.oids.indexOf(a)).slice(0, 10);
  }

  /** With the commit itself. */
  #ancestors(oid: Oid): Set<Oid> {
    const found = new Set([oid]);
    for (const each of found) for (const parent of this.#parents.get(each) ?? []) found.add(parent);
    return found;
  }
}
