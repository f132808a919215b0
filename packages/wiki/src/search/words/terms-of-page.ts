import { MAX_HEADINGS_FOUND, plainText } from '../../core/text/markdown/outline.ts';
import type { PageFacts } from '../../core/text/markdown/page-facts.ts';
import type { Steps } from '../../scheduling/in-turns.ts';
import { leadOf } from './lead.ts';
import { termSteps, termsOf } from './terms.ts';
import type { Column } from './word-matcher.ts';

/** The terms of a page by column. */
export type PageWords = Record<Column, string[]>;

/** Aliases and tags count as headings, since they name a page as well. The body is the whole text. */
export function* wordSteps(path: string, text: string, facts: PageFacts): Steps<PageWords> {
  const names = [
    ...facts.headings.slice(0, MAX_HEADINGS_FOUND).map((heading) => plainText(heading.text)),
    ...facts.aliases,
    ...facts.tags,
  ];
  return {
    title: termsOf(facts.title),
    headings: yield* bounded(yield* termSteps(names.join('\n'))),
    path: termsOf(path),
    lead: termsOf(leadOf(text, facts.frontmatter)),
    body: yield* bounded(yield* termSteps(text)),
  };
}

/**
 * The terms without further repetitions of too frequent ones, and without new ones if there are too many.
 * Placeholder terms, which no query can contain, take their place and keep the distances. A search processes
 * all places of a term on a page at once, and all terms of a page go into the index at once.
 */
function* bounded(terms: string[]): Steps<string[]> {
  if (terms.length <= MAX_REPEATS) return terms;
  const counts = new Map<string, number>();
  for (const [at, term] of terms.entries()) {
    const count = counts.get(term) ?? 0;
    if (count === MAX_REPEATS || (count === 0 && counts.size === MAX_DIFFERENT)) terms[at] = NO_TERM;
    else counts.set(term, count + 1);
    if (at % TERMS_AT_ONCE === 0) yield;
  }
  return terms;
}

/** No prose has a word more often: it is 6% of the words of the longest page. */
const MAX_REPEATS = 25_000;
/** The longest page of prose has half as many. */
const MAX_DIFFERENT = 60_000;
/** From the private use area, and so part of no word. */
const NO_TERM = '\ue000';
/** Takes about a millisecond. */
const TERMS_AT_ONCE = 5_000;
