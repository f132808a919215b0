import { expect, test } from 'vitest';
import { pagesOfWords } from '../../../test/search/worded-pages.ts';
import { atOnce } from '../../scheduling/in-turns.ts';
import { rankPages } from './rank-pages.ts';
import { termsOf } from './terms.ts';
import { readWordsQuery } from './words-query.ts';

const PAGES = {
  lanterns: 'lanterns and gravels',
  both: 'lantern gravel',
  one: 'lantern',
  other: 'a light in the garden',
};

/** The results, where `alike` is what means the same as the query. */
async function results(query: string, paths: (keyof typeof PAGES)[], alike?: string[]) {
  const pages = paths.map((path) => {
    return { path, version: `${path} as it is`, title: path, language: 'en', words: termsOf(PAGES[path]) };
  });
  const versions = alike === undefined ? {} : { alike: alike.map((path) => `${path} as it is`) };
  const found = rankPages(pagesOfWords(pages), await readWordsQuery(query), {
    offset: 0,
    limit: 10,
    ...versions,
  });
  const { rows, total } = atOnce(found);
  expect(total).toBe(rows.length);
  return rows.map(({ path }) => path);
}

test.each([
  ['a sentence', 'where is the lantern and the gravel', ['both', 'one', 'other']],
  ['a list of words of which no page has all', 'lantern zephyr', ['both', 'one', 'other']],
  ['one that no page has', 'zephyr', ['other']],
])('a page that means the same joins the results of %s', async (_name, query, wanted) => {
  expect((await results(query, ['both', 'one', 'other'], ['other'])).toSorted()).toEqual(wanted);
});

test('a list of words that some page has needs no other page, unless the page has other forms of them', async () => {
  expect(await results('lantern gravel', ['both', 'one', 'other'], ['other'])).toEqual(['both', 'one']);
  expect(await results('the lantern', ['one', 'other'], ['other'])).toEqual(['one']);
  expect(await results('lantern gravel', ['one', 'other'], ['other'])).toEqual(['one', 'other']);
  expect(await results('lantern gravel', ['lanterns', 'other'], ['other'])).toEqual(['lanterns', 'other']);
});

test('without pages that mean the same, the words alone count', async () => {
  expect(await results('where is the lantern', ['one', 'other'])).toEqual(['one']);
  expect(await results('where is the lantern', ['one', 'other'], [])).toEqual(['one']);
});

test('a page that means the same is the best if the query is its name', async () => {
  expect(await results('other', ['one', 'other', 'both'], ['one', 'both', 'other'])).toEqual([
    'other',
    'one',
    'both',
  ]);
});
