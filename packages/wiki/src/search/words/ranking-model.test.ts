import fc from 'fast-check';
import { expect, test } from 'vitest';
import { atOnce } from '../../scheduling/in-turns.ts';
import { scanWords } from './match-in-memory.ts';
import { rankPages } from './rank-pages.ts';
import { readWordsQuery } from './words-query.ts';

/*
 * The results of a search are those of a second implementation, written from the formula: BM25 of each column, added up, and
 * names before all else. The pages of a wiki share so few words that many of them have the same score.
 */

/** Each column with its weight. */
const WEIGHTS = { title: 1, headings: 0.3, path: 0.5, lead: 1, body: 1 };
type Column = keyof typeof WEIGHTS;

interface Page extends Record<Column, string> {
  aliases: string[];
  language: string | null;
}

/** A query about some words: a list of them, or a sentence. */
const QUERIES = {
  list: { language: null, query: (words: string) => words },
  english: { language: 'en', query: (words: string) => `where is the ${words} and how are they` },
  german: { language: 'de', query: (words: string) => `wo ist der ${words} und wie sind wir` },
};

/** The other form of a word in English. In German it is a word one letter away. */
const OTHER_FORM: Record<string, string> = { lamp: 'lamps', lamps: 'lamp', creep: 'creeps', creeps: 'creep' };
const WORDS = [...Object.keys(OTHER_FORM), 'quorum', 'zephyr'];

const text = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS, 'filler', 'filler'), { maxLength }).map((words) => words.join(' '));
const name = fc.constantFrom('Lamp', 'Creep', 'Quorum', 'Page one', 'Page two', 'Lamp-Creep');
const page: fc.Arbitrary<Page> = fc.record({
  title: fc.oneof(name, text(3)),
  headings: text(4),
  path: fc.tuple(fc.constantFrom('', 'a/', 'b/', 'hidden/'), name).map((parts) => parts.join('')),
  lead: text(6),
  body: text(30),
  aliases: fc.array(name, { maxLength: 1 }),
  language: fc.constantFrom('en', 'en', 'de', null),
});
const wiki = fc
  .tuple(fc.array(page, { minLength: 1, maxLength: 12 }), fc.boolean())
  .map(([pages, isTwice]) => {
    // The same text under another path has the same score.
    const all = isTwice ? [...pages, ...pages.map((one) => ({ ...one, path: `c/${one.path}` }))] : pages;
    return [...new Map(all.map((one) => [one.path, one])).values()];
  });
const isAdmitted = (path: string) => !path.includes('hidden/');

test('a search gives the pages that the formula gives, in its order', async () => {
  const [kind, words] = [
    fc.constantFrom(...(Object.keys(QUERIES) as (keyof typeof QUERIES)[])),
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
  ];
  const window = fc.record({ offset: fc.nat(6), limit: fc.integer({ min: 1, max: 8 }) });
  await fc.assert(
    fc.asyncProperty(wiki, kind, words, window, async (pages, kind, words, { offset, limit }) => {
      const { language, query } = QUERIES[kind];
      const indexed = pages.map((one) => ({ ...one, version: one.path, columns: columnsOf(one) }));
      const asked = await readWordsQuery(query(words.join(' ')));
      const matcher = scanWords(indexed, '', isAdmitted);
      const found = atOnce(rankPages(matcher, asked, { offset: 0, limit: pages.length }));
      const scores = expectedScores(pages, words, language);
      expect(found.total).toBe(scores.size);
      expect(found.rows.map(({ path }) => path).sort()).toEqual([...scores.keys()].sort());
      for (const { path, score } of found.rows) expect(score).toBeCloseTo(scores.get(path) ?? 0, 8);
      // By the scores themselves: those of two pages may differ by less than the formula can say.
      const inOrder = found.rows.toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
      expect(found.rows).toEqual(inOrder);
      const some = atOnce(rankPages(matcher, asked, { offset, limit }));
      expect(some).toEqual({ ...found, rows: found.rows.slice(offset, offset + limit) });
    }),
    { numRuns: 1_000 },
  );
});

function expectedScores(pages: Page[], words: string[], asked: string | null): Map<string, number> {
  const spoken = new Set(pages.map(({ language }) => language).filter((language) => language !== null));
  const language = asked !== null && (spoken.has(asked) || spoken.size === 0) ? asked : null;
  const isOwn = (one: Page) => !spoken.has(language ?? '') || [language, null].includes(one.language);
  const own = pages.filter(isOwn);
  const averageLength = Math.max(1, own.reduce((sum, one) => sum + wordsOf(one.body).length, 0) / own.length);
  const isEnglish = language === null ? spoken.size === 0 || spoken.has('en') : language === 'en';
  const wanted = [...new Set(words)].map((word) => wantedWord(word, pages, own, isEnglish));

  const scores = new Map<string, number>();
  for (const one of pages.filter(({ path }) => isAdmitted(path))) {
    const parts = wanted.map(({ counts, rarity }) => rarity * bm25(counts(one), one, averageLength));
    const score = (isOwn(one) ? 1 : 0.3) * sumOf(parts);
    if (score === 0) continue;
    const isList = asked === null;
    const all = isList ? score * factorOf(one, wanted) + 10_000 * rankOf(one, words.join(' ')) : score;
    scores.set(one.path, all);
  }
  return scores;
}

interface WantedWord {
  /** How often each column of a page has the word as it was asked for. */
  exact: (one: Page) => number[];
  /** The same with its other form, which counts half. */
  counts: (one: Page) => number[];
  rarity: number;
}

function wantedWord(word: string, pages: Page[], own: Page[], isEnglish: boolean): WantedWord {
  const other = OTHER_FORM[word] ?? '';
  const isMisspelt = !isEnglish && pages.every((one) => sumOf(countsOf(one, word)) === 0);
  const exact = (one: Page) => countsOf(one, isMisspelt ? other : word);
  const forms = (one: Page) => countsOf(one, isEnglish ? other : '');
  const counts = (one: Page) => exact(one).map((count, at) => count + 0.5 * (forms(one)[at] ?? 0));
  const holding = own.filter((one) => sumOf(counts(one)) > 0).length;
  return { exact, counts, rarity: Math.log(1 + (own.length - holding + 0.5) / (holding + 0.5)) };
}

/** More for a page that has all words of a list, and most for one that has them as they were asked for. */
function factorOf(one: Page, wanted: WantedWord[]): number {
  if (wanted.some(({ counts }) => sumOf(counts(one)) === 0)) return 1;
  return wanted.every(({ exact }) => sumOf(exact(one)) > 0) ? 3 : 1.5;
}

function bm25(counts: number[], one: Page, averageLength: number): number {
  const terms = Object.entries(WEIGHTS).map(([column, weight], at) => {
    const count = counts[at] ?? 0;
    const length = column === 'body' ? 0.25 + (0.75 * wordsOf(one.body).length) / averageLength : 1;
    return (weight * 2.5 * count) / (count + 1.5 * length);
  });
  return sumOf(terms);
}

/** The path, its last name, the title, an alias, and the words of the title, the best first. */
function rankOf({ path, title, aliases }: Page, query: string): number {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const names = [[path], [last], [title], aliases, [wordsOf(title).join(' ')]];
  const at = names.findIndex((some) => some.some((one) => one.toLowerCase() === query));
  return at === -1 ? 0 : 5 - at;
}

function columnsOf(one: Page): Record<Column, string[]> {
  const { title, headings, path, lead, body } = one;
  return {
    title: wordsOf(title),
    headings: wordsOf(headings),
    path: wordsOf(path),
    lead: wordsOf(lead),
    body: wordsOf(body),
  };
}

function countsOf(one: Page, word: string): number[] {
  return Object.values(columnsOf(one)).map((terms) => terms.filter((term) => term === word).length);
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}

const sumOf = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0);
