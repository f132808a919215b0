import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wikiOf } from '../../../../test/storage/maintenance/wiki-in-a-row.ts';

const FIRST_DATE = 1_700_000_000;

it('a repair keeps the order of the parts of a chain between which commits and their names are lost', async () => {
  const cases = fc.record({
    count: fc.integer({ min: 6, max: 9 }),
    // Nothing names a lost commit if the one after it is lost too.
    gone: fc.constantFrom([1, 3], [1, 4], [2, 4]),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ count, gone }) => {
      const wiki = wikiOf(Array.from({ length: count }, () => true));
      for (const place of gone) {
        wiki.lose(wiki.commits[place] ?? '');
        wiki.loseNameOf(place);
      }
      await wiki.mend(count - 1, 1_000);
      expect(wiki.order()).toEqual(wiki.commits);
    }),
    { numRuns: 6 },
  );
});

it('a chain that lost its beginning begins with the oldest commits, though some of them are lost', async () => {
  const cases = fc.record({
    count: fc.integer({ min: 5, max: 8 }),
    gone: fc.constantFrom([1], [2], [3], [1, 3], [0, 2], []),
    isBeginningLate: fc.boolean(),
    isEndLost: fc.boolean(),
    steps: fc.constantFrom(1, 1_000),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ count, gone, isBeginningLate, isEndLost, steps }) => {
      const before = gone[0] ?? count;
      // The clock of the process that began the wiki was wrong.
      const isLate = (at: number) => isBeginningLate && at < before;
      const dateOf = (at: number) => (isLate(at) ? 3_000_000_000 : FIRST_DATE) + at;
      const wiki = wikiOf(
        Array.from({ length: count }, () => true),
        dateOf,
      );
      for (let place = 0; place <= (gone.at(-1) ?? 2); place += 1) wiki.loseNameOf(place);
      if (isEndLost && (gone.at(-1) ?? 2) < count - 1) wiki.loseNameOf(count - 1);
      for (const place of gone) wiki.lose(wiki.commits[place] ?? '');
      await wiki.mend(count - 1, steps);
      expect(wiki.order()).toEqual(wiki.commits);
    }),
    { numRuns: 8 },
  );
});

it('the beginning of a chain comes before a later part of it, whatever the clocks said', async () => {
  const wiki = wikiOf([true, true, true, true, true], (at) => 3_000_000_000 - at);
  for (const place of [0, 2]) wiki.loseNameOf(place);
  wiki.lose(wiki.commits[2] ?? '');
  await wiki.mend(4, 1_000);
  expect(wiki.order()).toEqual(wiki.commits);
});

it('a part of a chain comes after all parts that it was built on, whatever the clocks said', async () => {
  const wiki = wikiOf([true, true, true]);
  const [, first = '', second = ''] = wiki.commits;
  const lost = wiki.land({ parents: [second], isWriters: true, date: FIRST_DATE + 3 });
  const merge = wiki.land({ parents: [lost, second], isWriters: true, date: FIRST_DATE - 2 });
  const last = wiki.land({ parents: [merge], isWriters: true, date: FIRST_DATE - 1 });
  wiki.link(merge, last);
  for (const commit of [first, lost]) wiki.lose(commit);
  wiki.loseNameOf(1);
  await wiki.mend(-1, 1_000);
  expect(wiki.order()).toEqual([...wiki.commits, lost, merge, last]);
});

it('a write that a repair brought in beside others stays beside them', async () => {
  const wiki = wikiOf([true, true, true, true]);
  const [first = ''] = wiki.commits;
  const beside = wiki.land({ parents: [first], isWriters: true, date: FIRST_DATE + 50 });
  wiki.remember(FIRST_DATE + 50, beside);
  wiki.loseNameOf(1);
  await wiki.mend(3, 1_000);
  expect(wiki.order()).toEqual(wiki.commits);
});

it('a repair stops if a name from elsewhere leads into the chain', async () => {
  const wiki = wikiOf([true, true, true]);
  wiki.link('e'.repeat(40), wiki.commits[1] ?? '');
  const before = wiki.names();
  await expect(wiki.mend(2, 1_000)).rejects.toMatchObject({ code: 'corrupt_chain' });
  expect(wiki.names()).toEqual(before);
});
