import type { Paragraph } from './paragraphs.ts';

export interface RatedParagraph extends Paragraph {
  /** The words of the query that it contains, by their numbers. */
  words: ReadonlySet<number>;
  /** Those in the headings above it. */
  headingWords: ReadonlySet<number>;
}

export interface RankedPassage {
  /** The position of its page in the result of the search. */
  page: number;
  paragraph: RatedParagraph;
  score: number;
}

/**
 * The paragraphs with words of the query, best first. A page that is found only by its name, or by words that
 * stand in no paragraph, counts with its first one. `pages` has the paragraphs of each page, best page first.
 */
export function rankPassages(pages: readonly (readonly RatedParagraph[])[]): RankedPassage[] {
  const worth = worthsOf(pages);
  const ranked = pages.flatMap((paragraphs, page) => {
    const share = 1 / (1 + RANK_DECAY * page);
    const passages = paragraphs.map((paragraph) => {
      const inText = sumOf(paragraph.words, worth);
      const inHeadings = sumOf(paragraph.headingWords.difference(paragraph.words), worth);
      const score = share * lengthShare(paragraph.text.length) * (inText + HEADING_SHARE * inHeadings);
      return { page, paragraph, score };
    });
    const found = passages.filter(({ paragraph }) => paragraph.words.size > 0);
    return found.length > 0 ? found : passages.slice(0, 1);
  });
  return ranked.sort((a, b) => b.score - a.score || a.page - b.page || a.paragraph.line - b.paragraph.line);
}

/** The tenth page counts for half as much as the first. */
const RANK_DECAY = 0.1;
/** A word in a heading tells what the section is about, and is not what it says. */
const HEADING_SHARE = 0.4;

/** The value of a word: the fewer paragraphs contain it, the higher. */
function worthsOf(pages: readonly (readonly RatedParagraph[])[]): (word: number) => number {
  const counts = new Map<number, number>();
  let all = 0;
  for (const paragraphs of pages) {
    all += paragraphs.length;
    for (const { words } of paragraphs) {
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return (word) => {
    const count = counts.get(word) ?? 0;
    return Math.log(1 + (all - count + 0.5) / (count + 0.5));
  };
}

function sumOf(words: ReadonlySet<number>, worth: (word: number) => number): number {
  let sum = 0;
  for (const word of words) sum += worth(word);
  return sum;
}

/** Below 1 for a few words, which answer little, and for a long text, which contains any words by chance. */
function lengthShare(length: number): number {
  const short = Math.min(1, 0.4 + length / 200);
  return length <= USUAL_LENGTH ? short : short / (1 + Math.log2(length / USUAL_LENGTH) / 4);
}

const USUAL_LENGTH = 800;
