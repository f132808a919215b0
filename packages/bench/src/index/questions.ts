/** The questions to every engine of a run. */
export interface Questions {
  /** Tree paths. */
  pages: string[];
  words: string[];
  twoWords: string[];
  threeWords: string[];
  phrases: string[];
}

/** Draws questions from the text of some of the wiki's pages; the same seed draws the same. */
export function drawQuestions(pages: readonly { path: string; text: string }[], seed: number): Questions {
  const random = randomNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const wordsOf = (text: string) => text.match(/[a-z]{4,}/g) ?? [];
  const ask = (count: number, adjacent: boolean) =>
    pages.map(({ text }) => {
      const words = wordsOf(text);
      if (!adjacent) return Array.from({ length: count }, () => pick(words)).join(' ');
      const runs = text.match(/[a-z]{4,} [a-z]{4,}/g) ?? [];
      return pick(runs);
    });
  return {
    pages: pages.map(({ path }) => path),
    words: ask(1, false),
    twoWords: ask(2, false),
    threeWords: ask(3, false),
    phrases: ask(2, true),
  };
}

/** A linear congruential generator: quite good enough to choose by. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
