import type { Steps } from '../../scheduling/in-turns.ts';
import { termsOf } from './terms.ts';
import type { WordMatcher } from './word-matcher.ts';

/** Up to `most` pages that contain the words of any of these texts side by side. */
export function* pagesNaming(matcher: WordMatcher, texts: readonly string[], most: number): Steps<string[]> {
  const pages = new Set<number>();
  for (const text of texts) {
    const terms = termsOf(text).slice(0, MAX_TERMS);
    if (terms.length === 0) continue;
    for (const { page } of yield* matcher.occurrences({ terms, prefix: false, quoted: true }))
      pages.add(page);
  }
  return [...pages].slice(0, most).map((page) => matcher.pathOf(page));
}

/** Each term takes time on every page that has them all. */
const MAX_TERMS = 16;
