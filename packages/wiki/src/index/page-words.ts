import { plainText } from '../core/text/outline.ts';
import type { PageFacts } from '../core/text/page-facts.ts';
import type { columnWeights } from './page-search.ts';
import { termsOf } from './words.ts';

/** The terms of a page by where they stand; what they weigh is `columnWeights`. */
export type PageWords = Record<keyof typeof columnWeights, string[]>;

/** Headings are joined by aliases and tags, which name a page as well. The body is all of the text. */
export function wordsOf(path: string, text: string, facts: PageFacts): PageWords {
  const names = [
    ...facts.headings.map((heading) => plainText(heading.text)),
    ...facts.aliases,
    ...facts.tags,
  ];
  return {
    title: termsOf(facts.title),
    headings: termsOf(names.join('\n')),
    path: termsOf(path),
    body: termsOf(text),
  };
}
