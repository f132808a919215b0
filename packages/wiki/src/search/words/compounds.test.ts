import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberedWords } from '../../../test/search/worded-pages.ts';
import { compareText } from '../../core/text/text-order.ts';
import { atOnce } from '../../scheduling/in-turns.ts';
import { compoundsWith } from './compounds.ts';
import { loadStemmers } from './languages/stemmers.ts';
import type { WordMatcher } from './word-matcher.ts';

const stem = (await loadStemmers('de')).find(({ language }) => language === 'de')?.stem ?? String;

/** The compounds with a term in a wiki of these words, each with the number of its pages. */
function compounds(term: string, pages: Record<string, number>, effort = { left: 100_000 }): string[] {
  const words = Object.keys(pages).sort(compareText);
  const matcher: Pick<WordMatcher, 'wordsFrom' | 'pagesWith'> = {
    wordsFrom(word, most) {
      const first = words.findIndex((each) => compareText(each, word) >= 0);
      return first === -1 ? [] : words.slice(first, first + most);
    },
    pagesWith: (word) => pages[word] ?? 0,
  };
  return atOnce(compoundsWith(term, stem, matcher as WordMatcher, effort));
}

test('compounds are the longer words that begin or end with the word, in any form at their end', () => {
  const part = fc.constantFrom(
    'haus',
    'hauser',
    'verwaltung',
    'verwaltungen',
    'schule',
    'schulen',
    's',
    'ab',
  );
  const word = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(word, fc.dictionary(word, fc.nat(3), { maxKeys: 30 }), (term, pages) => {
      const end = stem(term);
      const isCompound = (each: string) => {
        const rest = each.length - term.length;
        if (rest < 3) return false;
        if (each.startsWith(term) || each.endsWith(term)) return true;
        return end.length >= 5 && stem(each).endsWith(end) && each.lastIndexOf(end) >= 3;
      };
      const isPart = term.length >= 5 && term.length <= 33;
      const wanted = Object.keys(pages).filter((each) => isPart && pages[each] !== 0 && isCompound(each));
      wanted.sort((a, b) => (pages[b] ?? 0) - (pages[a] ?? 0) || (a < b ? -1 : 1));
      expect(compounds(term, pages)).toEqual(wanted.slice(0, 20));
    }),
    { numRuns: 2_000 },
  );
});

test('a word with other letters than those of folded German has no compounds', () => {
  for (const term of ['verw\u0430ltung', '1verwaltung', 'verwaltung1', 'verwal-tung']) {
    expect(compounds(term, { [`benutzer${term}`]: 1 })).toEqual([]);
  }
});

test('compounds are found among many words, those that begin with the word before the effort is used up', () => {
  const others = numberedWords('a', 700);
  const pagesOf = (words: string[]) => Object.fromEntries(words.map((one) => [one, 1]));
  const pages = pagesOf([...others, 'kundenhauser', 'mitkunden', 'zahlkunden', 'kunden']);
  expect(compounds('kunden', pages)).toEqual(['kundenhauser', 'mitkunden', 'zahlkunden']);
  const effort = { left: 300 };
  expect(compounds('kunden', pages, effort)).toEqual(['kundenhauser']);
  expect(effort.left).toBe(-1);

  const many = numberedWords('kunden', 500);
  const spent = { left: 100_000 };
  expect(compounds('kunden', pagesOf(many), spent)).toEqual(many.slice(0, 20));
  expect(100_000 - spent.left).toBeLessThan(500);
});
