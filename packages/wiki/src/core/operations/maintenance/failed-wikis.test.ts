import { expect, test } from 'vitest';
import { nightlyWikis } from '../../../../test/operations/nightly-wikis.ts';
import { WikiError } from '../../../contract/errors.ts';

const damaged = (what: string) =>
  new WikiError('internal', { happened: `The ${what} is damaged.`, now: 'N.', next: 'X.' });

test('each of several wikis that fail is named with its reason and its cause', async () => {
  const nights = nightlyWikis(['a', 'b', 'c', 'd'], {});
  const unforeseen = new TypeError('the text of a page');
  nights.fail('b', damaged('pack'));
  nights.fail('d', unforeseen);
  const failure = await nights.call().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'internal',
    text: {
      happened:
        '2 wikis could not be tidied. In the wiki "b": The pack is damaged. In the wiki "d": The wiki failed in a way that it did not foresee.',
    },
    data: { round: { wikis_done: 4, failures: 2 } },
    cause: { errors: [{ data: { wiki: 'b' } }, { data: { wiki: 'd' }, cause: unforeseen }] },
  });
  expect(nights.finished()).toEqual(['a', 'c']);
});

test('one wiki that fails is reported in its own words', async () => {
  const nights = nightlyWikis(['a', 'b'], {});
  nights.fail('a', damaged('chain'));
  const failure = await nights.call().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    text: { happened: 'In the wiki "a": The chain is damaged.', now: 'N.', next: 'X.' },
    cause: { errors: [{ data: { wiki: 'a' } }] },
  });
});

test('of very many wikis that fail the message names the first, and the cause all', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `w-${index}`);
  const nights = nightlyWikis(names, {});
  for (const name of names) nights.fail(name, damaged('pack'));
  const failure = (await nights.call().catch((error: unknown) => error)) as WikiError;
  expect(failure.text.happened).toMatch(
    /^300 wikis could not be tidied\. In the wiki "w-0": .* And 290 others\.$/,
  );
  expect((failure.cause as AggregateError).errors).toHaveLength(300);
});
