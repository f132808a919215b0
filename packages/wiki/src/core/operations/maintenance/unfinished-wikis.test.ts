import { expect, test } from 'vitest';
import { nightlyWikis } from '../../../../test/operations/nightly-wikis.ts';
import { WikiError } from '../../../contract/errors.ts';

test('a wiki that takes several whole calls comes again until it is done, also if it was the first', async () => {
  for (const first of ['a', 'c']) {
    const nights = nightlyWikis(['a', 'b', 'c'], { callsOf: { [first]: 3 } });
    const rounds = await nights.night();
    expect(rounds.map(({ wikis_left }) => wikis_left).slice(0, 5)).not.toContain(undefined);
    expect(nights.finished()).toEqual(['a', 'b', 'c']);
    expect(rounds.at(-1)).toMatchObject({ wikis_done: 3, wikis_left: 0, wikis_unfinished: 0 });
  }
});

test('a wiki that never finishes keeps no other from its turn, and the round ends with its name', async () => {
  const nights = nightlyWikis(['a', 'b', 'c'], { callsOf: { a: Number.POSITIVE_INFINITY, c: 4 } });
  const rounds = await nights.night();
  // Its whole call is over, then the others have their turns.
  expect(nights.turns().slice(0, 4)).toEqual(['a', 'b', 'c', 'c']);
  expect(nights.finished()).toEqual(['b', 'c']);
  expect(rounds.at(-1)).toMatchObject({
    wikis_done: 2,
    wikis_left: 0,
    wikis_unfinished: 1,
    unfinished_wikis: ['a'],
    failures: 0,
  });
  // The round ended within the night, so that the next one begins with all wikis.
  const before = nights.turns().length;
  await nights.night();
  expect(nights.turns().slice(before, before + 2)).toEqual(['a', 'b']);
});

test('a night after which wikis are unfinished is followed by one that finishes them', async () => {
  const nights = nightlyWikis(['a', 'b'], { callsOf: { a: 40 } });
  expect((await nights.night()).at(-1)).toMatchObject({ wikis_unfinished: 1, unfinished_wikis: ['a'] });
  expect((await nights.night()).at(-1)).toMatchObject({ wikis_unfinished: 0, unfinished_wikis: [] });
  expect(nights.finished()).toEqual(['a', 'b']);
});

test('many wikis that never finish end their round after a turn each and a bounded number of repeats', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `w-${String(index).padStart(3, '0')}`);
  const nights = nightlyWikis(names, { callsOf: () => Number.POSITIVE_INFINITY });
  let last = (await nights.night()).at(-1);
  for (let night = 2; night <= 4; night += 1) last = (await nights.night()).at(-1);
  expect(new Set(nights.turns()).size).toBe(100);
  expect(last).toMatchObject({ wikis_done: 0, wikis_left: 0, wikis_unfinished: 100 });
  expect(last?.unfinished_wikis).toHaveLength(20);
});

test('an unfinished wiki that fails or is deleted is not waited for', async () => {
  const nights = nightlyWikis(['a', 'b', 'c'], { callsOf: { a: 9, b: 9 } });
  await nights.call();
  await nights.call();
  nights.wikis.delete('a');
  nights.fail('b', new WikiError('internal', { happened: 'It broke.', now: 'N.', next: 'X.' }));
  const rounds = await nights.night();
  expect(rounds.at(-1)).toMatchObject({ wikis_left: 0, wikis_unfinished: 0, failures: 1 });
});

test('a person who asks has every wiki tidied, also when the round that this ends left some unfinished', async () => {
  const nights = nightlyWikis(['a', 'b', 'c'], { callsOf: { a: 2 } });
  await nights.call();
  const answer = await nights.call({ onceANight: false });
  expect(answer).toMatchObject({ finished: true, unfinished: [] });
  expect(nights.finished()).toEqual(['a', 'b', 'c']);
});

test('a nightly call that ends a round of several calls is finished', async () => {
  const nights = nightlyWikis(['a', 'b', 'c'], { turnsOfCall: 2 });
  expect(await nights.call()).toMatchObject({ finished: false, unfinished: ['c'] });
  expect(await nights.call()).toMatchObject({ finished: true, unfinished: [] });
});
