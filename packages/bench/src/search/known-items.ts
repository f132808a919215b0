import { randomNumbers } from '../../../../labs/wikis/wiki-text.ts';

/** A page as the search test sees it. */
export interface Page {
  path: string;
  title: string;
  text: string;
}

/** A query, and the one page that should be found. */
export interface KnownItem {
  query: string;
  path: string;
}

export interface KnownItems {
  titles: KnownItem[];
  rareWords: KnownItem[];
  misspeltTitles: KnownItem[];
}

/**
 * Questions about pages whose title is theirs alone: the title, three rare words of the text, and the title with
 * one wrong letter. Words are those of the Unicode segmenter for the language, not those of any engine.
 */
export function drawKnownItems(pages: readonly Page[], language: string, seed: number): KnownItems {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const wordsOf = (text: string) => {
    const words = Array.from(segmenter.segment(text)).filter(({ isWordLike }) => isWordLike);
    return words.map(({ segment }) => segment.toLowerCase());
  };

  const titleCounts = countOf(pages.map(({ title }) => title.toLowerCase()));
  const wordSets = new Map(pages.map((page) => [page, new Set(wordsOf(page.text).filter(isPlain))]));
  const pagesWith = countOf([...wordSets.values()].flatMap((words) => [...words]));
  const letters = [...new Set(pages.flatMap(({ title }) => [...title.toLowerCase()].filter(isLetter)))];

  const items: KnownItems = { titles: [], rareWords: [], misspeltTitles: [] };
  for (const page of pages) {
    const { path, title } = page;
    if (titleCounts.get(title.toLowerCase()) !== 1 || !/\p{L}/u.test(title)) continue;
    items.titles.push({ query: title, path });
    const rare = [...(wordSets.get(page) ?? [])]
      .map((word) => ({ word, order: (pagesWith.get(word) ?? 0) + random() / 2 }))
      .sort((a, b) => a.order - b.order)
      .slice(0, rareWordsAPage);
    if (rare.length >= 3) {
      const chosen = shuffle(rare, random).slice(0, 3);
      items.rareWords.push({ query: chosen.map(({ word }) => word).join(' '), path });
    }
    const misspelt = misspell(title, letters, pick);
    if (misspelt !== null) items.misspeltTitles.push({ query: misspelt, path });
  }
  return items;
}

/** The number of a page's rarest words that queries are drawn from. */
const rareWordsAPage = 12;

/** Words as people look for: of letters, not single letters of an alphabet, not encoded data. */
function isPlain(word: string): boolean {
  const isLong = /\p{sc=Han}|\p{sc=Hangul}|\p{sc=Hiragana}|\p{sc=Katakana}|\p{sc=Thai}/u.test(word)
    ? word.length > 1
    : word.length > 3;
  return isLong && word.length < 25 && /^[\p{L}\p{M}]+$/u.test(word);
}

/** One letter of a word of at least four becomes another letter of the same script that titles use. */
function misspell(title: string, letters: readonly string[], pick: <Item>(items: readonly Item[]) => Item) {
  const places = [...title.matchAll(/\p{L}[\p{L}\p{M}]{3,}/gu)].flatMap(({ 0: word, index }) =>
    Array.from(word.matchAll(/\p{L}/gu), (letter) => index + letter.index),
  );
  if (places.length === 0) return null;
  const place = pick(places);
  const old = String.fromCodePoint(title.codePointAt(place) ?? 0);
  const others = letters.filter(
    (letter) => letter !== old.toLowerCase() && scriptOf(letter) === scriptOf(old),
  );
  if (others.length === 0) return null;
  return title.slice(0, place) + pick(others) + title.slice(place + old.length);
}

const scripts = ['Latin', 'Cyrillic', 'Arabic', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Greek'];

function scriptOf(letter: string): string | undefined {
  return scripts.find((script) => new RegExp(`\\p{sc=${script}}`, 'u').test(letter));
}

function isLetter(character: string): boolean {
  return /\p{L}/u.test(character);
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
