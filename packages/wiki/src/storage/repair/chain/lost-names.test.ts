import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wikiOf } from '../../../../test/storage/maintenance/wiki-in-a-row.ts';

const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 8, size: 'max' });
/** Chooses some of what there is, by position. */
const some: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([]),
  fc.array(fc.nat(7), { maxLength: 8 }),
  fc.constant([0, 1, 2, 3, 4, 5, 6, 7]),
);

it('a repair restores each name that a chain lost, as it was, up to the newest commit that anything names', async () => {
  const cases = fc.record({ kinds, lost: some, ref: fc.nat(7), steps: fc.constantFrom(1, 5, 1_000) });
  await fc.assert(
    fc.asyncProperty(cases, async ({ kinds: writers, lost, ref: at, steps }) => {
      const wiki = wikiOf(writers);
      const before = wiki.names();
      const lostAt = writers.map((_, place) => lost.includes(place));
      for (const [place, isLost] of lostAt.entries())
        if (isLost) rmSync(join(wiki.layout.chain, wiki.nameOf(place)));
      const ref = Math.min(at, writers.length - 1);
      const isMended = await wiki.mend(ref, steps);
      const last = lastKnown(writers, lostAt, ref);
      const expected = writers.map((_, place) => place).filter((place) => place <= last || !lostAt[place]);
      expect(wiki.names()).toEqual(
        Object.fromEntries(expected.map((place) => [wiki.nameOf(place), before[wiki.nameOf(place)]])),
      );
      expect(isMended).toBe(lostAt.some((isLost, place) => isLost && place <= last));
      expect(await wiki.beyondGaps()).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

it('a repair brings what is left into its order if commits are lost as well as names', async () => {
  const cases = fc.record({
    count: fc.integer({ min: 2, max: 8 }),
    lost: some,
    gone: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
    steps: fc.constantFrom(1, 1_000),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ count, lost, gone, steps }) => {
      const wiki = wikiOf(Array.from({ length: count }, () => true));
      const isGone = (place: number) => gone.includes(place) && place < count - 1;
      for (let place = 0; place < count; place += 1) {
        if (lost.includes(place)) rmSync(join(wiki.layout.chain, wiki.nameOf(place)));
        if (isGone(place)) wiki.lose(wiki.commits[place] ?? '');
      }
      await wiki.mend(count - 1, steps);
      const order = wiki.order().map((commit) => wiki.commits.indexOf(commit));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      expect(order).toEqual(expect.arrayContaining(foundAgain(count, { lost, isGone })));
    }),
    { numRuns: 15 },
  );
});

it('a chain that is lost as a whole comes back without the attempts that were never linked', async () => {
  const cases = fc.record({
    count: fc.integer({ min: 2, max: 8 }),
    ref: fc.option(fc.nat(7)),
    bases: fc.array(fc.nat(7), { maxLength: 4 }),
    steps: fc.constantFrom(1, 1_000),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ count, ref, bases, steps }) => {
      const wiki = wikiOf(Array.from({ length: count }, () => true));
      for (const [at, base] of bases.entries()) {
        const parents = wiki.commits
          .slice(0, count - 1)
          .slice(base % (count - 1))
          .slice(0, 1);
        // Begun before the newest write.
        wiki.land({ parents, isWriters: true, date: 1_600_000_000 + at });
      }
      for (let place = 0; place < count; place += 1) rmSync(join(wiki.layout.chain, wiki.nameOf(place)));
      expect(await wiki.mend(ref === null ? -1 : ref % count, steps)).toBe(true);
      expect(wiki.order()).toEqual(wiki.commits);
    }),
    { numRuns: 15 },
  );
});

it('a repair stops if the chain leads in two directions', async () => {
  const wiki = wikiOf([true, true, true, true]);
  const [, second = '', third = ''] = wiki.commits;
  rmSync(join(wiki.layout.chain, second));
  const other = wiki.land({ parents: [second], isWriters: true, date: 1_800_000_000 });
  const after = wiki.land({ parents: [other], isWriters: true, date: 1_800_000_001 });
  wiki.link(other, after);
  await expect(wiki.mend(3, 1_000)).rejects.toMatchObject({ code: 'corrupt_chain' });
  expect(wiki.names()[second]).toBeUndefined();
  wiki.link('e'.repeat(40), third);
  wiki.link('f'.repeat(40), third);
  await expect(wiki.mend(3, 1_000)).rejects.toMatchObject({ code: 'corrupt_chain' });
});

/** The positions of the commits that a name or the ref mentions, and of those before them up to lost ones. */
function foundAgain(
  count: number,
  { lost, isGone }: { lost: readonly number[]; isGone(place: number): boolean },
): number[] {
  const isMentioned = (place: number) =>
    place === count - 1 || !lost.includes(place) || (place + 1 < count && !lost.includes(place + 1));
  const found: number[] = [];
  for (let place = count - 1; place >= 0; place -= 1) {
    const isBefore = found.at(-1) === place + 1 && !isGone(place + 1);
    if (!isGone(place) && (isMentioned(place) || isBefore)) found.push(place);
  }
  return found;
}

/** The position of the newest commit that a name, the ref, or a pack beyond the ref leads to. */
function lastKnown(writers: readonly boolean[], lostAt: readonly boolean[], ref: number): number {
  const named = lostAt.lastIndexOf(false);
  if (named === -1) return Math.max(ref, writers.lastIndexOf(true));
  const hasWritten = writers.some((isWriters, place) => isWriters && place > named && place <= ref);
  return hasWritten ? ref : named;
}
