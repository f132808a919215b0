import { fold } from '../terms.ts';
import { unfoldEnding } from './unfold-ending.ts';

/** Reduces the forms of a word to one stem. */
export type Stemmer = (term: string) => string;

export interface LanguageStemmer {
  language: string;
  stem: Stemmer;
}

/** The stemmer for a language, if there is one; all stemmers if the language is unknown. Loaded on first use. */
export function loadStemmers(language: string | null): Promise<LanguageStemmer[]> {
  const wanted = [...LOADERS].filter(([each]) => language === null || each === language);
  return Promise.all(
    wanted.map(async ([each, load]) => ({ language: each, stem: stemmerFor(each, await load()) })),
  );
}

function stemmerFor(language: string, { stemmer }: { stemmer: Stemmer }): Stemmer {
  // The terms of the index are folded, so stems have no accents either. Endings are known by theirs.
  const foldedStem: Stemmer = (term) => fold(stemmer(unfoldEnding(language, term)));
  // The English stemmer makes deploi of deployed, but deploy of deployment.
  return language === 'en' ? (term) => foldedStem(term).replace(/i$/, 'y') : foldedStem;
}

/**
 * The languages that have a stemmer: English, German, Spanish and Russian, for which it was measured to find more, and the
 * next most common ones. Each import is written out, so that a bundle
 * contains no others.
 */
const LOADERS: ReadonlyMap<string, () => Promise<{ stemmer: Stemmer }>> = new Map([
  ['de', () => import('@orama/stemmers/german')],
  ['en', () => import('@orama/stemmers/english')],
  ['es', () => import('@orama/stemmers/spanish')],
  ['fr', () => import('@orama/stemmers/french')],
  ['pt', () => import('@orama/stemmers/portuguese')],
  ['ru', () => import('@orama/stemmers/russian')],
]);
