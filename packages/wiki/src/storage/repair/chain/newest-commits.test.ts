import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commitRepository } from '../../../../test/storage/maintenance/chained-commits.ts';
import type { Oid } from '../../../formats/oid.ts';
import { Run } from '../../maintenance/run.ts';
import { openCommitBook } from './commit-book.ts';
import { newestCommits } from './newest-commits.ts';

type Kind = 'write' | 'push' | 'merge' | 'lost';

const histories = fc.record({
  kinds: fc.array(fc.constantFrom<Kind>('write', 'write', 'write', 'push', 'merge', 'lost'), {
    minLength: 1,
    maxLength: 12,
    size: 'max',
  }),
  /** For a merge: whether the other history has a beginning of its own, and its length. */
  isUnrelated: fc.boolean(),
  sideLength: fc.integer({ min: 1, max: 6 }),
  attempts: fc.array(fc.nat(), { maxLength: 4, size: 'max' }),
  ref: fc.option(fc.nat()),
  isBeginningLate: fc.boolean(),
});

it('a chain that is lost as a whole is found again by the newest commit of each of its parts, oldest first', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (chosen) => {
      const { wiki, row, expected, ref } = historyOf(chosen);
      const { fs, layout, objects } = wiki;
      const run = Run.toItsEnd();
      const book = openCommitBook(run, objects);
      const found = await newestCommits({ fs, layout, objects, run, book }, ref);
      expect(found.map((commit) => row.indexOf(commit))).toEqual(expected);
    }),
    { numRuns: 25 },
  );
});

type Chosen = typeof histories extends fc.Arbitrary<infer T> ? T : never;

/** Commits in a row of which some are lost, and attempts beside them that were never linked. */
function historyOf(chosen: Chosen) {
  const { kinds, ref: refPick } = chosen;
  const history = rowOf(chosen);
  const { wiki, row, isStored } = history;
  const ref = refPick === null ? null : refPick % row.length;
  const partOf = (at: number) => kinds.slice(0, at).lastIndexOf('lost');
  const parts = Map.groupBy([...row.keys()].filter(isStored), partOf);
  const lastWriteIn = (part: number) => parts.get(part)?.findLast((at) => kinds[at] === 'write') ?? -1;
  const places = chosen.attempts.map((pick) => pick % row.length).filter(isStored);
  attempt(
    history,
    places.map((next) => ({ next, last: lastWriteIn(partOf(next)) })),
  );
  const expected = [...parts].flatMap(([part, inside]) => {
    const last = lastWriteIn(part);
    const newest = ref !== null && inside.includes(ref) ? Math.max(ref, last) : last;
    return newest === -1 ? [] : [newest];
  });
  return { wiki, row, expected, ref: ref === null ? null : (row[ref] ?? null) };
}

function rowOf({ kinds, isUnrelated, sideLength, isBeginningLate }: Chosen) {
  const wiki = commitRepository();
  const depths = new Map<Oid, number>();
  const row: Oid[] = [];
  const isStored = (at: number) => kinds[at] !== undefined && kinds[at] !== 'lost';
  // The clock of the process that began the wiki may have been wrong.
  const late = isBeginningLate ? [...kinds, 'lost'].indexOf('lost') : 0;
  const depthOf = (commit: Oid | undefined) => depths.get(commit ?? '') ?? 0;
  const land = (parents: readonly Oid[], isWriters: boolean, date: number) => {
    const commit = wiki.land({ parents, isWriters, date });
    depths.set(commit, 1 + Math.max(0, ...parents.map(depthOf)));
    return commit;
  };
  const sideOf = (at: number) => {
    let side = isUnrelated || !isStored(at - 1) ? [] : row.slice(-1);
    for (let made = 0; made < sideLength; made += 1)
      side = [land(side, false, 1_600_000_000 + 10 * at + made)];
    return side;
  };
  for (const [at, kind] of kinds.entries()) {
    const parents = [...row.slice(-1), ...(kind === 'merge' ? sideOf(at) : [])];
    const isWriters = kind === 'write' || kind === 'lost';
    row.push(land(parents, isWriters, (at < late ? 3_000_000_000 : 1_700_000_000) + 10 * at));
    if (kind !== 'lost') continue;
    wiki.lose(row[at] ?? '');
    depths.delete(row[at] ?? '');
  }
  return { wiki, row, isStored, depthOf, land };
}

/** Attempts beside the commits at `next`, in parts whose last write is at `last`. */
function attempt(
  { row, depthOf, land }: ReturnType<typeof rowOf>,
  places: readonly { next: number; last: number }[],
): void {
  for (const [number, { next, last }] of places.entries()) {
    if (next > last) continue;
    const parents = row.slice(Math.max(0, next - 1), next);
    // If two are equally long, the newer one was linked.
    const isShort = 1 + depthOf(parents[0]) < depthOf(row[last]);
    land(parents, true, (isShort ? 3_100_000_000 : 1_500_000_000) + number);
  }
}
