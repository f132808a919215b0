import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pagesOfWords } from '../../../../test/search/worded-pages.ts';
import { atOnce } from '../../../scheduling/in-turns.ts';
import { readWordsQuery } from '../words-query.ts';
import { isSpokenIn, queryLanguageSteps } from './query-language.ts';
import { isStopWord, LISTED_LANGUAGES } from './stop-words.ts';

interface Page {
  language: string | null;
  words: string[];
}

/** The language of a query in a wiki of these pages, and the languages of the stemmers for it. */
async function languageOf(text: string, pages: Page[]) {
  const query = await readWordsQuery(text);
  const found = atOnce(queryLanguageSteps(pagesOfWords(pages), query));
  const nameOf = (stem: unknown) => query.stemmers.find((each) => each.stem === stem)?.language;
  return {
    language: found.language,
    stemmers: found.stemmers.map(nameOf).sort(),
    german: found.germanStemmer === null ? null : nameOf(found.germanStemmer),
  };
}

const times = (count: number, language: string | null, words: string[] = []): Page[] =>
  Array.from({ length: count }, () => ({ language, words }));

test('a language is spoken if at least one page in fifty is in it', () => {
  const sizes = (pages: number, others: number) => [
    { language: 'de', pages, terms: 0 },
    { language: 'en', pages: others, terms: 0 },
  ];
  expect(isSpokenIn(sizes(1, 49), 'de')).toBe(true);
  expect(isSpokenIn(sizes(1, 50), 'de')).toBe(false);
  expect(isSpokenIn(sizes(0, 0), 'de')).toBe(false);
  expect(isSpokenIn(sizes(1, 0), 'fr')).toBe(false);
});

test('a query with one stop word is in the language that explains its words best', async () => {
  const words = ['war', 'die', 'man', 'dos', 'history', 'blau', 'rot'];
  const page = fc.record({
    language: fc.constantFrom('en', 'de', 'es', 'en', null),
    words: fc.array(fc.constantFrom(...words), { maxLength: 6 }),
  });
  const query = fc.uniqueArray(fc.constantFrom(...words), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { maxLength: 8 }), query, async (pages, terms) => {
      const { language } = await languageOf(terms.join(' '), pages);
      expect(likeliestLanguages(terms, pages)).toContain(language);
    }),
    { numRuns: 1_000 },
  );
});

/** More than one if they explain the words as well as one another, up to what numbers can say. */
function likeliestLanguages(terms: string[], pages: Page[]): (string | null)[] {
  const spoken = LISTED_LANGUAGES.filter((each) => pages.some(({ language }) => language === each));
  const candidates =
    spoken.length > 0 || pages.some(({ language }) => language !== null) ? spoken : LISTED_LANGUAGES;
  const counts = candidates.map((each) => terms.filter((term) => isStopWord(each, term)).length);
  const most = Math.max(0, ...counts);
  if (most === 0 || counts.filter((count) => count === most).length > 1) return [null];
  if (most > 1) return candidates.filter((_, at) => counts[at] === most);
  if (spoken.length === 0) return [null];
  const likelihoods = spoken.map((each) => {
    const own = pages.filter(({ language }) => language === each);
    return terms.reduce((sum, term) => {
      const holding = own.filter(({ words }) => words.includes(term)).length;
      return sum + Math.log(holding / own.length + 0.02);
    }, 0);
  });
  const best = Math.max(...likelihoods);
  return spoken.filter((_, at) => (likelihoods[at] ?? 0) > best - 1e-9);
}

test('the first of several languages that explain a query equally well is taken', async () => {
  expect((await languageOf('war', [...times(1, 'es'), ...times(1, 'de'), ...times(1, 'en')])).language).toBe(
    'en',
  );
  expect((await languageOf('war', [...times(1, 'es'), ...times(1, 'de')])).language).toBe('de');
});

test('a longer word does not explain a word of a query', async () => {
  const german = { language: 'de', words: ['war'] };
  expect((await languageOf('war blau', [german, { language: 'en', words: ['warfare'] }])).language).toBe(
    'de',
  );
});

test('only the first words of a long query are compared, its stop word before all others', async () => {
  const words = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9'];
  const pages = [...times(1, 'de', ['war', ...words]), ...times(1, 'en', ['w8', 'w9'])];
  const german = [{ language: 'de', words: ['war'] }];
  expect((await languageOf('w1 w2 w3 w4 w5 w6 w7 w8 war', pages)).language).toBe('de');
  // The eighth word is the last one that counts, with the stop word before it.
  const seven = words.slice(0, 7);
  const lateWords = [...seven, 'w8', 'war'].join(' ');
  expect((await languageOf(lateWords, [...german, { language: 'en', words: ['w8'] }])).language).toBe('de');
  expect((await languageOf(lateWords, [...german, { language: 'en', words: ['w6', 'w7'] }])).language).toBe(
    'en',
  );
});

test('forms are those of the languages of the wiki, and of the evident one if any page is in it', async () => {
  const pages = [...times(60, 'en'), ...times(60, 'de')];
  const spoken = ['de', 'en'];
  expect(await languageOf('lanterns', pages)).toEqual({ language: null, stemmers: spoken, german: 'de' });
  const spanish = 'donde estan las direcciones para nosotros';
  expect((await languageOf(spanish, [...pages, ...times(1, 'es')])).stemmers).toEqual([...spoken, 'es']);
  expect((await languageOf(spanish, pages)).stemmers).toEqual(spoken);
  expect((await languageOf('nosotros', [...pages, ...times(1, 'es')])).stemmers).toEqual(spoken);
  expect(await languageOf('where is the lantern', pages)).toEqual({
    language: 'en',
    stemmers: ['en'],
    german: null,
  });
  expect(await languageOf('wo ist die lampe', pages)).toEqual({
    language: 'de',
    stemmers: ['de'],
    german: 'de',
  });
  const unknown = await languageOf('lanterns', times(3, null));
  expect(unknown.stemmers.length).toBeGreaterThan(5);
  expect(unknown.german).toBeNull();
});

test('a query in other letters than Latin ones is in their language', async () => {
  expect(await languageOf('\u0441\u0430\u0439\u0442', times(1, 'de'))).toEqual({
    language: 'ru',
    stemmers: ['ru'],
    german: null,
  });
});
